"""The state of a live table, and the change that a step makes to it."""

from collections.abc import Hashable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from msgspec import Struct, field
from msgspec.structs import replace

from croupier.equipment.shoe import UnseenCards
from croupier.play.contract.wants import SHOE, At, Choice, DealCard, Want
from croupier.tables.game_number import game_number
from croupier.tables.live.effects import Broadcast, Effect
from croupier.tables.live.notices import PhaseEntered, ResolvedDecision, TableEvent
from croupier.tables.live.phases import Phase, is_allowed, light
from croupier.tables.live.player_map import PlayerMap
from croupier.tables.live.round_play import RoundPlay, Wagers
from croupier.tables.live.setup import Setup

FIRST_CARD = DealCard(SHOE)
"""The first card of a fresh shoe, which is turned up; as many cards as its value are burned."""
HoldKey = tuple[str, str, int]
"""The player, the round and the number of a hold."""


class CancelledHold(NamedTuple):
    currency: str
    amount_minor: int


class PendingHold(Struct, frozen=True, gc=False):
    """An unanswered hold and its purpose: a bet or a decision."""

    hold: int
    amount_minor: int
    bet: Wagers | None = None
    earlier_bets: tuple[Wagers, ...] = ()
    at_maximum: tuple[str, ...] = ()
    decision: ResolvedDecision | None = None


class TablePlayer(Struct, frozen=True, gc=False):
    name: str
    currency: str
    device: str
    """Empty while the player is disconnected."""
    left: bool = False
    """The player left: the table decides for them without waiting."""
    restricted: str = ""
    bet: Wagers = ()
    earlier_bets: tuple[Wagers, ...] = ()
    """The bets of this round before `bet`, for Undone."""
    held_minor: int = 0
    """The total held in this round, for bets and decisions."""
    holds: int = 0
    """The number of the last hold or release in this round."""
    pending_hold: PendingHold | None = None
    decisions: tuple[ResolvedDecision, ...] = ()
    """Decisions in the open window."""
    ahead: tuple[tuple[At, Choice], ...] = ()
    """Choices for hands whose turn hasn't come."""
    earlier_decisions: tuple[ResolvedDecision, ...] = ()
    """Decisions in this round's earlier windows."""


ChoiceCounts = Mapping[Hashable, Mapping[str, int]]
"""By situation, the number of players who chose each action."""


class DecisionWindow(Struct, frozen=True):
    missing: int
    """The number of decisions still to be made, by all players together."""
    timed_out: bool = False
    choice_counts: ChoiceCounts = MappingProxyType({})


class RoundCheckpoint(NamedTuple):
    """The play when the last window closed, and the answers since: the part of a round that can be corrected.

    Without a `play`: the first card of a fresh shoe, until the bets of its first round are closed.
    """

    play: RoundPlay | None
    unseen: UnseenCards
    dealt: tuple[str, ...] = ()


class State(Struct, frozen=True):
    setup: Setup
    unseen: UnseenCards
    phase: Phase = "closed"
    now_ms: int = 0
    """The time of the last input."""
    deadline_ms: int | None = None
    """The time at which the driver must tick, unless another input comes first."""
    v: int = 0
    """The number of the last Broadcast."""
    round: str = ""
    opened_ms: int = 0
    players: PlayerMap[TablePlayer] = PlayerMap()
    seats: Mapping[int, str] = field(default_factory=dict)
    pending_holds: int = 0
    cancelled_holds: Mapping[HoldKey, CancelledHold] = field(default_factory=dict)
    """Unanswered holds that are no longer needed."""
    play: RoundPlay | None = None
    wanted: str = ""
    """The open request to the dealer, in words; empty: none."""
    ask: int = 0
    """The number of the last RequestCard."""
    window: DecisionWindow | None = None
    turn: int = 0
    """The number of times in this round that a window opened or closed, or its cards were corrected."""
    unchanged_since: Mapping[int, int] = MappingProxyType({})
    """At a table of seats: by box, the turn since which its hands are unchanged; default 0."""
    checkpoint: RoundCheckpoint | None = None
    shoe: int = 0
    shoe_since_ms: int = 0
    """The time at which the shoe was taken into use; 0: none was yet."""
    ready_shoes: frozenset[int] = frozenset()
    """Shoes that are shuffled and not in use."""
    cut_card: bool = False
    """True if the cut card of this shoe is out."""
    after_cut: int = 0
    """Rounds opened on this shoe after the one in which its cut card came out, without void ones."""
    burned: int = 0
    """Cards of this shoe that were burned face down."""
    paused: str = ""
    """The reason of the pause; empty while the table isn't paused."""
    left_ms: int | None = None
    """While paused: the time left until the deadline."""
    closing: bool = False
    """True if the table closes at the end of the round."""
    next_setup: Setup | None = None

    @property
    def want(self) -> Want | None:
        """The open request to the dealer."""
        if not self.wanted:
            return None
        if self.phase == "shuffling":
            return FIRST_CARD
        following = self.play.next_want if self.play else None
        return following[1] if following else None

    @property
    def waits_for_holds(self) -> bool:
        """True if the time of the bets or decisions is up, and only unanswered holds delay the round."""
        timed_out = self.phase == "no_more_bets" or (self.window is not None and self.window.timed_out)
        return timed_out and self.pending_holds > 0

    @property
    def number(self) -> str:
        return game_number(self.round) if self.round else ""


def new_table(setup: Setup) -> State:
    """Return a closed table; ValueError when its game isn't dealt live or a timing is out of range."""
    setup.timings.check()
    return State(setup, UnseenCards.of(setup.cards.decks))


class Change(Struct, frozen=True):
    """The state and the effects of a step so far."""

    state: State
    effects: tuple[Effect, ...] = ()

    def put(self, **fields: Any) -> Self:
        """Replace fields of the state."""
        return type(self)(replace(self.state, **fields), self.effects)

    def emit(self, *effects: Effect) -> Self:
        return type(self)(self.state, (*self.effects, *effects))

    def broadcast(self, event: TableEvent) -> Self:
        v = self.state.v + 1
        return self.put(v=v).emit(Broadcast(v, event))

    def put_player(self, player: TablePlayer, **fields: Any) -> Self:
        """Replace a player, and fields of the state."""
        return self.put(players=self.state.players.put(player.name, player), **fields)

    def wait(self, wait_ms: int | None) -> Self:
        """Set the deadline this far ahead, or the time left while the table is paused; None: no deadline."""
        if self.state.paused:
            return self.put(left_ms=wait_ms, deadline_ms=None)
        return self.put(deadline_ms=None if wait_ms is None else self.state.now_ms + wait_ms)

    def advance_turn(self, boxes: Iterable[int] = ()) -> Self:
        """Start a new turn: earlier answers no longer count for the hands of `boxes`."""
        turn = self.state.turn + 1
        return self.put(
            turn=turn, unchanged_since={**self.state.unchanged_since, **dict.fromkeys(boxes, turn)}
        )

    def enter(self, phase: Phase, wait_ms: int | None = None, **fields: Any) -> Self:
        """Begin a phase of length `wait_ms`; None: it has no time limit."""
        state = self.state
        assert is_allowed(state.phase, phase), f"from {state.phase} to {phase}"
        after = self.put(phase=phase, wanted="", **fields).wait(wait_ms)
        return after.broadcast(phase_entered(after.state))


def phase_entered(state: State) -> PhaseEntered:
    """Return the event that announces the current phase."""
    shown = light(state.phase, state.paused)
    return PhaseEntered(state.phase, shown, state.deadline_ms, state.round, state.number)
