"""The largest amount that a player's round at a table may return, checked against what can be settled."""

from collections.abc import Iterator

from croupier.play.contract.amounts import RETURN_MINOR_MAX
from croupier.play.contract.game import Table
from croupier.play.contract.largest_return import LargestStakes


def largest_return_minor(table: Table, currency: str) -> int:
    """Return the largest amount that a round may return: with all bets at their maximum, and all boxes."""
    *_, last = table.game.largest_returns(table.rules, _largest_stakes(table, currency))
    return last


def excessive_return_minor(table: Table, currency: str) -> int:
    """Return the largest amount if it is above RETURN_MINOR_MAX; otherwise 0, mostly without computing it."""
    bound = 0
    for bound in table.game.largest_returns(table.rules, _largest_stakes(table, currency)):
        if bound <= RETURN_MINOR_MAX:
            return 0
    return bound


def return_errors(table: Table) -> Iterator[tuple[str, str]]:
    """Yield the currencies in which a round may return more than can be settled, with the figure."""
    for code in table.limits:
        if largest_minor := excessive_return_minor(table, code):
            text = table.currencies[code].text
            largest, allowed = text(largest_minor), text(RETURN_MINOR_MAX)
            yield "limits", f"{code}: a round may return {largest}; allowed are: limits for {allowed} at most"


def _largest_stakes(table: Table, currency: str) -> LargestStakes:
    whole = table.table_limits.get(currency)
    largest = {bet: limits.max_minor for bet, limits in table.limits_in[currency].items()}
    return LargestStakes(largest, whole.max_minor if whole else None)
