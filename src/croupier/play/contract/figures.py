"""What a game knows exactly of a table's rules: the same records whatever the game."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from fractions import Fraction
from math import sqrt
from typing import NamedTuple, Protocol

from msgspec import Struct

from croupier.play.contract.odds import Odds

LOST = Fraction(-1)
"""The net result of a bet that is lost."""


class PlayFigures(NamedTuple):
    """A main bet under one way to play it, in initial stakes."""

    strategy: str
    """What the player decides by; the bet itself where nothing else is to be decided."""
    mean: float
    """Net result of a round."""
    stake_per_round: float
    """All that is staked in a round on average: 1 and what is added later."""
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
        """What the house keeps of an initial stake."""
        return -self.mean

    @property
    def element_of_risk(self) -> float:
        """What the house keeps of all that is staked."""
        return -self.mean / self.stake_per_round


class LineOdds(Struct, frozen=True):
    """One line of a paytable, or what comes back without having won (PUSH)."""

    outcome: str
    chance: Fraction
    pays: Odds

    @property
    def net(self) -> Fraction:
        """Of a stake of 1."""
        return Fraction(*self.pays)

    @property
    def returned(self) -> Fraction:
        """What the line adds to the return of the bet."""
        return self.chance * (1 + self.net)


class BetOdds(Struct, frozen=True):
    """A bet that nobody can play well or badly: all of its lines. Bets of a `kind` have much in common."""

    bet: str
    lines: tuple[LineOdds, ...]
    kind: str = ""

    @property
    def returned(self) -> Fraction:
        """Of a stake of 1."""
        return sum((line.returned for line in self.lines), Fraction(0))

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps of a stake of 1."""
        return 1 - self.returned

    @property
    def nets(self) -> dict[Fraction, Fraction]:
        """How likely each net result of a stake of 1 is, the lowest first; what is no line of it is lost."""
        found: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
        found[LOST] = 1 - sum((line.chance for line in self.lines), Fraction(0))
        for line in self.lines:
            found[line.net] += line.chance
        return {net: found[net] for net in sorted(found) if found[net]}

    @property
    def standard_deviation(self) -> float:
        """Of a coup's net result, in stakes."""
        mean = self.returned - 1
        return sqrt(sum(chance * (net - mean) ** 2 for net, chance in self.nets.items()))


def group_equal(bets: Iterable[BetOdds]) -> list[tuple[BetOdds, ...]]:
    """Bets of one kind that are as likely to pay the same are together, in the order of the first."""
    found: dict[Hashable, list[BetOdds]] = {}
    for odds in bets:
        alike = frozenset(Counter((line.chance, line.pays) for line in odds.lines).items())
        found.setdefault((odds.kind or odds.bet, alike), []).append(odds)
    return [tuple(group) for group in found.values()]


class ChartPart(NamedTuple):
    """Lines of a chart that belong together: `lines[hand]` has an action for each column."""

    name: str
    lines: dict[str, tuple[str, ...]]


class Chart(Struct, frozen=True):
    """How to play by totals. `letters` says in words what an action's letters stand for."""

    columns: tuple[str, ...]
    parts: tuple[ChartPart, ...]
    offers: dict[str, str]
    """What to answer to what is offered beside the cards."""
    letters: dict[str, str]
    played: PlayFigures
    text: str
    """As a chart file: what `--strategy FILE` reads."""


class Bar(NamedTuple):
    """A net result in initial stakes, and how likely it is."""

    net: float
    chance: float


class Opening(Struct, frozen=True):
    """Cards to decide on, as ranks: `A6` against `T`; and what each option nets, played on at its best."""

    hand: str
    dealer: str
    chance: float
    """Of these cards."""
    options: dict[str, float]

    @property
    def best(self) -> str:
        return max(self.options, key=lambda action: self.options[action])


class Figures(Protocol):
    """What the mathematics of one set of rules finds. Each part is worked out when it is first asked for."""

    @property
    def mean(self) -> float:
        """Net result of a round at its best, in initial stakes: sooner known than all of `best`."""
        ...

    @property
    def best(self) -> PlayFigures:
        """The main bet at its best, or the best of the main bets."""
        ...

    @property
    def chart(self) -> Chart | None:
        """The best chart by totals, and what it is worth; None where nobody decides anything."""
        ...

    @property
    def openings(self) -> tuple[Opening, ...]:
        """What every option is worth, before anything was decided; empty where nothing is."""
        ...

    @property
    def bets(self) -> tuple[BetOdds, ...]:
        """All bets that don't depend on how one plays."""
        ...

    @property
    def distribution(self) -> tuple[Bar, ...]:
        """Of the net result of `best`, the lowest first."""
        ...

    @property
    def busts(self) -> dict[str, float]:
        """How likely the dealer busts, by the card he shows; empty where a game has no such thing."""
        ...
