"""One player's own table: commands in, commits, events out.

`tables.own` decides what happens, as a pure value. The table holds the latest value, posts each change to the
ledger before it sends anything, and keeps recent events for browsers that missed them.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from croupier import clock
from croupier.action_log import LogLocation
from croupier.cluster.table_leases import TableLeases
from croupier.config import UnfinishedRounds
from croupier.dealing.own.funding import Funding
from croupier.dealing.random_numbers import CountedRandomSource
from croupier.dealing.table_services import TableServices
from croupier.dealing.unsettled import describe, report_unsettled
from croupier.ledger.entries import Entry
from croupier.ledger.leases import Fence, LeaseLost
from croupier.ledger.protocol import DatabaseUnreachable, LedgerBroken
from croupier.play.contract.bets import Wager
from croupier.play.contract.game import Table
from croupier.play.contract.wants import At, Choice
from croupier.play.driving.dealing import RoundStep
from croupier.players.play_limits import PlayLimits
from croupier.players.queries import NO_ROUND, PreviousRound
from croupier.protocol.wire import RoundEvent, ServerMessage, TableSnapshot, TableState, TableUpdate
from croupier.refusal import Refused
from croupier.rounds import round_entries, round_events
from croupier.rounds.ids import new_round_id
from croupier.rounds.requests import RequestKey, was_executed
from croupier.tables.own import OwnRound, deal_opening, place_stakes

log = logging.getLogger(__name__)

EVENTS_KEPT = 200
NOT_FINISHED = "not finished in time"

Send = Callable[[ServerMessage], None]


class PlayerTable:
    """A player's own table. `limits` decides when a round may start.

    Versions start at the present time, so that none is used twice, even after a restart.
    """

    def __init__(
        self,
        services: TableServices,
        player: str,
        table: Table,
        currency: str,
        limits: PlayLimits,
        last: PreviousRound = NO_ROUND,
        played: OwnRound | None = None,
    ) -> None:
        self.table = table
        self.currency = currency
        self._ledger = services.ledger
        self._gateway = services.gateway
        self._fence: Fence | None = None
        self._funding_in = services.funding
        self._bonuses = services.bonuses
        self._players = services.players
        self._queries = services.queries
        self._measurements = services.measurements
        self._seal = services.seal
        self._player = player
        self._round = played
        self._after = played.id if played else last.id
        """The id of the last round here, which identifies the turn that the next deal answers."""
        self._last: Sequence[Wager] = played.wagers if played else last.wagers
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
        """Send to this browser from now on; make the one that had the table open leave it."""
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
        """Send the updates since version `seen`, or a snapshot if they are no longer known."""
        missed = [event for event in self._events if event.v > seen]
        known = seen == self._v or (bool(missed) and missed[0].v == seen + 1)
        for message in missed if known else [self.snapshot()]:
            self._send_message(message)

    def snapshot(self) -> TableSnapshot:
        return TableSnapshot(self.table.id, self._v, self._state())

    async def change_currency(self, currency: str) -> None:
        """Play in another currency, unless a round is open, which has to be finished first."""
        if currency not in self.table.limits:
            raise Refused("no_such_currency", currency=currency, allowed=", ".join(self.table.limits))
        if currency == self.currency or self.in_play:
            return
        last = await self._read_last(currency)
        if not self.in_play:
            self.currency, self._round, self._last = currency, None, last.wagers
            self._v += 1

    async def _read_last(self, currency: str) -> PreviousRound:
        query = self._queries.last_round
        return await self._gateway.read(query, self._player, self.table.id, currency)

    # --- other processes

    async def take_over(self, leases: TableLeases, restore: Callable[[], Awaitable[OwnRound | None]]) -> None:
        """Take the table over from other processes, and `restore` its round, unless nobody else had it."""
        async with self._turn:
            if self._fence and await leases.holds(self._fence):
                return
            fence = await leases.seize(self._player, self.table.id)
            played = await restore()
            last = PreviousRound(played.id, played.wagers) if played else await self._read_last(self.currency)
            self.currency = played.currency if played else self.currency
            self._after, self._last = last
            self._fence = fence  # only now: what can't be read is read again
            self._gateway = self._gateway.fenced(fence)
            self._round = played
            self._events.clear()
            self._v = max(self._v + 1, clock.now_ms())

    async def check_owner(self, leases: TableLeases) -> None:
        """Close the table in its browser if another process has taken it over."""
        if self._fence and not await leases.holds(self._fence):
            self._lose()

    def _lose(self) -> None:
        leave, self._send, self._leave, self._round = self._leave, None, None, None
        if leave:
            leave()

    async def _commit(self, posted: Sequence[Entry]) -> None:
        """Post the entries of a round; refuse `not_joined` if another process has the table."""
        try:
            await self._funding.post(self._player, posted, self._gateway)
        except LeaseLost as error:
            self._lose()
            raise Refused("not_joined", table=self.table.id) from error
        except Refused as refused:
            if refused.code == "key_reused":
                raise Refused("key_reused", req=posted[0].key.partition(":")[2]) from refused
            raise
        except (LedgerBroken, DatabaseUnreachable):
            raise
        except Exception as error:
            await self._report_unsettled(posted, error)
            raise

    async def _report_unsettled(self, posted: Sequence[Entry], error: Exception) -> None:
        """Raise the alarm if a settlement couldn't be posted: nothing of it is in the ledger or shown."""
        for entry in posted:
            if entry.kind == "settle":
                staked, returned = entry.moved("in_play", "table"), entry.moved("table", "cash")
                details = {
                    "error": describe(error),
                    "player": entry.player,
                    "staked_returned": f"{self.currency} {staked} {returned}",
                }
                location = LogLocation(self.table.id, entry.round)
                await report_unsettled(self._gateway, self._measurements, location, details)

    # --- play

    async def deal(self, request: RequestKey, wagers: Sequence[Wager], after: str | None = None) -> None:
        """Start a round with these stakes, once for each request; Refused if `after` isn't the last round.

        A deal after the last round is new: carried out, it would have been followed by its own round. Others
        are looked for in the journal.
        """
        async with self._turn:
            if self.in_play or after != self._after:
                if await self._is_repeat(request):
                    return
                if self.in_play:
                    raise Refused("round_open")
                if after is not None:
                    raise Refused("dealt_already", table=self.table.id)
            now = clock.now_ms()
            with self._limits.starting_round(now):
                played = self._new_round(wagers, now)
                await self._commit(round_entries.deal_entries(self._player, request, played, self._seal))
            self._measurements.wagers[self.table.id, "placed"] += 1
            self._after, self._last = played.id, played.wagers
            self._set_round(played, played.deal.steps)

    async def _is_repeat(self, request: RequestKey) -> bool:
        return was_executed(await self._gateway.read(self._ledger.entry, request.key), request)

    def _new_round(self, wagers: Sequence[Wager], now: int) -> OwnRound:
        round_id = new_round_id(now)
        source = CountedRandomSource(self._measurements)
        placed = place_stakes(round_id, self.table, self.currency, wagers, source, now)
        return deal_opening(placed, self._stakable_minor)

    @property
    def _funding(self) -> Funding:
        """The source of stakes in the present currency."""
        return self._funding_in(self.currency)

    @property
    def _stakable_minor(self) -> int:
        return self._funding.stakable_minor(self._player, self.currency, self.table.id)

    @property
    def _funds_minor(self) -> int:
        return self._funding.funds_minor(self._player, self.currency, self.table.id)

    async def decide(self, request: RequestKey, round_id: str, to: At, choice: Choice, turn: int) -> None:
        """Answer the open decision, once for each request; Refused if it was for an earlier `turn`.

        A decision of the present turn is new: carried out, it would have ended that turn.
        """
        async with self._turn:
            before = self._round
            is_open = before is not None and before.id == round_id and not before.ended
            if is_open and before is not None and turn == before.turn:
                await self._decide(request, before, to, choice)
            elif not await self._is_repeat(request):
                if is_open:
                    raise Refused("not_your_turn", box=to.box, hand=to.hand)
                raise Refused("round_ended", round=round_id)

    async def _decide(self, request: RequestKey, before: OwnRound, to: At, choice: Choice) -> None:
        """Post the player's decision, or the table's if the balance doesn't cover it.

        The balance may be spent at another table between reading it and posting.
        """
        stakable = self._stakable_minor
        after = await self._played_or_void(before, lambda: before.after_decision(to, choice, stakable))
        try:
            await self._post(request, before, after, choice)
        except Refused as refused:
            if refused.code != "not_covered" or self.table.game.live is None:
                raise
            after = await self._played_or_void(before, lambda: before.after_uncovered(to, choice))
            await self._post(request, before, after, choice)

    async def _post(self, request: RequestKey, before: OwnRound, after: OwnRound, requested: Choice) -> None:
        steps = after.steps_since(before)
        by = "low_balance" if steps[0].answer != requested else ""
        now = clock.now_ms()
        posted = round_entries.decision_entries(
            self._player, request.key, before, after, now, request=request.digest, by=by
        )
        await self._commit(posted)
        self._set_round(after, steps, by)

    async def end_unfinished(self, dealt_until_ms: int, how: UnfinishedRounds) -> None:
        """End an open round that was dealt by then, as configured."""
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
            log.exception(
                "round %s (%s) is void",
                before.id,
                before.number,
                extra={"round": before.id, "number": before.number},
            )
            await self._void(before, _malfunction(bug))
            return
        key = round_entries.played_out_key(before.id)
        await self._commit(round_entries.decision_entries(self._player, key, before, after, clock.now_ms()))
        self._set_round(after, after.steps_since(before), "time_out")

    async def _played_or_void(self, before: OwnRound, play: Callable[[], OwnRound]) -> OwnRound:
        """Return the round after `play`; void it if that fails."""
        try:
            return play()
        except Refused:
            raise
        except Exception as bug:
            log.exception(
                "round %s (%s) is void",
                before.id,
                before.number,
                extra={"round": before.id, "number": before.number},
            )
            await self._void(before, _malfunction(bug))
            raise Refused("voided", round=before.id) from bug

    async def _void(self, played: OwnRound, reason: str) -> None:
        """Void the round, which returns every stake."""
        record = await self._gateway.read(self._ledger.round, played.id)
        assert record is not None, "an open round is in the ledger"
        void = round_entries.void_entry(record, clock.now_ms(), reason)
        await self._commit([void])
        self._round = None
        self._publish((RoundEvent("voided"),))

    def _set_round(self, played: OwnRound, steps: Sequence[RoundStep], by: str = "") -> None:
        """Hold the new state and send it. `by` is the origin of the decision, if it isn't the player."""
        self._round = played
        self._publish(round_events.step_events(steps, played.table.labels, played.ended, by))

    # --- messages

    def _publish(self, did: tuple[RoundEvent, ...]) -> None:
        self._v += 1
        event = TableUpdate(self.table.id, self._v, did, self._state())
        self._events.append(event)
        self._send_message(event)
        self._players.send_balance(self._player, self.currency)
        self._bonuses.send(self._player, self.currency)

    def _send_message(self, message: Any) -> None:
        if self._send is not None:
            self._send(message)

    def _state(self) -> TableState:
        return round_events.table_state(
            self.currency,
            self._round,
            self._last,
            self._funds_minor,
            self._limits.next_start_ms,
            self._after,
        )


def _malfunction(bug: Exception) -> str:
    """Return the reason of a round that is void because of a bug."""
    return f"malfunction: {type(bug).__name__}"
