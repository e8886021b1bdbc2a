"""The state of a live table, and a change of it under way."""

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
from croupier.tables.live.phases import Phase, follows, light
from croupier.tables.live.player_map import PlayerMap
from croupier.tables.live.round_play import RoundPlay, Wagers
from croupier.tables.live.setup import Setup

FIRST_CARD = DealCard(SHOE)
"""Of a fresh shoe: it is turned, and as many cards as it counts are burned."""
HoldKey = tuple[str, str, int]
"""Player, round and number."""


class CancelledHold(NamedTuple):
    currency: str
    amount_minor: int


class PendingHold(Struct, frozen=True, gc=False):
    """A hold that isn't answered yet, and what for: a bet, or a decision."""

    hold: int
    amount_minor: int
    bet: Wagers | None = None
    before: tuple[Wagers, ...] = ()
    at_maximum: tuple[str, ...] = ()
    decision: ResolvedDecision | None = None


class TablePlayer(Struct, frozen=True, gc=False):
    """`device` is empty while he is away; `gone`: he left, and isn't waited for."""

    name: str
    currency: str
    device: str
    gone: bool = False
    restricted: str = ""
    bet: Wagers = ()
    before: tuple[Wagers, ...] = ()
    """His bets of this round before the one that counts, for Undone."""
    held_minor: int = 0
    """All that is set aside for him in this round: bets, and what decisions cost."""
    holds: int = 0
    """The number of his last hold or release in this round."""
    asked: PendingHold | None = None
    decided: tuple[ResolvedDecision, ...] = ()
    """In the window that is open."""
    ahead: tuple[tuple[At, Choice], ...] = ()
    made: tuple[ResolvedDecision, ...] = ()
    """In the windows before."""


ChoiceCounts = Mapping[Hashable, Mapping[str, int]]
"""How many players in a situation decided for which action."""


class DecisionWindow(Struct, frozen=True):
    """An open window: `missing` decisions of all players aren't made yet; `over`: nobody is waited for."""

    missing: int
    over: bool = False
    chosen: ChoiceCounts = MappingProxyType({})


class Checkpoint(NamedTuple):
    """The play as it was when the last window closed, and what was dealt since: what may be corrected.

    No `play`: the first card of a fresh shoe, which may be until the bets on the first round are closed.
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
    """When the driver has to tick, if nothing comes before."""
    v: int = 0
    round: str = ""
    opened_ms: int = 0
    players: PlayerMap[TablePlayer] = PlayerMap()
    seats: Mapping[int, str] = field(default_factory=dict)
    pending: int = 0
    """Holds that aren't answered yet."""
    dropped: Mapping[HoldKey, CancelledHold] = field(default_factory=dict)
    """Holds that aren't answered yet and no longer needed."""
    play: RoundPlay | None = None
    wanted: str = ""
    """What who deals has been asked for, in words; empty: nothing."""
    asks: int = 0
    """The number of the last WantsCard."""
    window: DecisionWindow | None = None
    turn: int = 0
    """Counts in each round how often a window opened or closed, or its cards were corrected."""
    unchanged_since: Mapping[int, int] = MappingProxyType({})
    """At a table of seats: the turn from which on the hands of a box are as they are now; else 0."""
    cut: Checkpoint | None = None
    shoe: int = 0
    shoe_since_ms: int = 0
    """When it was taken into use; 0: no shoe was yet."""
    ready: frozenset[int] = frozenset()
    """Shoes that have been shuffled and not been dealt from."""
    cut_card: bool = False
    after_cut: int = 0
    """Rounds opened on this shoe since the one in which its cut card came out; void ones aren't counted."""
    burned: int = 0
    """Cards of this shoe that were burned, and nobody saw."""
    paused: str = ""
    left_ms: int | None = None
    """While paused: what was left of the deadline."""
    closing: bool = False
    next_setup: Setup | None = None

    @property
    def want(self) -> Want | None:
        """What who deals has been asked for; before a shoe's first round its first card may be."""
        if not self.wanted:
            return None
        if self.phase == "shuffling":
            return FIRST_CARD
        asking = self.play.asking if self.play else None
        return asking[1] if asking else None

    @property
    def number(self) -> str:
        """The game number, for people."""
        return game_number(self.opened_ms)


def new_table(setup: Setup) -> State:
    """A closed table. ValueError when its game isn't dealt live, or a wait is shorter than nothing."""
    setup.waits.check()
    return State(setup, UnseenCards.of(setup.cards.decks))


class Change(Struct, frozen=True):
    """A state on its way to the next, and what is to be done about it so far."""

    state: State
    effects: tuple[Effect, ...] = ()

    def put(self, **fields: Any) -> Self:
        return type(self)(replace(self.state, **fields), self.effects)

    def do(self, *effects: Effect) -> Self:
        return type(self)(self.state, (*self.effects, *effects))

    def tell(self, what: TableEvent) -> Self:
        """To everybody at the table."""
        v = self.state.v + 1
        return self.put(v=v).do(Broadcast(v, what))

    def player(self, player: TablePlayer, **fields: Any) -> Self:
        """With this record of a player in place of the one before, and with these fields."""
        return self.put(players=self.state.players.put(player.name, player), **fields)

    def wait(self, wait_ms: int | None) -> Self:
        """The deadline so far away; while the table is paused, it is kept for later. None: no deadline."""
        if self.state.paused:
            return self.put(left_ms=wait_ms, deadline_ms=None)
        return self.put(deadline_ms=None if wait_ms is None else self.state.now_ms + wait_ms)

    def next_turn(self, boxes: Iterable[int] = ()) -> Self:
        """What was decided until now answers nothing that is asked from now on of the hands of `boxes`."""
        turn = self.state.turn + 1
        return self.put(
            turn=turn, unchanged_since={**self.state.unchanged_since, **dict.fromkeys(boxes, turn)}
        )

    def enter(self, phase: Phase, wait_ms: int | None = None, **fields: Any) -> Self:
        """A phase begins; `wait_ms`: its length, None: it ends when it is done."""
        state = self.state
        assert follows(state.phase, phase), f"from {state.phase} to {phase}"
        after = self.put(phase=phase, wanted="", **fields).wait(wait_ms)
        return after.tell(phase_entered(after.state))


def phase_entered(state: State) -> PhaseEntered:
    """The phase, as everybody is told."""
    shown = light(state.phase, state.paused)
    return PhaseEntered(state.phase, shown, state.deadline_ms, state.round, state.number)
