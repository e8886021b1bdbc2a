"""The interface between a game's package and the rest of the program: its `GAME`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal, Protocol, Self

import msgspec

from croupier.play.contract.advice import GameAdvice
from croupier.play.contract.amounts import Currency, StakeLimits
from croupier.play.contract.bets import Bet, Settled, Wager
from croupier.play.contract.coverage import Coverage
from croupier.play.contract.figures import BetOdds, Figures
from croupier.play.contract.largest_return import LargestReturns
from croupier.play.contract.live import LiveGame
from croupier.play.contract.model import Model
from croupier.play.contract.observations import Observations
from croupier.play.contract.wants import Answer, Want
from croupier.play.tables.restrictions import Restrictions


class Round(Protocol):
    """An immutable round that asks for what it needs next. Every game's round has these members."""

    def wants(self) -> tuple[Want, ...]:
        """Return what may be answered now, in the order of play; empty once the round has ended."""
        ...

    def answer(self, want: Want, answer: Answer) -> Self:
        """Return the next round; Refused if the answer isn't allowed."""
        ...

    def __hash__(self) -> int: ...

    @property
    def ended(self) -> bool: ...

    @property
    def staked_minor(self) -> int:
        """The total amount at risk so far."""
        ...


Dealing = Literal["own", "live"]
"""`own`: a player's own table, dealt by the RNG from a fresh shoe each round; `live`: a shared table."""


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """A rules record and the functions over it. `Any` stands for the game's own types."""

    name: str
    title: str
    rules: type[msgspec.Struct]
    variants: str
    """The text of the file of published tables."""
    help: str
    """The rules page: a Jinja template in Markdown over `rules` and `table`."""
    labels: Mapping[str, str]
    """Labels of bets and outcomes, by name."""
    bets: Callable[[Any], tuple[Bet, ...]]
    check_wagers: Callable[[Any, Sequence[Wager]], None]
    """Refuse wagers that can't start a round: exactly those that `start` refuses."""
    start: Callable[[Any, Sequence[Wager]], Any]
    settle: Callable[[Any], tuple[Settled, ...]]
    largest_returns: LargestReturns
    view: type[msgspec.Struct]
    """The visible part of a round: the only form in which a round leaves the server."""
    show: Callable[[Any, int], msgspec.Struct]
    """Return the view of a round for a viewer with this balance."""
    cloth: Callable[[Any], tuple[str, ...]]
    """Return the lines printed on the cloth."""
    rule_errors: Callable[[Any, Dealing], Iterator[tuple[str, str]]]
    """Yield fields that don't go together or with the way of dealing, with what is allowed."""
    boxes: Callable[[Any], int]
    """Return the number of boxes that a player may open in a round."""
    decks: Callable[[Any], int]
    """Return the number of decks in a fresh shoe; 0 for a game without cards."""
    start_word: str = "Deal"
    """The label of the button that starts a round at an own table."""
    model: Model | None = None
    """The model for exact analysis and simulation; None if the game has none."""
    figures: Callable[[Any], Figures] | None = None
    """Return the exact figures of a rules record; loads numerical libraries. None if there are none."""
    bet_odds: Callable[[Any], tuple[BetOdds, ...]] | None = None
    """Return the odds of the bets without decisions, without numerical libraries; None: all bets are."""
    published_figures: str = "{}"
    """The figures of the published tables as JSON: `PublishedFigures` by table id."""
    coverage: Callable[[Any], Coverage | None] | None = None
    """Return the outcomes that each bet covers, or None if they can't be counted."""
    observations: Observations | None = None
    """Observations for learning agents; None for a game without decisions."""
    advice: GameAdvice | None = None
    """Advice for players; None for a game without decisions."""
    live: LiveGame | None = None
    """Support for live tables; None if the game has own tables only."""
    rank: int = 100
    """The position of its tables in the lobby, lowest first."""


Percent = Annotated[
    str, msgspec.Meta(pattern=r"^[0-9]+(\.[0-9]+)?$", description='a percentage such as "99.59"')
]


Day = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[0-9]{4}-((0[1-9]|1[0-2])-(0[1-9]|[12][0-9])|(0[13-9]|1[0-2])-30|(0[13578]|1[02])-31)$",
        description='a day such as "2026-11-21"',
    ),
]


class PublishedReturn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A return stated by a table's published rules: the bet, the percentage, and its basis."""

    bet: str
    percent: Percent
    of: str


class RulesVersion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A version of a table's rules; `changes` says what changed since the version before."""

    version: Annotated[str, msgspec.Meta(min_length=1, max_length=20)]
    date: Day
    changes: Annotated[str, msgspec.Meta(min_length=1, max_length=2_000)]


@dataclass(frozen=True)
class Table:
    """A game under one set of rules, with its limits.

    Everything that each bet is checked against is cached, since thousands may bet in one round.
    """

    id: str
    title: str
    line: str
    game: Game
    rules: Any
    dealing: Dealing
    currencies: Mapping[str, Currency]
    """The currencies of its limits, by code."""
    limits: Mapping[str, StakeLimits]
    side_limits: Mapping[str, StakeLimits]
    kind_limits: Mapping[str, Mapping[str, StakeLimits]]
    """By kind of bet, by currency; they take precedence over the other two."""
    table_limits: Mapping[str, StakeLimits]
    """Limits of a player's total bet in a round; none for other currencies."""
    restrictions: Restrictions
    wagering: str
    """Its wagering class; empty: stakes don't count towards requirements."""
    label_overrides: Mapping[str, str]
    """The table's own labels of bets and outcomes."""
    source: str
    rules_version: str
    rules_date: str
    rules_history: tuple[RulesVersion, ...]
    """Versions of the rules, newest first; empty: only the current one is known."""
    published: tuple[PublishedReturn, ...]
    allow_over_100: bool
    """True if a bet may return more than 100 %."""
    multi_play: bool
    """True if players may play here and at other tables at the same time."""

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """Labels of bets and outcomes, by name."""
        return {**self.game.labels, **self.label_overrides} if self.label_overrides else self.game.labels

    @cached_property
    def bets(self) -> Mapping[str, Bet]:
        """All bets by name."""
        return {bet.name: bet for bet in self.game.bets(self.rules)}

    @cached_property
    def limits_in(self) -> Mapping[str, Mapping[str, StakeLimits]]:
        """The limits of each bet, by currency and bet."""
        return {
            currency: {name: self.limits_of(bet, currency) for name, bet in self.bets.items()}
            for currency in self.limits
        }

    def limits_of(self, bet: Bet, currency: str) -> StakeLimits:
        """Return the limits of one bet in a currency of the table."""
        of_kind = self.kind_limits.get(bet.kind, {})
        return of_kind.get(currency) or (self.limits if bet.main else self.side_limits)[currency]

    def main_limits(self, currency: str) -> StakeLimits:
        """Return the smallest and the largest stake on any main bet."""
        every = [self.limits_of(bet, currency) for bet in self.bets.values() if bet.main]
        return StakeLimits(min(min_minor for min_minor, _ in every), max(max_minor for _, max_minor in every))

    @cached_property
    def coverage(self) -> Coverage | None:
        """The outcomes that each bet covers, or None if they can't be counted."""
        return self.game.coverage(self.rules) if self.game.coverage else None
