"""A live table: it drives the pure machine.

Inputs wait in a queue; those that wait together are stepped together. What the steps cost is committed to the
ledger at once. Then the steps are published, and what they request of the dealer is requested. The ledger's
answers to holds are stepped next, and so on until nothing is left to do.
"""

import asyncio
import dataclasses
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from time import perf_counter
from typing import Any

from msgspec.structs import replace

from croupier import clock, tracing
from croupier.cluster.table_lease import TableLease
from croupier.config import LiveTableConfig
from croupier.dealing.live import malfunctions
from croupier.dealing.live.broadcast.broadcaster import Broadcaster
from croupier.dealing.live.broadcast.prerendered import NONE_PRERENDERED, Prerendered
from croupier.dealing.live.chat.room import ChatRoom
from croupier.dealing.live.deadline_timer import DeadlineTimer, due_or_now
from croupier.dealing.live.input_queue import InputQueue, OnDone, QueuedInput, resolving
from croupier.dealing.live.money.results import RecentResults
from croupier.dealing.live.money.round_recording import RoundRecording
from croupier.dealing.live.money.table_money import HoldAnswers, TableMoney
from croupier.dealing.live.round_trace import RoundTrace
from croupier.dealing.live.speculation.interface import Speculate
from croupier.dealing.live.steps import TableStep, take_step, take_steps
from croupier.dealing.live.table_shoes import TableShoes
from croupier.dealing.table_services import TableServices
from croupier.ledger.entries import Ticket
from croupier.ledger.leases import LeaseLost
from croupier.ledger.protocol import LedgerBroken
from croupier.play.contract.game import Table
from croupier.refusal import Refused
from croupier.rounds.ids import new_round_id
from croupier.tables.live import Setup, new_table
from croupier.tables.live.effects import Effect, RequestCard, RequestRound, RequestShuffle
from croupier.tables.live.inputs import AnyInput, Dealt, Delayed, Paused, RoundNamed, Shuffled, Ticked, Voided
from croupier.tables.live.setup import DealtBy
from croupier.tables.live.state import HoldKey

log = logging.getLogger(__name__)

BATCH_S = 0.002
"""Minimum interval between batches that need a commit, which costs much the same for one bet as for 40."""
DELAY_MS_MIN = 1000  # a slow disk causes shorter delays
_REQUESTS = {RequestRound, RequestShuffle, RequestCard}
Refusals = dict[HoldKey | None, Refused]  # refused holds


class LiveTable:
    """A live table that this process runs. `state` is durable and published."""

    def __init__(
        self,
        services: TableServices,
        setup: Setup,
        running: LiveTableConfig,
        chat: ChatRoom,
        speculate: Speculate,
        lease: TableLease,
        results: RecentResults,
    ) -> None:
        services = dataclasses.replace(services, gateway=services.gateway.fenced(lease.fence))
        self.state = replace(new_table(setup), v=clock.now_ms())
        self.dealer: DealtBy = running.dealer
        self.results = results
        self.chat = chat
        self.broadcaster = Broadcaster(self.state, chat, services.balances, services.players)
        self._gateway = services.gateway
        self._queries = services.queries
        self._measurements = services.measurements
        self._running = running
        self._money = TableMoney(services, setup.table.id, lambda: self.submit(Ticked()))
        self._speculation = speculate(self.broadcaster, self._money, services.ledger, lambda: self.state)
        self._shoes = TableShoes(services, setup.table.id, setup.cards)
        self._queue = InputQueue()
        self.lease = lease
        lease.start(self._queue.wake)
        self._recording = RoundRecording(setup.table.id)
        self._timer = DeadlineTimer(
            lambda: self.state.deadline_ms, lambda due_ms: self.submit(Ticked(), due_ms=due_ms)
        )
        self._watchers: list[Callable[[], None]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False
        self.is_lost = False
        """True once another process runs this table."""
        self._trace = RoundTrace(setup.table.id)
        if tracing.is_on():
            self.watch(lambda: self._trace.follow(self.state))
        self._start(self._run())

    @property
    def table(self) -> Table:
        """The table with its present limits."""
        return self.state.setup.table

    @property
    def is_closing(self) -> bool:
        """True if inputs are refused because the server stops."""
        return self._closing

    def name_of(self, player: str) -> str:
        """Return a player's name as others see it."""
        return self.broadcaster.players[player].name

    def open_round(self, player: str) -> Ticket | None:
        """Return the player's round here that is open in the ledger."""
        return self._money.open.get(player)

    def stakes_of(self, player: str) -> int:
        """Return the player's stake in this round, in smallest units."""
        known = self.state.players.get(player)
        return known.held_minor if known else 0

    async def register(self, player: str, name: str, currency: str) -> None:
        """Keep a record of a player, with their last bet at this table for Rebet."""
        record = self.broadcaster.register(player, name)
        if not record.history.bet and self._gateway.may_have_staked(player, currency):
            bet = await self._gateway.read(self._queries.last_wagers, player, self.table.id, currency)
            record.history = record.history._replace(bet=record.history.bet or bet)

    # --- inputs

    async def execute(self, given: AnyInput, round_: str = "") -> None:
        """Carry out an input; return when it is durable. Refused as `submit` or the machine refuses it."""
        done = asyncio.get_running_loop().create_future()
        self.submit(given, resolving(done), round_)
        await done

    def submit(
        self, given: AnyInput, on_done: OnDone | None = None, round_: str = "", due_ms: int | None = None
    ) -> None:
        """Queue an input, which counts from `due_ms`, or from now.

        It is refused in any other round than `round_`, if there is one.
        """
        queued = QueuedInput(given, clock.now_ms() if due_ms is None else due_ms, round_, on_done)
        if self._closing:
            queued.answer(Refused("server_unavailable"))
            return
        deadline_ms = self.state.deadline_ms
        self._queue.put(queued, may_replace=deadline_ms is None or queued.at_ms < deadline_ms)

    def watch(self, call: Callable[[], None]) -> Callable[[], None]:
        """`call` after every change; return a function that ends it."""
        self._watchers.append(call)
        return lambda: self._watchers.remove(call)

    def set_dealer(self, dealer: DealtBy) -> None:
        """Change the dealer; refuse `table_open` unless the table is closed, as the shoes change too."""
        if self.state.phase != "closed":
            raise Refused("table_open")
        self.dealer = dealer

    async def close(self, reason: str) -> None:
        """Refuse inputs from now on; void the open round and give every stake back."""
        self._timer.cancel()
        voided = asyncio.get_running_loop().create_future()
        self.submit(Voided(reason), resolving(voided))
        self._closing = True
        with suppress(Refused):  # no round is open
            await voided
        self._stop(())
        for task in self._tasks:
            task.cancel()
        await self.lease.release()

    # --- batches

    async def _run(self) -> None:
        while True:
            batch = await self._queue.batch()
            next_s, commits = asyncio.get_running_loop().time() + BATCH_S, self._money.commits
            if not await self._processed(batch):
                return
            if not self._closing:
                self._timer.set()
            if self._money.commits > commits:
                await asyncio.sleep(next_s - asyncio.get_running_loop().time())

    async def _processed(self, batch: Sequence[QueuedInput]) -> bool:
        """Process a batch; return False if the table can't go on."""
        try:
            if self.lease.is_due:
                await self._extending_deadline(self.lease.renew())
            if batch:
                with self._trace.batch(len(batch)):
                    await self._extending_deadline(self._process(batch))
        except LedgerBroken:
            self._shut(batch)
            return False
        except LeaseLost:
            log.warning("table %s: another process runs it now", self.table.id, extra=self._log_fields())
            self.is_lost = True
            self._stop(batch)
            return False
        except Exception as error:
            log.exception("table %s: malfunction", self.table.id, extra=self._log_fields())
            return await self._recover(batch, error)
        return True

    async def _extending_deadline(self, work: Awaitable[None]) -> None:
        """Await work; if the database kept it waiting, move the deadline by that time."""
        began_ms = clock.now_ms()
        await work
        delay_ms = (now_ms := clock.now_ms()) - began_ms
        if delay_ms >= DELAY_MS_MIN and self.state.deadline_ms is not None:
            await self._carry_out([take_step(self.state, Delayed(delay_ms), now_ms)], now_ms)

    async def _process(self, batch: Sequence[QueuedInput]) -> None:
        """Step the inputs; answer each when it is durable."""
        await self._take_wallet_answers(batch[0].at_ms)
        state, stepped = self.state, list[tuple[QueuedInput, TableStep]]()
        for queued in batch:
            if queued.round and queued.round != state.round:
                queued.answer(Refused("round_ended", round=queued.round))
                continue
            try:
                step = self._speculation.step(state, queued.given, queued.at_ms)
            except Exception:
                if not queued.player:
                    raise
                # The state is unchanged: a fault in one player's input must not void everyone's round.
                fields = self._log_fields()
                log.exception("table %s: %s is refused", self.table.id, queued.given, extra=fields)
                queued.answer(Refused(malfunctions.MALFUNCTION))
                continue
            state = step.after
            stepped.append((queued, step))
        refusals = await self._carry_out([step for _, step in stepped], batch[-1].at_ms)
        for queued, step in stepped:
            if (hold := step.hold) in self._money.wallet.pending:
                self._queue.keep_waiting(queued, hold)
            else:
                self._answer(queued, step.refused or refusals.get(hold))
        if self.state.waits_for_holds:
            await self._take_wallet_answers(batch[-1].at_ms)
            await self._end_holds(self._money.give_up_wallet_holds(), batch[-1].at_ms)

    async def _take_wallet_answers(self, at_ms: int) -> None:
        """Step the wallet's answers to holds."""
        if self._money.wallet.answered:
            await self._end_holds(await self._money.take_wallet_answers(self.state), at_ms)

    async def _end_holds(self, answers: HoldAnswers, at_ms: int) -> None:
        """Step the answers to holds of the wallet, and answer the inputs that waited for them."""
        await self._carry_out(take_steps(self.state, answers, at_ms), at_ms)
        for answer, refused in answers.items():
            if queued := self._queue.stop_waiting(answer.key):
                self._answer(queued, refused)

    def _answer(self, queued: QueuedInput, refused: Refused | None) -> None:
        if queued.callbacks and queued.player:
            self.broadcaster.catch_up(queued.player)
        queued.answer(refused)

    async def _carry_out(self, steps: Sequence[TableStep], at_ms: int) -> Refusals:
        """Commit and publish the steps, then step the ledger's answers; return the refused holds.

        Answers count from the time of the inputs, so that no time runs out during a commit.
        """
        refusals: Refusals = {}
        ends_round, began = any(step.ends_round for step in steps), perf_counter()
        while steps:
            with self.broadcaster.committing(), self._speculation.committing(steps) as prerendered:
                answers = await self._commit(steps, at_ms)
                if self.lease.has_expired:
                    await self.lease.renew()  # another owner may have voided the round that this would show
            self._apply(steps, prerendered)
            refusals |= {answer.key: why for answer, why in answers.items() if why}
            steps = take_steps(self.state, answers, at_ms)
        if ends_round:
            self._measurements.settlements.observe(perf_counter() - began)
        return refusals

    async def _commit(self, steps: Sequence[TableStep], at_ms: int) -> HoldAnswers:
        for step in steps:
            self._recording.add(step)
        answers = await self._money.post_moves(steps, at_ms, self._recording)
        for step in steps:
            if not step.public:  # like most bets
                continue
            if step.ends_round:
                with malfunctions.settling(step, steps):
                    await self._money.post_end(step, self._recording, self._speculation.entries(step))
            if step.starts_dealing:
                await self._gateway.post([self._shoes.closed_note(step.after, len(self._money.open), at_ms)])
        return answers

    def _apply(self, steps: Sequence[TableStep], prerendered: Prerendered = NONE_PRERENDERED) -> None:
        """Publish durable steps, and request what they ask for."""
        self.state = steps[-1].after
        for step in steps:
            if isinstance(step.given, Dealt) and step.refused is None:
                self._shoes.confirm(step.given.ask)
            if step.settles:
                self.results.add(step.after)
        self.broadcaster.publish(steps, prerendered)
        self._money.send_bonuses(self.broadcaster.catch_up)
        for call in tuple(self._watchers):
            call()
        self._request(steps)

    # --- requests of the machine

    def _request(self, steps: Iterable[TableStep]) -> None:
        for step in steps:
            for effect in step.effects:
                if type(effect) in _REQUESTS:  # faster than isinstance
                    self._fulfil(effect)
            if step.starts_settlement:
                self._speculation.expect([Ticked()], step.after.deadline_ms or 0)

    def _fulfil(self, request: Effect) -> None:
        match request:
            case RequestRound():
                self.submit(RoundNamed(new_round_id(clock.now_ms())))
            case RequestShuffle(shoe) if self.dealer == "automatic":
                self._start(self._shuffle(shoe))
            case RequestCard(want) if self.dealer == "automatic":
                pace_ms = self._running.pace_of(want)
                due_ms = clock.now_ms() + pace_ms
                asyncio.get_running_loop().call_later(pace_ms / 1000, self._deal, request, due_ms)
                if inputs := self._shoes.known_inputs(self.state.shoe, request):
                    self._speculation.expect(inputs, due_ms)

    async def _shuffle(self, shoe: int) -> None:
        with suppress(LeaseLost):  # the table's loop finds out too
            await self._shoes.shuffle(shoe)
            self.submit(Shuffled(shoe))

    def _deal(self, request: RequestCard, due_ms: int) -> None:
        """Deal the card, unless the table was paused or the round voided meanwhile."""
        if self.state.wanted and self.state.ask == request.ask and not self.state.paused:
            for given in self._shoes.inputs(self.state.shoe, request):
                self.submit(given, due_ms=due_or_now(due_ms))

    # --- malfunctions

    async def _recover(self, batch: Sequence[QueuedInput], error: Exception) -> bool:
        """Void the round, or keep it open for staff; shut the table and return False if that fails too."""
        try:
            if isinstance(error, malfunctions.SettlementFailed):
                await self._wait_for_staff(error)
            else:
                await self._void_round()
        except Exception:
            log.critical("%s is shut until a restart", self.table.id, exc_info=True, extra=self._log_fields())
            self._shut(batch)
            return False
        for queued in batch:
            queued.answer(Refused(malfunctions.MALFUNCTION))
        return True

    async def _void_round(self) -> None:
        """Void the round as the ledger has it, and give every stake back.

        A table that fails outside a round closes, until a manager opens it.
        """
        with self.broadcaster.committing():
            await self._money.call_off(at_ms := clock.now_ms(), malfunctions.MALFUNCTION)
        self._apply([malfunctions.void_or_close(self.state, at_ms)])

    async def _wait_for_staff(self, failed: malfunctions.SettlementFailed) -> None:
        """Publish what came before the settlement, and pause the table."""
        if failed.before:
            self._apply(failed.before)
        paused = take_step(self.state, Paused(malfunctions.UNSETTLED), clock.now_ms())
        await self._carry_out([paused], paused.at_ms)
        await malfunctions.report(self._gateway, self._measurements, failed)

    def _stop(self, batch: Iterable[QueuedInput]) -> None:
        """Refuse everything, and begin nothing more."""
        self._timer.cancel()
        self.lease.stop()
        self._speculation.cancel()
        self._money.wallet.cancel()
        self._shut(batch)

    def _shut(self, batch: Iterable[QueuedInput]) -> None:
        """Refuse everything: the ledger accepts nothing, and the server stops."""
        self._closing = True
        for queued in (*batch, *self._queue.clear()):
            queued.answer(Refused("server_unavailable"))

    def _log_fields(self) -> dict[str, str]:
        return {"table": self.table.id, "round": self.state.round}

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
