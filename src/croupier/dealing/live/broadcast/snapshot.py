"""A live table at one moment, as messages: encoded once for each group that sees the same."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from croupier.dealing.live.broadcast.player_views import PlayerRecord, PlayerView, player_state
from croupier.dealing.live.broadcast.subscribers import Messages
from croupier.play.contract.live import Path
from croupier.protocol.connection import encode_message
from croupier.protocol.encoding import fragment
from croupier.protocol.wire import (
    ChatLine,
    DecisionShare,
    LiveClock,
    LiveSnapshot,
    LiveState,
    LiveUpdate,
    OccupiedSeat,
    PlayerState,
    PlayerUpdate,
    Pulse,
    RoundEvent,
    RoundView,
)
from croupier.tables.live.phases import BETTING_PHASES, light
from croupier.tables.live.state import State, TablePlayer
from croupier.tables.live.statistics import group_shares
from croupier.tables.live.view import UNIT_MINOR, group, groups, shared_view


class Snapshot:
    """A live table's state at one public message, encoded for each player on request.

    `players` are the records of the players at it. `v` is the number of the last public message: a client
    that misses one notices the gap.
    """

    def __init__(self, v: int, state: State, players: Mapping[str, PlayerRecord]) -> None:
        self.v = v
        self.state = state
        self.group: Callable[[str], Path] = partial(group, state)
        self._players = players
        self._states: dict[Path, Any] = {}
        self._clock = clock_of(state)
        self._bets_open = state.phase in BETTING_PHASES
        self._seats = tuple([OccupiedSeat(seat, players[name].name) for seat, name in state.seats.items()])
        self._seats_of: dict[str, tuple[int, ...]] = {}
        for seat, name in state.seats.items():
            self._seats_of[name] = (*self._seats_of.get(name, ()), seat)

    def for_groups(self, message: Callable[[Path], bytes]) -> Messages:
        """Return what sends each group its message; the message itself if there is one group."""
        first, *others = groups(self.state)
        return (lambda player: message(self.group(player))) if others else message(first)

    def player(self, name: str) -> TablePlayer:
        """Return the machine's record of a player; an empty one for a player who only looks on."""
        player = self.state.players.get(name)
        return player or TablePlayer(name, next(iter(self.state.setup.table.limits)), "")

    # --- messages

    def event(self, group: Path, events: tuple[RoundEvent, ...]) -> bytes:
        return encode_message(LiveUpdate(self._table, self.v, events, self._live_state(group)))

    def pulse(self, group: Path) -> bytes:
        return encode_message(
            Pulse(self._table, self.state.round, len(self.state.players), self._statistics(group))
        )

    def personal(self, view: PlayerView, name: str) -> bytes:
        return encode_message(
            PlayerUpdate(self._table, self.v, self.state.round, self._player_state(view, name))
        )

    def full(self, view: PlayerView, name: str, chat: tuple[ChatLine, ...]) -> bytes:
        live = self._live_state(self.group(name))
        return encode_message(LiveSnapshot(self._table, self.v, live, self._player_state(view, name), chat))

    # --- their parts

    @property
    def _table(self) -> str:
        return self.state.setup.table.id

    def _live_state(self, group: Path) -> Any:
        """Return the encoded LiveState of a group."""
        if group not in self._states:
            view: RoundView | None = shared_view(self.state, group)
            self._states[group] = fragment(
                LiveState(
                    clock=self._clock,
                    players=len(self.state.players),
                    seats=self._seats,
                    round=view,
                    turn=self.state.turn,
                    unit_minor=0 if self.state.setup.seats else UNIT_MINOR,
                    statistics=self._statistics(group),
                )
            )
        return self._states[group]

    def _statistics(self, group: Path) -> tuple[DecisionShare, ...]:
        every = group_shares(self.state, group)
        return tuple(DecisionShare(*share.at, share.action, share.chose, share.decided) for share in every)

    def _player_state(self, view: PlayerView, name: str) -> PlayerState:
        seats, record = self._seats_of.get(name, ()), self._players[name]
        return player_state(self.player(name), seats, record, view, bets_open=self._bets_open)


def clock_of(state: State) -> LiveClock:
    return LiveClock(
        phase=state.phase,
        light=light(state.phase, state.paused),
        deadline_ms=state.deadline_ms,
        left_ms=state.left_ms,
        paused=state.paused,
        round=state.round,
        number=state.number,
        opened_ms=state.opened_ms,
        bets_close_ms=_bets_close_ms(state),
    )


def _bets_close_ms(state: State) -> int | None:
    if state.deadline_ms is None:
        return None
    match state.phase:
        case "betting":
            return state.deadline_ms + state.setup.timings.warning_ms
        case "warning":
            return state.deadline_ms
    return None
