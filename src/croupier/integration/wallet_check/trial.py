"""One check's own round at the wallet under test: messages to send, and what their answers must be."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import asdict

from croupier import clock
from croupier.integration.wallet_check.expectations import WrongAnswer, expect_equal, fail
from croupier.integration.wallet_check.replies import WalletReply, WalletTransport
from croupier.protocol.encoding import encode
from croupier.protocol.signatures import Secret, signed_headers
from croupier.protocol.wallet_wire import (
    WALLET_PATHS,
    WalletAnswer,
    WalletBalanceQuestion,
    WalletCredit,
    WalletDebit,
    WalletMessage,
    WalletOutcome,
    WalletRollback,
    WalletRoundEnd,
)

TABLE, GAME = "wallet-check", "wallet-check"


class WalletUnderTest(NamedTuple):
    """A wallet, and the secret shared with it. `times_ms` collects how long its answers took.

    `restart` restarts the wallet's server, and returns once it answers; None: the checks can't.
    """

    transport: WalletTransport
    secret: Secret
    times_ms: list[int]
    restart: Callable[[], Awaitable[None]] | None = None

    @property
    def now_s(self) -> int:
        return clock.now_ms() // 1000

    async def post(
        self, path: str, body: bytes, *, age_s: int = 0, secret: Secret | None = None
    ) -> WalletReply:
        """Send a body with a signature of that age."""
        headers = signed_headers(secret or self.secret, body, self.now_s - age_s)
        return await self.post_with(path, body, headers)

    async def post_with(self, path: str, body: bytes, headers: Mapping[str, str]) -> WalletReply:
        reply = await self.transport.post(path, body, {**headers, "Content-Type": "application/json"})
        self.times_ms.append(reply.took_ms)
        return reply


class Trial:
    """Messages of one player in one round. Ids begin with `prefix`, and no two runs share one."""

    def __init__(self, wallet: WalletUnderTest, player: str, currency: str, prefix: str) -> None:
        self.wallet = wallet
        self.player, self.currency = player, currency
        self.round = f"{prefix}-round"
        self.start_minor = 0
        self.other: Trial | None = None
        self._prefix = prefix
        self._number = 0
        self._changes: dict[str, int] = {}

    async def begin(self) -> None:
        """Ask for the balance, with which later balances are compared."""
        self.start_minor = await self.balance()

    @property
    def second(self) -> "Trial":
        """Return the round of the second player, for a check that needs one."""
        assert self.other is not None
        return self.other

    def new_id(self) -> str:
        self._number += 1
        return f"{self._prefix}-{self._number}"

    def debit(self, amount_minor: int, transaction: str = "") -> WalletDebit:
        return WalletDebit(
            transaction or self.new_id(), self.player, self.currency, amount_minor, self.round, TABLE, GAME
        )

    def credit(
        self, amount_minor: int, transaction: str = "", reason: Literal["win", "refund"] = "win"
    ) -> WalletCredit:
        return WalletCredit(
            transaction or self.new_id(),
            self.player,
            self.currency,
            amount_minor,
            self.round,
            TABLE,
            GAME,
            reason,
        )

    def rollback(self, debit: WalletDebit) -> WalletRollback:
        return WalletRollback(debit.transaction, self.player)

    def end(self, status: Literal["settled", "void"] = "settled") -> WalletRoundEnd:
        """Return the end of the round, with the sums of what was done so far."""
        staked = -sum(change for change in self._changes.values() if change < 0)
        returned = sum(change for change in self._changes.values() if change > 0)
        return WalletRoundEnd(self.player, self.currency, self.round, TABLE, GAME, status, staked, returned)

    async def restore(self) -> None:
        """Bring the balance back to that of the beginning, and end the rounds, if the wallet allows it."""
        await self.send(self.end())
        again = Trial(self.wallet, self.player, self.currency, f"{self._prefix}-restore")
        try:
            missing = self.start_minor - await self.balance()
        except WrongAnswer:
            return
        if missing:
            await again.send(again.credit(missing, reason="refund") if missing > 0 else again.debit(-missing))
            await again.send(again.end())

    async def send(self, message: WalletMessage, age_s: int = 0) -> WalletReply:
        reply = await self.wallet.post(WALLET_PATHS[type(message)], encode(message), age_s=age_s)
        if reply.answer is not None and reply.answer.outcome == "done":
            self._note(message)
        return reply

    async def send_changed(self, message: WalletMessage, **fields: Any) -> WalletReply:
        """Send a message whose fields are changed as no message may be; None leaves a field out."""
        changed = {name: value for name, value in {**asdict(message), **fields}.items() if value is not None}
        return await self.wallet.post(WALLET_PATHS[type(message)], msgspec.json.encode(changed))

    async def expect(self, message: WalletMessage, *outcomes: WalletOutcome) -> WalletAnswer:
        """Send a message; fail unless it is answered with one of these outcomes."""
        reply = await self.send(message)
        if reply.answer is None or reply.answer.outcome not in outcomes:
            fail(f"{WALLET_PATHS[type(message)]}: {' or '.join(outcomes)}", reply.described)
        return reply.answer

    async def balance(self) -> int:
        answer = await self.expect(WalletBalanceQuestion(self.player, self.currency), "done")
        if answer.balance_minor is None:
            fail("/balance: balance_minor", "none")
        return answer.balance_minor

    async def expect_change(self, change_minor: int) -> None:
        """Fail unless the balance has changed by so much since the check began."""
        expect_equal("a balance of", self.start_minor + change_minor, await self.balance())

    async def restart(self) -> None:
        """Restart the wallet's server."""
        assert self.wallet.restart is not None, "a check that needs it is skipped without"
        await self.wallet.restart()

    async def at_once(self, messages: Sequence[WalletMessage]) -> list[WalletReply]:
        """Send messages at the same time; fail unless all are answered."""
        replies = await asyncio.gather(*map(self.send, messages))
        for reply in replies:
            if reply.answer is None:
                fail("an answer to each of the messages", reply.described)
        return replies

    def _note(self, message: WalletMessage) -> None:
        match message:
            case WalletDebit():
                self._changes.setdefault(message.transaction, -message.amount_minor)
            case WalletCredit():
                self._changes.setdefault(message.transaction, message.amount_minor)
            case WalletRollback():
                self._changes.pop(message.transaction, None)
            case _:
                pass


class WalletCheck(NamedTuple):
    """A check: the clause of the guide that it follows, its rule, and what to do if it fails."""

    name: str
    clause: str
    rule: str
    advice: str
    run: Callable[[Trial], Awaitable[None]]
    needs_other: bool
    """True if the check needs a second player."""
    needs_restart: bool
    """True if the check restarts the wallet's server."""


def wallet_check(
    clause: str, advice: str, *, needs_other: bool = False, needs_restart: bool = False
) -> Callable[[Callable[[Trial], Awaitable[None]]], WalletCheck]:
    """Make a check of a function, whose docstring is the rule."""

    def made(run: Callable[[Trial], Awaitable[None]]) -> WalletCheck:
        about = run.__name__, clause, str(run.__doc__)
        return WalletCheck(*about, advice, run, needs_other, needs_restart)

    return made
