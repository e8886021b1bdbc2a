"""What a rules page tells of its table's mathematics: made beforehand, so that a house needs no arrays."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from msgspec import Struct

from croupier.play.contract.figures import BetOdds, Chart, Figures, PlayFigures, group_equal

SPOKEN = {"A": "an ace", "T": "10"}
"""Columns and hands of a chart that are said otherwise than they are written."""

SOFT = "s"
"""What the name of a column begins with that stands for a soft total."""


class Return(Struct, frozen=True):
    """Returns in percent, as they are printed."""

    strategy: str
    per_initial_stake: str
    per_total_stake: str


class ChartAdvice(Struct, frozen=True):
    """How to play hands of a kind: `hard`, `13 to 16`, `stand against 2 to 6; otherwise hit`."""

    kind: str
    hands: str
    says: str


class BetsReturn(Struct, frozen=True):
    """Bets of one kind that are as likely to pay the same; percents as they are printed."""

    bets: tuple[str, ...]
    kind: str
    returned: str
    house_edge: str


class PublishedFigures(Struct, frozen=True, omit_defaults=True):
    """Of one table."""

    returns: tuple[Return, ...] = ()
    """By the ways to play; empty where nobody decides anything."""
    advice: tuple[ChartAdvice, ...] = ()
    offers: dict[str, str] = {}
    """What to answer, yes or no, to what is offered beside the cards."""
    bets: tuple[BetsReturn, ...] = ()
    """Every bet that doesn't depend on how one plays."""


def publish(figures: Figures) -> PublishedFigures:
    """What is worth telling a player: what every bet returns, and the best chart line by line."""
    bets, chart = tuple(map(_bets, group_equal(figures.bets))), figures.chart
    if chart is None:
        return PublishedFigures(bets=bets)
    returns = (_return(figures.best), _return(chart.played))
    return PublishedFigures(returns, tuple(_advice(chart)), chart.offers, bets)


def _bets(alike: Sequence[BetOdds]) -> BetsReturn:
    names = tuple(odds.bet for odds in alike)
    return BetsReturn(names, alike[0].kind, _percent(alike[0].returned), _percent(alike[0].house_edge))


def _percent(part: Fraction) -> str:
    return f"{100 * float(part):.3f}"


def _return(played: PlayFigures) -> Return:
    per_initial, per_total = played.return_per_initial_stake, played.return_per_total_stake
    return Return(played.strategy, f"{100 * per_initial:.3f}", f"{100 * per_total:.3f}")


def _advice(chart: Chart) -> Iterator[ChartAdvice]:
    """Neighbouring lines that say the same are one."""
    for part in chart.parts:
        said = [(hand, _says(chart, line)) for hand, line in part.lines.items()]
        for says, group in groupby(said, key=lambda pair: pair[1]):
            yield ChartAdvice(part.name, _span([hand for hand, _ in group]), says)


def _says(chart: Chart, line: Sequence[str]) -> str:
    """What is done most often comes last, as what is done otherwise."""
    (most, _), *others = Counter(line).most_common()
    said = [f"{chart.letters[letters]} against {_against(chart, line, letters)}" for letters, _ in others]
    return "; ".join([*said, f"otherwise {chart.letters[most]}"]) if said else chart.letters[most]


def _against(chart: Chart, line: Sequence[str], letters: str) -> str:
    """Columns side by side are one span, but none reaches from hard totals to soft ones."""
    named = zip(chart.columns, line, strict=True)
    runs = groupby(named, key=lambda pair: (pair[1], pair[0].startswith(SOFT)))
    return ", ".join(_span([name for name, _ in run]) for (found, _), run in runs if found == letters)


def _span(names: Sequence[str]) -> str:
    first, last = _spoken(names[0]), _spoken(names[-1])
    return first if len(names) == 1 else f"{first} {'or' if len(names) == 2 else 'to'} {last}"


def _spoken(name: str) -> str:
    return SPOKEN.get(name, f"soft {name.removeprefix(SOFT)}" if name.startswith(SOFT) else name)
