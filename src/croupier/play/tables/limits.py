"""Limits as written in table files, and checks against the table's bets."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta

from croupier.play.contract.amounts import Currency, StakeLimits
from croupier.play.contract.bets import Bet
from croupier.play.contract.game import Table
from croupier.play.tables.toml_blocks import InvalidField

LimitsText = Annotated[str, Meta(description='limits such as "0.50-500"')]
KindLimits = Annotated[
    dict[str, dict[str, LimitsText]],
    Meta(description='limits by kind of bet, such as { straight = { EUR = "0.50-100" } }'),
]


def read_limits(
    field: str, texts: Mapping[str, str], currencies: Mapping[str, Currency]
) -> dict[str, StakeLimits]:
    """Parse limits by currency; InvalidField for invalid ones, and for other currencies."""
    for code in texts:
        if code not in currencies:
            raise InvalidField(field, f"no currency {code!r}; allowed are: {', '.join(currencies)}")
    return {code: _read(field, currencies[code], text) for code, text in texts.items()}


def _read(field: str, currency: Currency, text: str) -> StakeLimits:
    code = currency.code
    minimum, dash, maximum = text.partition("-")
    try:
        limits = StakeLimits(currency.minor(minimum), currency.minor(maximum))
    except ValueError as error:
        raise InvalidField(field, f'{code}: {error}; write limits as "0.50-500"') from None
    if not (dash and 0 < limits.min_minor <= limits.max_minor):
        raise InvalidField(
            field, f'{code} = {text!r}: write the smallest and the largest stake as "0.50-500"'
        )
    return limits


def limit_errors(table: Table) -> Iterator[tuple[str, str]]:
    """Yield limits for bets or currencies the table doesn't have, or that exclude every single stake."""
    kinds = sorted({bet.kind for bet in table.game.bets(table.rules) if bet.kind})
    for kind, limits in table.kind_limits.items():
        if kind not in kinds:
            yield "kind_limits", f"no kind of bet {kind!r}; allowed are: {', '.join(kinds) or 'none'}"
        yield from _unknown_currencies("kind_limits", table, limits)
    yield from _unknown_currencies("side_limits", table, table.side_limits)
    yield from _unknown_currencies("table_limits", table, table.table_limits)
    yield from _table_limit_errors(table)
    yield from _unpaid_errors(table)


def _unpaid_errors(table: Table) -> Iterator[tuple[str, str]]:
    """Yield the bets of which a line wins nothing at the smallest stake, since winnings are rounded down."""
    for code in table.limits.keys() & table.currencies.keys():
        text = table.currencies[code].text
        for bet in table.bets.values():
            least_minor = table.limits_of(bet, code).min_minor
            needed_minor = _least_paid_minor(bet)
            if least_minor < needed_minor:
                why = f"{table.labels[bet.name]} wins nothing with a stake of {text(least_minor)}"
                allowed = f"allowed is: a minimum of {text(needed_minor)} or more"
                yield _field_of(table, bet, code), f"{code}: {why}; {allowed}"


def _least_paid_minor(bet: Bet) -> int:
    """Return the smallest stake that wins a unit on every line that pays."""
    paid = [pay.odds for pay in bet.pays if pay.odds.wins > 0]
    return max((-(-odds.staked // odds.wins) for odds in paid), default=0)


def _field_of(table: Table, bet: Bet, code: str) -> str:
    """Return the field that has a bet's limits."""
    if code in table.kind_limits.get(bet.kind, {}):
        return "kind_limits"
    inherited = bet.main or table.side_limits[code] == table.limits[code]
    return "limits" if inherited else "side_limits"


def _table_limit_errors(table: Table) -> Iterator[tuple[str, str]]:
    for code in table.limits.keys() & table.table_limits.keys():
        min_minor, whole = table.main_limits(code).min_minor, table.table_limits[code]
        if not whole.min_minor <= min_minor <= whole.max_minor:
            text = table.currencies[code].text(min_minor)
            yield "table_limits", f"{code}: allowed are: limits that a single stake of {text} is within"


def _unknown_currencies(
    field: str, table: Table, limits: Mapping[str, StakeLimits]
) -> Iterator[tuple[str, str]]:
    for code in limits:
        if code not in table.limits:
            yield field, f"the table takes no {code}; allowed are: {', '.join(table.limits)}"
