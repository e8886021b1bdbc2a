"""The actual return of a table beside its published one.

The expected return of a table isn't one number: it depends on which bets are made. It lies between the
lowest and the highest published return of the table's bets. Around it, the actual return varies by chance;
how much follows from the results themselves, so no stake or choice of bets has to be assumed.
"""

from collections.abc import Iterable
from math import sqrt
from typing import NamedTuple

from croupier.gateway.pages.rules import exact_figures
from croupier.ledger.reports import TableResult
from croupier.play.contract.game import Table
from croupier.protocol.staff_reports import PercentBand, ReturnVerdict

COUPS_MIN = 10_000
"""Coups before the variance is known well enough: a rare win, such as a triple, has come up 46 times."""
SIGMAS = 3.0
PLAY_PERCENT = 3.0
"""Allowance for players' decisions, in percent of the stakes: the published return is that of best play."""


class Comparison(NamedTuple):
    """The published range, the band in which the actual return is expected, and where it is."""

    published: PercentBand | None
    band: PercentBand | None
    verdict: ReturnVerdict


def published_range(table: Table) -> PercentBand | None:
    """Return the lowest and the highest published return of a table's bets, per total stake."""
    figures = exact_figures(table)
    if figures is None:
        return _range(float(each.percent) for each in table.published)
    played = [float(each.per_total_stake) for each in figures.returns]
    return _range([*played, *(float(bet.returned) for bet in figures.bets)])


def has_decisions(table: Table) -> bool:
    """Return whether the table's return depends on the players' decisions."""
    return table.game.advice is not None


def _range(percents: Iterable[float]) -> PercentBand | None:
    found = [*percents]
    return PercentBand(min(found), max(found)) if found else None


def compare(table: Table | None, of: TableResult) -> Comparison:
    """Compare what a table returned with its published return."""
    published = published_range(table) if table else None
    if table is None or published is None:
        return Comparison(None, None, "unpublished")
    if of.spread.coups < COUPS_MIN:
        return Comparison(published, None, "few")
    margin = SIGMAS * deviation_percent(of)
    allowed = PLAY_PERCENT if has_decisions(table) else 0.0
    band = PercentBand(published.low - allowed - margin, published.high + margin)
    return Comparison(published, band, _verdict(100 * of.returned_minor / of.staked_minor, band))


def _verdict(actual: float, band: PercentBand) -> ReturnVerdict:
    if actual > band.high:
        return "above"
    return "below" if actual < band.low else "within"


def deviation_percent(of: TableResult) -> float:
    """Return the standard deviation of the return, in percent of the stakes."""
    mean = (of.returned_minor - of.staked_minor) / of.staked_minor
    spread = of.spread
    squares = spread.net_squares - 2 * mean * spread.net_by_stake + mean**2 * spread.stake_squares
    return 100 * sqrt(max(squares, 0.0)) / of.staked_minor
