"""Exact figures of a table's rules: the same records for every game."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from fractions import Fraction
from math import sqrt
from typing import NamedTuple, Protocol

from msgspec import Struct

from croupier.play.contract.odds import Odds

LOST = Fraction(-1)
"""Net result of a lost bet."""


class PlayFigures(NamedTuple):
    """Figures of a main bet under one strategy, in initial stakes."""

    strategy: str
    """The strategy, or the bet in a game without decisions."""
    mean: float
    """Net result of a round."""
    stake_per_round: float
    """Average total stake of a round: 1 plus later raises."""
    standard_deviation: float
    """Of a round's net result."""

    @property
    def return_per_initial_stake(self) -> float:
        return 1 + self.mean

    @property
    def return_per_total_stake(self) -> float:
        return 1 + self.mean / self.stake_per_round

    @property
    def house_edge(self) -> float:
        """Expected loss as a share of the initial stake."""
        return -self.mean

    @property
    def element_of_risk(self) -> float:
        """Expected loss as a share of the total stake."""
        return -self.mean / self.stake_per_round


class LineOdds(Struct, frozen=True):
    """A line of a paytable, or PUSH for a stake that is returned."""

    outcome: str
    chance: Fraction
    pays: Odds

    @property
    def net(self) -> Fraction:
        """Net result of a stake of 1."""
        return Fraction(*self.pays)

    @property
    def returned(self) -> Fraction:
        """The line's share of the bet's return."""
        return self.chance * (1 + self.net)


class BetOdds(Struct, frozen=True):
    """All lines of a bet whose return doesn't depend on decisions."""

    bet: str
    lines: tuple[LineOdds, ...]
    kind: str = ""

    @property
    def returned(self) -> Fraction:
        """Return of a stake of 1."""
        return sum((line.returned for line in self.lines), Fraction(0))

    @property
    def house_edge(self) -> Fraction:
        """Expected loss of a stake of 1."""
        return 1 - self.returned

    @property
    def nets(self) -> dict[Fraction, Fraction]:
        """Chance of each net result of a stake of 1, lowest first; the remainder is lost."""
        found: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
        found[LOST] = 1 - sum((line.chance for line in self.lines), Fraction(0))
        for line in self.lines:
            found[line.net] += line.chance
        return {net: found[net] for net in sorted(found) if found[net]}

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of a coup's net result, in stakes."""
        mean = self.returned - 1
        return sqrt(sum(chance * (net - mean) ** 2 for net, chance in self.nets.items()))


def group_equal(bets: Iterable[BetOdds]) -> list[tuple[BetOdds, ...]]:
    """Group the bets of one kind that have equal chances and odds, in order of first occurrence."""
    found: dict[Hashable, list[BetOdds]] = {}
    for odds in bets:
        key = frozenset(Counter((line.chance, line.pays) for line in odds.lines).items())
        found.setdefault((odds.kind or odds.bet, key), []).append(odds)
    return [tuple(group) for group in found.values()]


class ChartPart(NamedTuple):
    """Related lines of a chart: `lines[hand]` has an action for each column."""

    name: str
    lines: dict[str, tuple[str, ...]]


class ChartAdvice(Struct, frozen=True):
    """Advice for the hands of a kind, as a sentence."""

    kind: str
    hands: str
    says: str


class Chart(Struct, frozen=True):
    """A chart of the best play. `letters` maps the letters of actions to words."""

    columns: tuple[str, ...]
    parts: tuple[ChartPart, ...]
    offers: dict[str, str]
    """Answer to each offer beside the cards."""
    letters: dict[str, str]
    played: PlayFigures
    text: str
    """The text of a chart file, as read by `--strategy FILE`."""
    advice: tuple[ChartAdvice, ...]
    """The chart in words, line by line."""


class Bar(NamedTuple):
    """A net result in initial stakes and its chance."""

    net: float
    chance: float


class Opening(Struct, frozen=True):
    """Cards to decide on, as ranks (`A6` against `T`), and the net result of each option with best play."""

    hand: str
    dealer: str
    chance: float
    """Chance of these cards."""
    options: dict[str, float]

    @property
    def best(self) -> str:
        return max(self.options, key=lambda action: self.options[action])


class ChanceTable(Struct, frozen=True):
    """Chances of one event in several cases, for a plot in the report."""

    title: str
    note: str
    plot_title: str
    axis: str
    """Label of the cases."""
    chances: dict[str, float]


class Figures(Protocol):
    """Exact figures of one set of rules. Each part is computed on first access."""

    @property
    def mean(self) -> float:
        """Net result of a round with the best play, in initial stakes; cheaper than `best`."""
        ...

    @property
    def best(self) -> PlayFigures:
        """Figures of the main bet with the best play, or of the best main bet."""
        ...

    @property
    def chart(self) -> Chart | None:
        """The best chart and its figures; None for a game without decisions."""
        ...

    @property
    def openings(self) -> tuple[Opening, ...]:
        """Net result of every option at the first decision; empty for a game without decisions."""
        ...

    @property
    def bets(self) -> tuple[BetOdds, ...]:
        """Odds of all bets whose return doesn't depend on decisions."""
        ...

    @property
    def distribution(self) -> tuple[Bar, ...]:
        """Distribution of the net result of `best`, lowest first."""
        ...

    @property
    def chance_tables(self) -> dict[str, ChanceTable]:
        """Further chances that the game's report shows, by name; empty for most games."""
        ...
