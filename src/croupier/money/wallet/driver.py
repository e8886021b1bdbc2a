"""Sends what is due to an operator's wallet, until each call is acknowledged: rollbacks, credits, round ends.

The calls of a round are sent in the order of the journal, since the wallet refuses to roll a debit back once
the round has a win or has ended. A call that the wallet refuses is disputed: it doesn't hold up the others.

Several processes on one database may send the same call: the wallet carries it out once, and the journal has
one outcome of it.
"""

import asyncio
import logging
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass

from croupier import clock
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.ledger.protocol import DatabaseUnreachable, LedgerBroken
from croupier.ledger.wallet_entries import (
    WalletCall,
    wallet_disputed,
    wallet_rollback,
    wallet_rolled_back,
    wallet_settled,
)
from croupier.ledger.wallet_rounds import WalletRounds
from croupier.money.wallet.balances import WalletBalances
from croupier.money.wallet.client import WalletClient
from croupier.money.wallet.names import OperatorNames
from croupier.outside.due_work import DueWork, delay_ms
from croupier.outside.no_answer import NoAnswer
from croupier.outside.systems import FailedWork, OutsideSystem
from croupier.protocol.wallet_wire import (
    WalletAnswer,
    WalletCredit,
    WalletMessage,
    WalletOutcome,
    WalletRollback,
    WalletRoundEnd,
)
from croupier.refusal import Refused

RETRY_MS_MIN, RETRY_MS_MAX = 1_000, 30_000
"""Time to the first repetition, which doubles with each further one up to the maximum. The wallet's answer to
any call ends it: players mustn't wait for their money when the wallet is back."""
DISPUTED_MS = 3_600_000
"""Time to the repetition of a call that the wallet refuses."""
OVERDUE_MS = 24 * 3_600_000
"""Age from which on a call without an answer is an error in the log."""
OVERDUE_LOGGED = 120
"""Attempts from one such error to the next: about an hour."""
ORPHANED_MS = 60_000
"""Age from which on the process that asked for a debit has failed, as it would know the outcome or roll it
back. Much longer than an answer may take, and than the clocks of two machines may differ."""
CONCURRENT_MAX = 64
ACKNOWLEDGES_ROLLBACK: frozenset[WalletOutcome] = frozenset({"done", "unknown_transaction"})

log = logging.getLogger(__name__)


@dataclass(slots=True)
class CallAttempts:
    """The number of times that a call was sent, and the wallet's last reason for refusing it."""

    number: int = 0
    reason: str = ""


class WalletDriver:
    """Call `load` first."""

    def __init__(
        self,
        gateway: LedgerGateway,
        rounds: WalletRounds,
        names: OperatorNames,
        client: WalletClient,
        balances: WalletBalances,
        system: OutsideSystem,
    ) -> None:
        self._gateway = gateway
        self._rounds = rounds
        self._names = names
        self._client = client
        self._balances = balances
        self._due = DueWork()
        self._attempts: Counter[str] = Counter()
        """Attempts in a row without an answer, by round."""
        self.attempts: dict[str, CallAttempts] = {}
        """Those of this process, by transaction of an open call."""
        self._slots = asyncio.Semaphore(CONCURRENT_MAX)
        self._tasks: set[asyncio.Task[None]] = set()
        self._failed = FailedWork(system)
        """Rounds whose calls the wallet hasn't answered."""
        system.on_answer.append(self._wake)
        rounds.on_work = lambda round_: self._due.put(round_, 0)

    async def load(self) -> None:
        """Send the open calls of all rounds."""
        for call in await self._rounds.calls.every():
            self._due.put(call.ticket.round, 0)

    async def adopt(self) -> None:
        """Send the calls that have been open for long, and that another process may have left."""
        until_ms = clock.now_ms() - ORPHANED_MS
        for call in await self._rounds.calls.every():
            if call.opened_ms <= until_ms and call.ticket.round not in self._due:
                self._due.put(call.ticket.round, 0)

    def ask_soon(self, round_: str) -> None:
        """Send a round's open calls at once, also those that the wallet has refused."""
        self._due.put(round_, 0)

    def _wake(self) -> None:
        for round_ in self._failed.wake():
            self._due.put(round_, 0)

    async def run(self) -> None:
        """Send calls until the task is cancelled."""
        await self._due.run(self._start, "sending to the wallet", log)

    async def work(self) -> None:
        """Send everything that is due now."""
        await self._start()
        await asyncio.gather(*self._tasks)

    async def _start(self) -> None:
        """Start sending what is due now, so that a round without an answer holds up no other."""
        for round_ in self._due.due():
            task = asyncio.create_task(self._carry_on(round_))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _carry_on(self, round_: str) -> None:
        with self._due.claimed([round_]) as mine:
            if not mine:
                return
            try:
                await self._send_round(round_)
            except LedgerBroken:
                pass  # the server stops
            except DatabaseUnreachable:
                self._due.put_off(round_, clock.now_ms() + RETRY_MS_MIN)
            except Exception:
                log.exception("wallet: sending the calls of %s failed; it is tried again", round_)
                self._due.put_off(round_, clock.now_ms() + RETRY_MS_MAX)

    async def _send_round(self, round_: str) -> None:
        """Send a round's calls in order, up to the first without an answer."""
        self._due.drop(round_)
        for call in await self._rounds.calls.of(round_):
            if call.state == "called":
                await self._wait_for(call)
                return
            if not await self._is_answered(call):
                self._attempts[round_] += 1
                self._failed.failed(round_)
                self._due.put_off(round_, clock.now_ms() + self._delay_ms(call))
                return
            del self._attempts[round_]
            self._failed.forget(round_)
        if await self._rounds.calls.of(round_):
            self._due.put_off(round_, clock.now_ms() + DISPUTED_MS)

    async def _wait_for(self, call: WalletCall) -> None:
        """Send nothing before a debit's outcome, which another process may know; it may have failed."""
        if not self._rounds.calls.are_shared:
            return
        if clock.now_ms() - call.opened_ms >= ORPHANED_MS:
            with suppress(Refused):  # it has been answered meanwhile
                await self._gateway.post([wallet_rollback(call, clock.now_ms())])
        self._due.put_off(call.ticket.round, clock.now_ms() + RETRY_MS_MIN)

    def _delay_ms(self, call: WalletCall) -> int:
        attempts = self._attempts[call.ticket.round] - 1
        if clock.now_ms() - call.opened_ms >= OVERDUE_MS and attempts % OVERDUE_LOGGED == 0:
            log.error("wallet: %s has had no answer for a day", call.transaction)
        return delay_ms(attempts, RETRY_MS_MIN, RETRY_MS_MAX)

    async def _is_answered(self, call: WalletCall) -> bool:
        """Send one call and enter its outcome."""
        attempts = self.attempts.setdefault(call.transaction, CallAttempts())
        attempts.number += 1
        try:
            async with self._slots:
                answer = await self._answer(call)
        except NoAnswer as error:
            log.warning("wallet: no answer to %s: %s", call.transaction, error)
            return False
        if answer.outcome == "refused":
            attempts.reason = answer.reason
            await self._dispute(call, answer)
            return True
        closes = wallet_rolled_back if call.order.reason == "stake" else wallet_settled
        await self._gateway.post([closes(call, clock.now_ms())])
        del self.attempts[call.transaction]
        await self._balances.show(call.ticket, answer)
        return True

    async def _dispute(self, call: WalletCall, answer: WalletAnswer) -> None:
        log.error("wallet: %s is refused and disputed: %s", call.transaction, answer.reason)
        if call.state != "disputed" and call in await self._rounds.calls.of(call.ticket.round):
            with suppress(Refused):  # another process has entered it with another reason
                await self._gateway.post([wallet_disputed(call, clock.now_ms(), answer.reason)])

    async def _answer(self, call: WalletCall) -> WalletAnswer:
        """Return the first refusal of a call's messages, or the last answer."""
        name = await self._names.of(call.ticket.player)
        answer = WalletAnswer("done")
        for message in _messages(name, call):
            answer = await self._client.ask(message)
            acknowledged = ACKNOWLEDGES_ROLLBACK if isinstance(message, WalletRollback) else {"done"}
            if answer.outcome == "refused":
                return answer
            if answer.outcome not in acknowledged:
                raise NoAnswer(f"{answer.outcome} isn't an answer to {type(message).__name__}")
        return answer


def _messages(name: str, call: WalletCall) -> list[WalletMessage]:
    """Return what a call sends, in order."""
    (round_, _, table, currency), order = call.ticket, call.order
    if order.reason == "stake":
        return [WalletRollback(call.transaction, name)]
    messages = list[WalletMessage]()
    at = round_, table, order.game
    if order.amount_minor:
        amount = call.transaction, name, currency, order.amount_minor
        messages.append(WalletCredit(*amount, *at, order.reason))
    if order.ended:
        totals = order.staked_minor, order.returned_minor
        messages.append(WalletRoundEnd(name, currency, *at, order.ended, *totals))
    return messages
