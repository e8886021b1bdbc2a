"""One player's own table: commands in, commits, events out.

`tables.own` decides what happens, as a pure value. The table keeps the latest value, enters each change in
the ledger before it sends anything, and keeps events that a browser may have missed.
"""

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from croupier import clock
from croupier.config import UnfinishedRounds
from croupier.equipment.rng import OsRandomSource
from croupier.play.contract.bets import Wager
from croupier.play.contract.game import Table
from croupier.play.contract.wants import At, Choice
from croupier.play.driving.dealing import RoundStep
from croupier.protocol.wire import RoundEvent, ServerMessage, TableSnapshot, TableState, TableUpdate
from croupier.refusal import Refused
from croupier.runtime import round_entries, round_events
from croupier.runtime.players.play_limits import PlayLimits
from croupier.runtime.requests import RequestKey, carried_out
from croupier.runtime.table_services import TableServices
from croupier.tables.own import OwnRound, deal_opening, place_stakes

log = logging.getLogger(__name__)

EVENTS_KEPT = 200
NOT_FINISHED = "not finished in time"

Send = Callable[[ServerMessage], None]


class PlayerTable:
    """`v` starts at the clock, so that no version is ever given twice, also after a restart.

    `limits` says when a round may start.
    """

    def __init__(
        self,
        services: TableServices,
        player: str,
        table: Table,
        currency: str,
        limits: PlayLimits,
        played: OwnRound | None = None,
    ) -> None:
        self.table = table
        self.currency = currency
        self._ledger = services.ledger
        self._gateway = services.gateway
        self._players = services.players
        self._queries = services.queries
        self._seal = services.seal
        self._player = player
        self._round = played
        self._last: Sequence[Wager] = (
            played.wagers if played else self._queries.last_wagers(player, table.id, currency)
        )
        self._limits = limits
        self._v = clock.now_ms()
        self._events: deque[TableUpdate] = deque(maxlen=EVENTS_KEPT)
        self._turn = asyncio.Lock()
        self._send: Send | None = None
        self._leave: Callable[[], None] | None = None

    @property
    def in_play(self) -> bool:
        return self._round is not None and not self._round.ended

    # --- browsers

    def follow(self, send: Send, leave: Callable[[], None]) -> None:
        """This browser has the table now; the one that had it leaves (the same player elsewhere)."""
        if self._send is not None and self._send != send and self._leave is not None:
            self._leave()
        self._send, self._leave = send, leave

    @property
    def idle(self) -> bool:
        """Return whether no browser has the table open and no round or command is under way."""
        return self._send is None and not self.in_play and not self._turn.locked()

    def unfollow(self, send: Send) -> None:
        if self._send == send:
            self._send = self._leave = None

    def resume(self, seen: int) -> None:
        """Send what the browser missed since version `seen`, or a snapshot where that isn't known."""
        missed = [event for event in self._events if event.v > seen]
        known = seen == self._v or (bool(missed) and missed[0].v == seen + 1)
        for message in missed if known else [self.snapshot()]:
            self._tell(message)

    def snapshot(self) -> TableSnapshot:
        return TableSnapshot(self.table.id, self._v, self._state())

    def take_currency(self, currency: str) -> None:
        """Play in another currency, unless a round is open: that is finished first."""
        if currency not in self.table.limits:
            raise Refused("no_such_currency", currency=currency, allowed=", ".join(self.table.limits))
        if currency != self.currency and not self.in_play:
            self.currency, self._round = currency, None
            self._last = self._queries.last_wagers(self._player, self.table.id, currency)
            self._v += 1

    # --- play

    async def deal(self, request: RequestKey, wagers: Sequence[Wager]) -> None:
        """Start a round with these stakes, once for each request."""
        async with self._turn:
            if carried_out(self._ledger, request):
                return
            if self.in_play:
                raise Refused("round_open")
            now = clock.now_ms()
            with self._limits.starting_round(now):
                played = self._new_round(wagers, now)
                await self._gateway.post(
                    round_entries.deal_entries(self._player, request, played, self._seal)
                )
            self._last = played.wagers
            self._becomes(played, played.deal.steps)

    def _new_round(self, wagers: Sequence[Wager], now: int) -> OwnRound:
        round_id = f"r{now:012x}{secrets.token_hex(5)}"
        placed = place_stakes(round_id, self.table, self.currency, wagers, OsRandomSource(), now)
        return deal_opening(placed, self._queries.cash(self._player, self.currency))

    async def decide(self, request: RequestKey, round_id: str, to: At, choice: Choice, turn: int) -> None:
        """Answer the decision that the round waits for, once for each request.

        Refused where the player meant an earlier `turn`.
        """
        async with self._turn:
            if carried_out(self._ledger, request):
                return
            before = self._round
            if before is None or before.id != round_id or before.ended:
                raise Refused("round_ended", round=round_id)
            if turn != before.turn:
                raise Refused("not_your_turn", box=to.box, hand=to.hand)
            await self._decide(request, before, to, choice)

    async def _decide(self, request: RequestKey, before: OwnRound, to: At, choice: Choice) -> None:
        """Post what the player decided, or what the table decides where the balance doesn't cover it.

        The balance may be spent at another table between the look at it and the posting.
        """
        cash = self._queries.cash(self._player, self.currency)
        after = await self._played(before, lambda: before.decided(to, choice, cash))
        try:
            await self._post(request, before, after, choice)
        except Refused as refused:
            if refused.code != "not_covered" or self.table.game.live is None:
                raise
            after = await self._played(before, lambda: before.uncovered(to, choice))
            await self._post(request, before, after, choice)

    async def _post(self, request: RequestKey, before: OwnRound, after: OwnRound, asked: Choice) -> None:
        steps = after.steps_since(before)
        by = "low_balance" if steps[0].answer != asked else ""
        now = clock.now_ms()
        posted = round_entries.decision_entries(
            self._player, request.key, before, after, now, request=request.digest, by=by
        )
        await self._gateway.post(posted)
        self._becomes(after, steps, by)

    async def end_unfinished(self, dealt_until_ms: int, how: UnfinishedRounds) -> None:
        """A round that was dealt until then, and waits still, waits no more."""
        async with self._turn:
            before = self._round
            if before is None or before.ended or before.started_ms > dealt_until_ms:
                return
            if how == "refund" or before.table.game.live is None:
                await self._void(before, NOT_FINISHED)
            else:
                await self._play_out(before)

    async def _play_out(self, before: OwnRound) -> None:
        try:
            after = before.played_out()
        except Exception as bug:
            log.exception("round %s is void", before.id)
            await self._void(before, _malfunction(bug))
            return
        key = round_entries.played_out_key(before.id)
        await self._gateway.post(
            round_entries.decision_entries(self._player, key, before, after, clock.now_ms())
        )
        self._becomes(after, after.steps_since(before), "time_out")

    async def _played(self, before: OwnRound, play: Callable[[], OwnRound]) -> OwnRound:
        """The round played on; void where that fails."""
        try:
            return play()
        except Refused:
            raise
        except Exception as bug:
            log.exception("round %s is void", before.id)
            await self._void(before, _malfunction(bug))
            raise Refused("voided", round=before.id) from bug

    async def _void(self, played: OwnRound, reason: str) -> None:
        """The round is cancelled and every stake returned."""
        record = self._ledger.round(played.id)
        assert record is not None, "an open round is in the ledger"
        await self._gateway.post([round_entries.void_entry(record, clock.now_ms(), reason)])
        self._round = None
        self._publish((RoundEvent("voided"),))

    def _becomes(self, played: OwnRound, steps: Sequence[RoundStep], by: str = "") -> None:
        """`by` says who decided, where it isn't the player."""
        self._round = played
        self._publish(round_events.step_events(steps, played.table.labels, played.ended, by))

    # --- messages

    def _publish(self, did: tuple[RoundEvent, ...]) -> None:
        self._v += 1
        event = TableUpdate(self.table.id, self._v, did, self._state())
        self._events.append(event)
        self._tell(event)
        self._players.tell_balance(self._player, self.currency)

    def _tell(self, message: Any) -> None:
        if self._send is not None:
            self._send(message)

    def _state(self) -> TableState:
        cash = self._queries.cash(self._player, self.currency)
        return round_events.table_state(
            self.currency, self._round, self._last, cash, self._limits.next_start_ms
        )


def _malfunction(bug: Exception) -> str:
    """Why a round is void: a bug of ours."""
    return f"malfunction: {type(bug).__name__}"
