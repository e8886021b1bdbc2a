"""Precomputed returns for rules pages, so that a server needs no numerical libraries."""

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from croupier.play.contract.figures import BetOdds, ChartAdvice, Figures, PlayFigures, group_equal


class Return(Struct, frozen=True):
    """Returns in percent, as printed."""

    strategy: str
    per_initial_stake: str
    per_total_stake: str


class BetsReturn(Struct, frozen=True):
    """Return of the bets of one kind with equal chances and odds; percentages as printed."""

    bets: tuple[str, ...]
    kind: str
    returned: str
    house_edge: str


class PublishedFigures(Struct, frozen=True, omit_defaults=True):
    """Figures of one table."""

    returns: tuple[Return, ...] = ()
    """By strategy; empty for a game without decisions."""
    advice: tuple[ChartAdvice, ...] = ()
    offers: dict[str, str] = {}
    """Answer to each offer beside the cards: yes or no."""
    bets: tuple[BetsReturn, ...] = ()
    """Every bet whose return doesn't depend on the strategy."""


def publish(figures: Figures) -> PublishedFigures:
    """Return the return of every bet and, for a game with decisions, the best chart line by line."""
    bets, chart = tuple(map(_bets, group_equal(figures.bets))), figures.chart
    if chart is None:
        return PublishedFigures(bets=bets)
    returns = (_return(figures.best), _return(chart.played))
    return PublishedFigures(returns, chart.advice, chart.offers, bets)


def _bets(group: Sequence[BetOdds]) -> BetsReturn:
    names = tuple(odds.bet for odds in group)
    return BetsReturn(names, group[0].kind, _percent(group[0].returned), _percent(group[0].house_edge))


def _percent(part: Fraction) -> str:
    return f"{100 * float(part):.3f}"


def _return(played: PlayFigures) -> Return:
    per_initial, per_total = played.return_per_initial_stake, played.return_per_total_stake
    return Return(played.strategy, f"{100 * per_initial:.3f}", f"{100 * per_total:.3f}")
