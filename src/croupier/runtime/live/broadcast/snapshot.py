"""A live table at one moment, as those who look at it are told: once for each group that sees the same."""

from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import Any

import msgspec

from croupier.accounts.balances import CurrencyBalance
from croupier.play.contract.live import Path
from croupier.protocol.connection import encode_message
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
from croupier.runtime.live.broadcast.player_views import Part, Past, Place, mine
from croupier.runtime.live.broadcast.subscribers import Told
from croupier.runtime.live.prerendered import Ahead, returned_minor
from croupier.tables.live.effects import Settle, Void
from croupier.tables.live.phases import BETTING_PHASES, light
from croupier.tables.live.state import State, TablePlayer
from croupier.tables.live.statistics import group_shares
from croupier.tables.live.view import UNIT_MINOR, group, groups, shared_view

write = msgspec.json.Encoder().encode


class Scene:
    """`state` with the `places` of those who are at the table. What is the same for many is encoded once.

    `v` is the number of the last message to everybody: a viewer who misses one sees the gap.
    """

    def __init__(
        self,
        v: int,
        state: State,
        places: Mapping[str, Place],
    ) -> None:
        self.v = v
        self.state = state
        self._places = places
        self._seen: dict[Hashable, msgspec.Raw] = {}
        self.group: Callable[[str], Path] = partial(group, state)
        self._clock = clock_of(state)
        self._bets_open = state.phase in BETTING_PHASES
        self._seats = tuple([OccupiedSeat(seat, places[player].name) for seat, player in state.seats.items()])
        self._seats_of: dict[str, tuple[int, ...]] = {}
        for seat, player in state.seats.items():
            self._seats_of[player] = (*self._seats_of.get(player, ()), seat)

    def each(self, of_group: Callable[[Path], bytes]) -> Told:
        """What each group is told, said for everybody at once where all are one group."""
        first, *others = groups(self.state)
        return (lambda player: of_group(self.group(player))) if others else of_group(first)

    def seen_by(self, of: Any) -> msgspec.Raw:
        """The LiveState of a group."""
        if of not in self._seen:
            self._seen[of] = msgspec.Raw(write(self._state(of)))
        return self._seen[of]

    def _state(self, of: Any) -> LiveState:
        view: RoundView | None = shared_view(self.state, of)
        return LiveState(
            clock=self._clock,
            players=len(self.state.players),
            seats=self._seats,
            round=view,
            turn=self.state.turn,
            unit_minor=0 if self.state.setup.seats else UNIT_MINOR,
            statistics=self.statistics(of),
        )

    def statistics(self, of: Any) -> tuple[DecisionShare, ...]:
        every = group_shares(self.state, of)
        return tuple(DecisionShare(*share.at, share.action, share.chose, share.decided) for share in every)

    def mine(self, name: str, part: Part) -> PlayerState:
        seats = self._seats_of.get(name, ())
        return mine(self.player(name), seats, self._places[name], part, bets_open=self._bets_open)

    def player(self, name: str) -> TablePlayer:
        player = self.state.players.get(name)
        if player is None:  # he has left, and still looks on
            player = TablePlayer(name, next(iter(self.state.setup.table.limits)), "")
        return player

    def ahead(self, end: Settle | Void, past: Past, held: CurrencyBalance) -> Ahead:
        """What a player who has `held` is told once his round has ended so."""
        will = held.after(end.staked_minor, returned_minor(end))
        part = Part(past, self._places[end.player].at_maximum, will)
        return Ahead(past, end.currency, will, self.v, self.mine_now(part, end.player))

    # --- frames

    @property
    def _table(self) -> str:
        return self.state.setup.table.id

    def event(self, of: Any, did: tuple[RoundEvent, ...]) -> bytes:
        return encode_message(LiveUpdate(self._table, self.v, did, self.seen_by(of)))  # type: ignore[arg-type]

    def mine_now(self, part: Part, name: str) -> bytes:
        return encode_message(PlayerUpdate(self._table, self.v, self.state.round, self.mine(name, part)))

    def snapshot(self, part: Part, name: str, chat: tuple[ChatLine, ...]) -> bytes:
        state: Any = self.seen_by(self.group(name))
        return encode_message(LiveSnapshot(self._table, self.v, state, self.mine(name, part), chat))

    def pulse(self, of: Any) -> bytes:
        return encode_message(
            Pulse(self._table, self.state.round, len(self.state.players), self.statistics(of))
        )


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
            return state.deadline_ms + state.setup.waits.warning_ms
        case "warning":
            return state.deadline_ms
    return None
