"""The open calls to an operator's wallet, as the journal has them."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from typing import Protocol

from croupier.ledger.entries import Entry
from croupier.ledger.protocol import LedgerReader
from croupier.ledger.wallet_entries import OPENS, WalletCall, call_of, follow_call, transaction_of


class OpenCalls(Protocol):
    """Open calls by round, in the order of the journal.

    `are_shared`: other processes may open and close calls of the same rounds.
    """

    are_shared: bool

    def load(self, ledger: LedgerReader) -> None:
        """Read what was left open."""

    def follow(self, entry: Entry) -> WalletCall | None:
        """Follow an entry about a call that this process has posted; return the call if it stays open."""

    async def of(self, round_: str) -> tuple[WalletCall, ...]:
        """Return a round's open calls, oldest first."""

    async def every(self) -> tuple[WalletCall, ...]:
        """Return all open calls."""

    def unanswered(self) -> tuple[WalletCall, ...]:
        """Return the debits without an outcome that nobody else will ask for."""

    def states(self) -> Counter[str]:
        """Return the number of open calls in each state."""


class HeldCalls:
    """Follows `OpenCalls` in a process that has the database to itself: the calls are in memory."""

    are_shared = False

    def __init__(self) -> None:
        self._calls: dict[str, dict[str, WalletCall]] = {}
        """By round and transaction."""

    def load(self, ledger: LedgerReader) -> None:
        for call in ledger.wallet_calls():
            self._calls.setdefault(call.ticket.round, {})[call.transaction] = call

    def follow(self, entry: Entry) -> WalletCall | None:
        calls, name = self._calls.setdefault(entry.round, {}), transaction_of(entry.key)
        if after := follow_call(calls.get(name), entry):
            calls[name] = after
        else:
            del calls[name]
        if not calls:
            del self._calls[entry.round]
        return after

    async def of(self, round_: str) -> tuple[WalletCall, ...]:
        return tuple(self._calls.get(round_, {}).values())

    async def every(self) -> tuple[WalletCall, ...]:
        return tuple(self._all())

    def unanswered(self) -> tuple[WalletCall, ...]:
        return tuple(call for call in self._all() if call.state == "called")

    def states(self) -> Counter[str]:
        return Counter(call.state for call in self._all())

    def _all(self) -> Iterable[WalletCall]:
        return (call for calls in self._calls.values() for call in calls.values())


class SharedCalls:
    """Follows `OpenCalls` where other processes post too: the calls are read from the ledger each time."""

    are_shared = True

    def __init__(self, ledger: LedgerReader) -> None:
        self._ledger = ledger
        self._asked: dict[str, WalletCall] = {}
        """Debits of this process without an outcome, by transaction."""
        self._states = Counter[str]()

    def load(self, ledger: LedgerReader) -> None:
        """Read nothing: another process may have the rounds that are open."""

    def follow(self, entry: Entry) -> WalletCall | None:
        name = transaction_of(entry.key)
        if entry.kind not in OPENS:
            self._asked.pop(name, None)
            return None
        if entry.kind == "wallet_due":
            return call_of(entry, "due")
        self._asked[name] = call = call_of(entry, "called")
        return call

    async def of(self, round_: str) -> tuple[WalletCall, ...]:
        return await asyncio.to_thread(self._ledger.wallet_calls, round_)

    async def every(self) -> tuple[WalletCall, ...]:
        calls = await asyncio.to_thread(self._ledger.wallet_calls)
        self._states = Counter(call.state for call in calls)
        return calls

    def unanswered(self) -> tuple[WalletCall, ...]:
        return tuple(self._asked.values())

    def states(self) -> Counter[str]:
        """Return the numbers that `every` has found last."""
        return self._states
