"""The ledger for the event loop: entries are awaited until they are durable, and balances follow them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager
from copy import copy
from functools import partial
from time import perf_counter
from typing import ParamSpec, Protocol, TypeVar

from croupier import tracing
from croupier.accounts.balances import PlayerBalances
from croupier.accounts.identity import Player
from croupier.admission.balances import BalanceCache
from croupier.admission.player_limits import PlayerLimits
from croupier.ledger.entries import Entry, Posted
from croupier.ledger.leases import Fence
from croupier.ledger.protocol import DatabaseUnreachable, Ledger, LedgerBroken
from croupier.ledger.wallet_rounds import WalletRounds
from croupier.measurements import LatencyHistogram
from croupier.refusal import Refused

T = TypeVar("T")
P = ParamSpec("P")

READERS = 4
"""Threads that read for the event loop; further reads wait for one of them."""
READ_S = 10.0
"""Longest wait for a read. The database's own deadlines are shorter, and free its thread."""


class ChangeWithEntries(Protocol):
    """A change in a repository, and the entries that were posted with it."""

    @property
    def entries(self) -> tuple[Entry, ...]: ...


C = TypeVar("C", bound=ChangeWithEntries)


class RequestCounts:
    """Numbers of the reads or writes that were submitted and answered since the start."""

    __slots__ = ("answered", "submitted")

    def __init__(self) -> None:
        self.submitted = 0
        self.answered = 0

    @property
    def pending(self) -> int:
        return self.submitted - self.answered


def _nothing(*_: object) -> None:
    pass


class LedgerGateway:
    """Posts to the ledger. `broken` is set when a commit fails; the server stops then.

    `commit_latency` measures posts of entries, from the request until they are durable.

    Entries that release or end stakes of an operator's wallet are posted with those that return its money.
    """

    def __init__(
        self, ledger: Ledger, balances: BalanceCache, limits: PlayerLimits, wallet: WalletRounds
    ) -> None:
        self._ledger = ledger
        self._balances = balances
        self._limits = limits
        self._wallet = wallet
        self._fence: Fence | None = None
        self._on_applied: Callable[[int], None] | None = None
        self._on_written: Callable[[], None] = _nothing
        self.broken = asyncio.Event()
        self.commit_latency = LatencyHistogram()
        self.writes = RequestCounts()
        self.reads = RequestCounts()
        self._readers = ThreadPoolExecutor(READERS, "reader")

    def watch(self, on_applied: Callable[[int], None], on_written: Callable[[], None]) -> None:
        """Call with the position of each entry once its balances are applied, and after every write."""
        self._on_applied, self._on_written = on_applied, on_written

    def fenced(self, fence: Fence) -> "LedgerGateway":
        """Return a gateway whose posts fail with LeaseLost once another process runs the fence's table."""
        gateway = copy(self)
        gateway._fence = fence
        return gateway

    async def post(self, entries: Sequence[Entry]) -> None:
        """Post all entries or none, and wait for the durable commit.

        Refused as by the ledger, and if a player's own limits or a break forbid it.
        """
        async with self.hold_reservation(partial(self._limits.reserve, entries)):
            await self.post_reserved(entries)

    @asynccontextmanager
    async def hold_reservation(self, reserve: Callable[[], AbstractContextManager[T]]) -> AsyncIterator[T]:
        """Enter a reservation in the players' own limits once what they count is read."""
        with ExitStack() as stack:
            yield await self.when_read(lambda: stack.enter_context(reserve()))

    async def when_read(self, check: Callable[[], T]) -> T:
        """Do a check of the players' own limits, all of whose facts are read and up to date then."""
        return await self._limits.facts.when_read(check, self.read)

    async def post_reserved(self, entries: Sequence[Entry]) -> None:
        """Post as `post` does, while the caller reserves the entries in the players' own limits."""
        completed = self._wallet.completed(entries)
        await self._committed(self._ledger.post(completed, self._fence), completed)

    async def post_each(self, entries: Sequence[Entry]) -> tuple[Posted | Refused, ...]:
        """Post each entry by itself, all in one durable commit; refused ones change nothing.

        The caller checks the players' own limits, see `PlayerLimits.reserve_holds`.
        """
        completed = self._wallet.completed(entries)
        results = await self._committed(self._ledger.post_each(completed, self._fence), completed)
        return results[: len(entries)]

    async def post_groups(
        self, groups: Sequence[Sequence[Entry]]
    ) -> tuple[tuple[Posted, ...] | Refused, ...]:
        """Post each group, whole or not at all, all in one durable commit.

        The caller checks the players' own limits, see `PlayerLimits.reserve_holds`.
        """
        completed = [self._wallet.completed(group) for group in groups]
        written = self._ledger.post_groups(completed, self._fence)
        return await self._durable(written, partial(self._apply_groups, completed))

    async def _committed(self, written: Future[tuple[T, ...]], entries: Sequence[Entry]) -> tuple[T, ...]:
        return await self._durable(written, partial(self._apply, entries))

    async def _durable(self, written: Future[T], apply: Callable[[T], object]) -> T:
        requested = perf_counter()
        results = await self.durable(written, apply)
        self.commit_latency.observe(perf_counter() - requested)
        return results

    def _apply_groups(
        self, groups: Sequence[Sequence[Entry]], results: Sequence[tuple[Posted, ...] | Refused]
    ) -> None:
        for entries, result in zip(groups, results, strict=True):
            if not isinstance(result, Refused):
                self._apply(entries, result)

    def _apply(self, entries: Sequence[Entry], results: Sequence[object]) -> None:
        for entry, result in zip(entries, results, strict=True):
            if isinstance(result, Posted) and not result.duplicate:
                self._balances.apply(entry, result.refused)
                self._limits.changed(entry)
                self._wallet.follow(entry)
                if self._on_applied:
                    self._on_applied(result.seq)

    async def read(self, query: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do a query of the ledger in a thread, as the event loop must never wait for the database.

        What it returns may be out of date at once: check a condition again where its effect happens.
        DatabaseUnreachable if the database doesn't answer; `DatabaseWatch.do` repeats a command then.
        """
        reading = asyncio.wrap_future(self._readers.submit(query, *args, **kwargs))
        self.reads.submitted += 1
        reading.add_done_callback(self._count_read)
        try:
            return await asyncio.wait_for(reading, READ_S)
        except (TimeoutError, DatabaseUnreachable) as error:
            raise DatabaseUnreachable("the database doesn't answer a read") from error

    def _count_read(self, reading: asyncio.Future[T]) -> None:
        """Count an answer of the database, whatever the caller does meanwhile; forget a read without one."""
        if reading.cancelled() or isinstance(reading.exception(), DatabaseUnreachable):
            self.reads.submitted -= 1
        else:
            self.reads.answered += 1

    def may_have_staked(self, player: str, currency: str) -> bool:
        """Return False if a connected player has never staked this currency, without a query."""
        return self._balances.may_have_staked(player, currency)

    async def recorded(self, written: Future[C]) -> C:
        """Wait for a change with its entries, and move the cached balances."""
        return await self.durable(written, self._apply_recorded)

    def _apply_recorded(self, change: ChangeWithEntries) -> None:
        for entry in change.entries:
            self._balances.apply(entry)
            self._limits.changed(entry)

    async def arrives(self, arriving: Future[tuple[Player, PlayerBalances] | None]) -> Player | None:
        """Wait for `Accounts.arriving`, and cache the balances, which must be forgotten as often."""
        came = await self.durable(arriving, self._arrived)
        return came[0] if came else None

    def _arrived(self, came: tuple[Player, PlayerBalances] | None) -> None:
        if came:
            player, balances = came
            self._balances.keep(player.id, balances)

    async def refreshes(self, reading: Future[dict[str, PlayerBalances]]) -> dict[str, list[str]]:
        """Wait for `Accounts.balances`, replace the cached ones; return each player's changed currencies."""
        changed = dict[str, list[str]]()

        def replace(read: dict[str, PlayerBalances]) -> None:
            for player, balances in read.items():
                changed[player] = self._balances.replace(player, balances, self._wallet.currencies)

        await self.durable(reading, replace)
        return changed

    async def durable(self, written: Future[T], apply: Callable[[T], object] = _nothing) -> T:
        """Wait for a write that was submitted to a store, the ledger or a repository.

        First its result is applied, if it succeeds: in the order of the commits, and even if the caller is
        cancelled.
        """
        loop = asyncio.get_running_loop()
        waits = loop.create_future()
        self.writes.submitted += 1
        resolve = partial(self._resolve, apply, waits)
        # One callback for both: of two, the second may be called while the first is still to be.
        written.add_done_callback(partial(loop.call_soon_threadsafe, resolve))
        with tracing.span("ledger commit"):
            await waits
        self._on_written()
        try:
            return written.result()
        except LedgerBroken:
            self.broken.set()
            raise

    def _resolve(self, apply: Callable[[T], object], waits: asyncio.Future[None], written: Future[T]) -> None:
        self.writes.answered += 1
        try:
            if written.exception() is None:
                apply(written.result())
        finally:
            if not waits.done():  # the caller was cancelled
                waits.set_result(None)


def standalone_gateway(ledger: Ledger) -> LedgerGateway:
    """Return a gateway for a process without connected players."""
    balances = BalanceCache()
    return LedgerGateway(ledger, balances, PlayerLimits(ledger, balances, lambda _: None), WalletRounds())
