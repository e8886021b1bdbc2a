"""What a game's package offers to the rest of the house: its `GAME`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal, Protocol, Self

import msgspec

from croupier.play.contract.advice import GameAdvice
from croupier.play.contract.amounts import StakeLimits
from croupier.play.contract.bets import Bet, Settled, Wager
from croupier.play.contract.coverage import Coverage
from croupier.play.contract.figures import Figures
from croupier.play.contract.live import LiveGame
from croupier.play.contract.model import Model
from croupier.play.contract.observations import Observations
from croupier.play.contract.wants import Answer, Want
from croupier.play.tables.restrictions import Restrictions


class Round(Protocol):
    """An immutable value that asks. Every game's round has these."""

    def wants(self) -> tuple[Want, ...]:
        """What may be answered now, in the order a table asks; empty: the round has ended."""
        ...

    def answer(self, want: Want, answer: Answer) -> Self:
        """The next round; Refused, and nothing changed, when the answer isn't allowed."""
        ...

    def __hash__(self) -> int: ...

    @property
    def ended(self) -> bool: ...

    @property
    def staked_minor(self) -> int:
        """All that is at risk so far."""
        ...


Dealing = Literal["own", "live"]
"""`own`: the player's own table, dealt by the RNG, a fresh shoe each round; `live`: everybody's."""


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """A game is its rules record and the functions over it. `Any` is the game's own types."""

    name: str
    title: str
    rules: type[msgspec.Struct]
    variants: str
    """The text of the published tables' file."""
    help: str
    """The help page: a Jinja template in Markdown over `rules` and `table`."""
    labels: Mapping[str, str]
    """What bets and outcomes are called, by their names."""
    bets: Callable[[Any], tuple[Bet, ...]]
    check_wagers: Callable[[Any, Sequence[Wager]], None]
    """Refuses what no round can be opened with: all that `start` refuses."""
    start: Callable[[Any, Sequence[Wager]], Any]
    settle: Callable[[Any], tuple[Settled, ...]]
    view: type[msgspec.Struct]
    """What a viewer may see: the only form in which a round leaves the server."""
    show: Callable[[Any, int], msgspec.Struct]
    """The round and the viewer's balance as his view."""
    cloth: Callable[[Any], tuple[str, ...]]
    """What is printed on the cloth."""
    rule_errors: Callable[[Any, Dealing], Iterator[tuple[str, str]]]
    """Fields of a rules record that are right each but wrong together or so dealt, with what is allowed."""
    boxes: Callable[[Any], int]
    """Boxes that one player may open in a round."""
    decks: Callable[[Any], int]
    """Decks in a fresh shoe; 0: no cards are dealt."""
    start_word: str = "Deal"
    """What a player asks for after the bets: on the button that starts a round of their own."""
    model: Model | None = None
    """What the mathematics asks of the game; None: it is simulated otherwise."""
    figures: Callable[[Any], Figures] | None = None
    """What is known exactly of a rules record; loads arrays when called. None: nothing is."""
    published_figures: str = "{}"
    """The text of what is known exactly of the published tables: a `Known` by each id, in JSON."""
    coverage: Callable[[Any], Coverage | None] | None = None
    """The outcomes that each bet covers, where they can be counted; None: they can't."""
    observations: Observations | None = None
    """What a learning player senses; None: there is nothing to decide."""
    advice: GameAdvice | None = None
    """What a player may be told who asks how to decide; None: there is nothing to decide."""
    live: LiveGame | None = None
    """What a live table asks of the game; None: it is dealt at own tables only."""
    rank: int = 100
    """The place of its tables in the lobby: lowest first."""


Percent = Annotated[
    str, msgspec.Meta(pattern=r"^[0-9]+(\.[0-9]+)?$", description='a percentage such as "99.59"')
]


class PublishedReturn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A return that a table's rules publish: of which bet, in percent, and of what."""

    bet: str
    percent: Percent
    of: str


@dataclass(frozen=True)
class Table:
    """A table of the house: a game under one set of rules, with its limits.

    What every bet is held against is worked out once, though thousands bet in a round.
    """

    id: str
    title: str
    line: str
    game: Game
    rules: Any
    dealing: Dealing
    limits: Mapping[str, StakeLimits]
    side_limits: Mapping[str, StakeLimits]
    kind_limits: Mapping[str, Mapping[str, StakeLimits]]
    """By kind of bet, by currency: they go before the other two."""
    table_limits: Mapping[str, StakeLimits]
    """Of the whole of a player's bet in a round; a currency that isn't here has none."""
    restrictions: Restrictions
    wagering: str
    """Its wagering class; empty: nothing staked here counts towards a requirement."""
    label_overrides: Mapping[str, str]
    """What bets and outcomes are called here, where it isn't as in the game."""
    source: str
    rules_version: str
    rules_date: str
    published: tuple[PublishedReturn, ...]
    multi_play: bool
    """Whether a player may play here and at other tables at the same time."""

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """What bets and outcomes are called, by their names; most tables have no words of their own."""
        return {**self.game.labels, **self.label_overrides} if self.label_overrides else self.game.labels

    @cached_property
    def bets(self) -> Mapping[str, Bet]:
        """All that may be bet on, by name."""
        return {bet.name: bet for bet in self.game.bets(self.rules)}

    @cached_property
    def limits_in(self) -> Mapping[str, Mapping[str, StakeLimits]]:
        """By currency, the limits of each bet by its name."""
        return {
            currency: {name: self.limits_of(bet, currency) for name, bet in self.bets.items()}
            for currency in self.limits
        }

    def limits_of(self, bet: Bet, currency: str) -> StakeLimits:
        """The limits of one bet in a currency the table takes."""
        of_kind = self.kind_limits.get(bet.kind, {})
        return of_kind.get(currency) or (self.limits if bet.main else self.side_limits)[currency]

    def main_limits(self, currency: str) -> StakeLimits:
        """From the smallest stake on any main bet to the largest."""
        every = [self.limits_of(bet, currency) for bet in self.bets.values() if bet.main]
        return StakeLimits(min(least for least, _ in every), max(most for _, most in every))

    @cached_property
    def coverage(self) -> Coverage | None:
        """The outcomes that each bet covers, where they can be counted."""
        return self.game.coverage(self.rules) if self.game.coverage else None
