"""A live table in the running house: the driver of the pure machine, as decision 0010 wants it.

Inputs wait in a queue; those that wait together are stepped together. What they cost is entered in the books
in one commit; only then it is told, and only then a card is asked for. The answers of the books are stepped
next, and so on until nothing is left to do.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from msgspec.structs import replace

from croupier import clock
from croupier.config import LiveTableConfig
from croupier.ledger import entries
from croupier.ledger.entries import Entry, Ticket
from croupier.ledger.protocol import LedgerBroken
from croupier.play.contract.game import Table
from croupier.refusal import Refused
from croupier.runtime.ledger_gateway import Bank
from croupier.runtime.live.broadcast.broadcaster import Guests, Hall
from croupier.runtime.live.chat.room import Room
from croupier.runtime.live.input_queue import Answered, Asked, Queue
from croupier.runtime.live.money.recording import Recording
from croupier.runtime.live.money.results import Results
from croupier.runtime.live.money.table_money import Answers, Till
from croupier.runtime.live.prerendered import NOTHING_READY, Ready
from croupier.runtime.live.speculation import Foresight
from croupier.runtime.live.steps import Stepped, taken
from croupier.runtime.live.table_shoes import Shoes
from croupier.tables.live import Setup, new_table
from croupier.tables.live.effects import Broadcast, Effect, RequestCard, RequestRound, RequestShuffle
from croupier.tables.live.inputs import AnyInput, Dealt, RoundNamed, Shuffled, Ticked, Voided
from croupier.tables.live.phases import ROUND_PHASES
from croupier.tables.live.setup import DealtBy
from croupier.tables.live.state import State, phase_entered

log = logging.getLogger(__name__)

MALFUNCTION = "malfunction"
BATCH_S = 0.002
"""From one batch that needs a commit to the next, at least: it costs much the same for one bet as for 40."""
LATE_MS = 50
"""What comes by itself and no later counts as of when it was due; else as of now, for whoever decides."""
_ASKING = {RequestRound, RequestShuffle, RequestCard}
Refusals = dict[tuple[str, int] | None, Refused]
"""Why holds were refused, by player and number."""


class LiveTable:
    """`state` is what stands and has been told; `hall` those who look on, `room` what they say."""

    def __init__(
        self, bank: Bank, setup: Setup, running: LiveTableConfig, room: Room, guests: Guests
    ) -> None:
        self.state = replace(new_table(setup), v=clock.now_ms())
        self.dealer: DealtBy = running.dealer
        self.results = Results(bank.ledger, setup.table.id)
        """Newest first."""
        self.room = room
        self.hall = Hall(self.state, room, bank, guests)
        self._bank = bank
        self._running = running
        self._till = Till(bank, setup.table.id)
        self._foresight = Foresight(self.hall, self._till, lambda: self.state)
        self._shoes = Shoes(bank, setup.table.id, setup.cards)
        self._queue = Queue()
        self._record = Recording(setup.table.id)
        self._timer: asyncio.TimerHandle | None = None
        self._watching: list[Callable[[], None]] = []
        self._jobs: set[asyncio.Task[None]] = set()
        self._closing = False
        self._start(self._serve())

    @property
    def table(self) -> Table:
        """As it is dealt now: the manager may have changed its limits."""
        return self.state.setup.table

    @property
    def ends(self) -> bool:
        """Whether nothing is taken any more: the house closes."""
        return self._closing

    def name_of(self, player: str) -> str:
        """What others see of a player."""
        return self.hall.places[player].name

    def open_round(self, player: str) -> Ticket | None:
        """His round here, as it stands open in the books."""
        return self._till.open.get(player)

    def stakes_of(self, player: str) -> int:
        """Return the player's stake in this round, in smallest units."""
        known = self.state.players.get(player)
        return known.held_minor if known else 0

    def take_place(self, player: str, name: str, currency: str) -> None:
        """Who has just come may repeat the bet that the books remember of him."""
        place = self.hall.place(player, name)
        if not place.past.bet:
            bet = self._bank.last_wagers(player, self.table.id, currency)
            place.past = place.past._replace(bet=bet)

    # --- inputs

    async def feed(self, given: AnyInput, round_: str = "") -> None:
        """Done and durable when it returns; Refused as `ask` or the machine refuses it."""
        done = asyncio.get_running_loop().create_future()
        self.ask(given, partial(_resolve, done), round_)
        await done

    def ask(
        self, given: AnyInput, answered: Answered | None = None, round_: str = "", due_ms: int | None = None
    ) -> None:
        """It waits for its turn, and counts as of now, or of when it was due.

        `round_`: the only one that it is meant for.
        """
        asked = Asked(given, clock.now_ms() if due_ms is None else due_ms, round_, answered)
        if self._closing:
            asked.answer(Refused("house_closed"))
            return
        deadline_ms = self.state.deadline_ms
        self._queue.put(asked, may_replace=deadline_ms is None or asked.at_ms < deadline_ms)

    def watch(self, call: Callable[[], None]) -> Callable[[], None]:
        """`call` after every change, until what is given back is called."""
        self._watching.append(call)
        return lambda: self._watching.remove(call)

    def deal_by(self, dealer: DealtBy) -> None:
        """Who deals from now on. Refused unless the table is closed: the shoes change hands too."""
        if self.state.phase != "closed":
            raise Refused("table_open")
        self.dealer = dealer

    async def close(self, reason: str) -> None:
        """Nothing is taken any more; a round that is open is void, and every stake given back."""
        if self._timer:
            self._timer.cancel()
        voided = asyncio.get_running_loop().create_future()
        self.ask(Voided(reason), partial(_resolve, voided))
        self._closing = True
        with suppress(Refused):  # no round is open
            await voided
        self._foresight.stop()
        for job in self._jobs:
            job.cancel()

    # --- the queue

    async def _serve(self) -> None:
        while True:
            batch = await self._queue.batch()
            next_s, waits = asyncio.get_running_loop().time() + BATCH_S, self._till.waits
            try:
                await self._take(batch)
            except LedgerBroken:
                self._shut(batch)
                return
            except Exception:
                log.exception("table %s: a malfunction", self.table.id)
                if not await self._went_on(batch):
                    return
            self._set_timer()
            if self._till.waits > waits:
                await asyncio.sleep(next_s - asyncio.get_running_loop().time())

    async def _take(self, batch: Sequence[Asked]) -> None:
        """Steps all of it, and answers each when it is done and durable."""
        state, stepped = self.state, list[tuple[Asked, Stepped]]()
        for asked in batch:
            if asked.round and asked.round != state.round:
                asked.answer(Refused("round_ended", round=asked.round))
                continue
            try:
                step = self._foresight.taken(state, asked.given, asked.at_ms)
            except Exception:
                if not asked.player:
                    raise
                # The state is as it was: what one player asks for can't end everybody's round.
                log.exception("table %s: %s is refused", self.table.id, asked.given)
                asked.answer(Refused(MALFUNCTION))
                continue
            state = step.after
            stepped.append((asked, step))
        refused = await self._carry_out([step for _, step in stepped], batch[-1].at_ms)
        for asked, step in stepped:
            if asked.answers and asked.player:
                self.hall.catch_up(asked.player)
            asked.answer(step.refused or refused.get(step.hold))

    async def _carry_out(self, steps: Sequence[Stepped], at_ms: int) -> Refusals:
        """What the steps cost is entered, what they bring is told, and the answers of the books are stepped.

        These come no later than what was asked for: so nobody's time runs out while a commit runs.
        """
        refusals: Refusals = {}
        while steps:
            if any(step.ends for step in steps):
                self._foresight.stop()
            with self.hall.writing(steps) as ready:
                answers = await self._durable(steps, at_ms)
            self._stands(steps, ready)
            refusals |= {(answer.player, answer.hold): why for answer, why in answers.items() if why}
            steps = _taken_each(self.state, answers, at_ms)
        return refusals

    async def _durable(self, steps: Sequence[Stepped], at_ms: int) -> Answers:
        for step in steps:
            self._record.add(step)
        answers = await self._till.carry_out(steps, at_ms, self._record)
        for step in steps:
            if not step.public:  # most of them: a bet is nobody else's affair
                continue
            if step.ends_round:
                await self._till.end(step, self._record)
            if step.cards_begin:
                await self._bank.enter([self._bets_closed(step.after, at_ms)])
        return answers

    def _bets_closed(self, state: State, at_ms: int) -> Entry:
        """No card is out before this stands in the books, and so all that was staked before."""
        body = {"number": state.number, "players": len(self._till.open), **self._shoes.position(state.shoe)}
        return entries.note(f"{state.round}:closed", at_ms, body, table=self.table.id)

    def _stands(self, steps: Sequence[Stepped], ready: Ready = NOTHING_READY) -> None:
        """What is durable counts, is told, and is acted on."""
        self.state = steps[-1].after
        for step in steps:
            if isinstance(step.given, Dealt) and step.refused is None:
                self._shoes.stands(step.given.ask)
            if step.settles:
                self.results.add(step.after)
        self.hall.tell(steps, ready)
        for call in tuple(self._watching):
            call()
        self._go_on(steps)

    # --- what the table asks for

    def _go_on(self, steps: Iterable[Stepped]) -> None:
        for step in steps:
            for effect in step.effects:
                if type(effect) in _ASKING:  # quicker to say of each than isinstance
                    self._act(effect)
            if step.rests:
                self._foresight.look([Ticked()], step.after.deadline_ms or 0)

    def _act(self, asked: Effect) -> None:
        match asked:
            case RequestRound():
                self.ask(RoundNamed(f"r{clock.now_ms():012x}{secrets.token_hex(5)}"))
            case RequestShuffle(shoe) if self.dealer == "automatic":
                self._start(self._shuffle(shoe))
            case RequestCard(want) if self.dealer == "automatic":
                pace_ms = self._running.pace_of(want)
                due_ms = clock.now_ms() + pace_ms
                asyncio.get_running_loop().call_later(pace_ms / 1000, self._card, asked, due_ms)
                if coming := self._shoes.foreseen(self.state.shoe, asked):
                    self._foresight.look(coming, due_ms)

    async def _shuffle(self, shoe: int) -> None:
        await self._shoes.shuffle(shoe)
        self.ask(Shuffled(shoe))

    def _card(self, asked: RequestCard, due_ms: int) -> None:
        """Unless it is no longer wanted: the table may have been paused meanwhile, or the round voided."""
        if self.state.wanted and self.state.asks == asked.ask and not self.state.paused:
            for given in self._shoes.deals(self.state.shoe, asked):
                self.ask(given, due_ms=_as_of(due_ms))

    def _set_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
        if (deadline_ms := self.state.deadline_ms) is not None and not self._closing:
            wait_s = max(0, deadline_ms - clock.now_ms()) / 1000
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._tick)

    def _tick(self) -> None:
        deadline_ms = self.state.deadline_ms
        if deadline_ms is not None and clock.now_ms() < deadline_ms:
            self._set_timer()  # timers may be early by a fraction of a millisecond
        else:
            self.ask(Ticked(), due_ms=_as_of(deadline_ms))

    # --- trouble

    async def _went_on(self, batch: Sequence[Asked]) -> bool:
        """Whether the malfunction has been dealt with. A table that can't even void its round is shut."""
        try:
            await self._malfunction(batch)
        except Exception:
            log.critical("table %s is shut until a restart", self.table.id, exc_info=True)
            self._shut(batch)
            return False
        return True

    async def _malfunction(self, batch: Iterable[Asked]) -> None:
        """A bug of ours: the round is void as the books have it, every stake given back (003).

        A table that fails outside a round closes, until the manager opens it again.
        """
        at_ms = clock.now_ms()
        with self.hall.writing(()):
            await self._till.call_off(at_ms, MALFUNCTION)
        if self.state.phase in ROUND_PHASES:
            step = taken(self.state, Voided(MALFUNCTION), at_ms)
            step = replace(step, after=replace(step.after, dropped={}))
        else:
            closed = replace(new_table(self.state.setup), v=self.state.v + 1, players=self.state.players)
            step = Stepped(self.state, Ticked(), (Broadcast(closed.v, phase_entered(closed)),), closed)
        self._stands([step])
        for asked in batch:
            asked.answer(Refused(MALFUNCTION))

    def _shut(self, batch: Iterable[Asked]) -> None:
        """Nothing is done here any more: the books take nothing, and the house closes."""
        self._closing = True
        for asked in (*batch, *self._queue.empty()):
            asked.answer(Refused("house_closed"))

    def _start(self, job: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(job)
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)


def _taken_each(state: State, every: Iterable[AnyInput], at_ms: int) -> list[Stepped]:
    steps = list[Stepped]()
    for given in every:
        steps.append(taken(steps[-1].after if steps else state, given, at_ms))
    return steps


def _as_of(due_ms: int | None) -> int | None:
    """The time that something was due, which is hardly late; or early, as timers are by a fraction."""
    return due_ms if due_ms is not None and abs(clock.now_ms() - due_ms) < LATE_MS else None


def _resolve(done: asyncio.Future[None], refused: Refused | None) -> None:
    if done.done():  # who waited has given up
        return
    if refused is None:
        done.set_result(None)
    else:
        done.set_exception(refused)
