"""Limits on a rules page: a line for each group of bets, a column for each currency."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from croupier.play.contract.amounts import Currency, StakeLimits
from croupier.play.contract.bets import Bet
from croupier.play.contract.game import Table


class LimitLine(NamedTuple):
    """Limits of a group of bets, with a text such as `0.50 to 500.00` for each currency."""

    title: str
    texts: tuple[str, ...]


def currencies(table: Table) -> tuple[str, ...]:
    return tuple(table.currencies[code].name for code in table.limits)


def limit_lines(table: Table) -> Iterator[LimitLine]:
    """Yield a line for each group of bets with common limits, and one for the total stake."""
    for title, bet in _groups(table).items():
        yield _line(table, title, lambda code, bet=bet: table.limits_of(bet, code))  # type: ignore[misc]
    if table.table_limits:
        yield _line(table, "all your bets in a round", table.table_limits.get)


def _groups(table: Table) -> dict[str, Bet]:
    """Return a bet of each group by the group's title, starting with kinds that have their own limits."""
    bets = table.game.bets(table.rules)
    several = sum(bet.main for bet in bets) > 1
    found: dict[str, Bet] = {}
    for bet in sorted(bets, key=lambda bet: bet.kind not in table.kind_limits):
        found.setdefault(_title(table, bet, several=several), bet)
    return found


def _title(table: Table, bet: Bet, *, several: bool) -> str:
    if bet.kind in table.kind_limits:
        return bet.kind.replace("_", " ")
    if not bet.main:
        return "each side bet"
    if several:
        return "every other bet" if table.kind_limits else "each bet"
    return "the main bet of each box" if table.game.boxes(table.rules) > 1 else "the main bet"


def _line(table: Table, title: str, limits: Callable[[str], StakeLimits | None]) -> LimitLine:
    return LimitLine(title, tuple(_text(limits(code), table.currencies[code]) for code in table.limits))


def _text(limits: StakeLimits | None, currency: Currency) -> str:
    if limits is None:
        return "no limit"
    return f"{currency.text(limits.min_minor)} to {currency.text(limits.max_minor)}"
