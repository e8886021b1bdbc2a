"""The ledger for the event loop: entries are awaited until they are durable, and balances follow them."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from copy import copy
from functools import partial
from threading import get_ident
from time import perf_counter
from typing import Any, Protocol, TypeVar

from croupier.accounts.balances import PlayerBalances
from croupier.accounts.identity import Player
from croupier.ledger.entries import Entry, Posted
from croupier.ledger.leases import Fence
from croupier.ledger.protocol import Ledger, LedgerBroken
from croupier.refusal import Refused
from croupier.runtime import tracing
from croupier.runtime.measurements import LatencyHistogram
from croupier.runtime.players.balances import BalanceCache
from croupier.runtime.players.player_limits import PlayerLimits
from croupier.runtime.wallet.rounds import WalletRounds

T = TypeVar("T")


class ChangeWithEntries(Protocol):
    """A change in a repository, and the entries that were posted with it."""

    @property
    def entries(self) -> tuple[Entry, ...]: ...


C = TypeVar("C", bound=ChangeWithEntries)


class WriteCounts:
    """Numbers of the writes that were submitted and answered since the start."""

    __slots__ = ("answered", "submitted")

    def __init__(self) -> None:
        self.submitted = 0
        self.answered = 0

    @property
    def pending(self) -> int:
        return self.submitted - self.answered


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
        self.writes = WriteCounts()

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
        with self._limits.reserve(entries):
            await self.post_reserved(entries)

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
        return await self._durable(written, partial(self._groups_posted, completed))

    async def _committed(self, written: Future[tuple[T, ...]], entries: Sequence[Entry]) -> tuple[T, ...]:
        return await self._durable(written, partial(self._posted, entries))

    async def _durable(self, written: Future[T], posted: Callable[[Future[T]], None]) -> T:
        """Wait for a post; the cached balances move in the order of the commits."""
        requested = perf_counter()
        _when_done(written, posted)
        results = await self.durable(written)
        self.commit_latency.observe(perf_counter() - requested)
        return results

    def _posted(self, entries: Sequence[Entry], done: Future[tuple[Any, ...]]) -> None:
        if done.exception() is None:
            self._apply(entries, done.result())

    def _groups_posted(
        self, groups: Sequence[Sequence[Entry]], done: Future[tuple[tuple[Posted, ...] | Refused, ...]]
    ) -> None:
        if done.exception() is None:
            for entries, result in zip(groups, done.result(), strict=True):
                if not isinstance(result, Refused):
                    self._apply(entries, result)

    def _apply(self, entries: Sequence[Entry], results: Sequence[Posted | Refused]) -> None:
        for entry, result in zip(entries, results, strict=True):
            if isinstance(result, Posted) and not result.duplicate:
                self._balances.apply(entry, result.refused)
                self._wallet.follow(entry)
                if self._on_applied:
                    self._on_applied(result.seq)

    async def recorded(self, written: Future[C]) -> C:
        """Wait for a change with its entries, and move the cached balances in the order of the commits."""
        _when_done(written, self._recorded)
        return await self.durable(written)

    def _recorded(self, done: Future[C]) -> None:
        if done.exception() is None:
            for entry in done.result().entries:
                self._balances.apply(entry)

    async def arrives(self, arriving: Future[tuple[Player, PlayerBalances] | None]) -> Player | None:
        """Wait for `Accounts.arriving`, and cache the balances, which must be forgotten as often."""
        _when_done(arriving, self._arrived)
        came = await self.durable(arriving)
        return came[0] if came else None

    def _arrived(self, done: Future[tuple[Player, PlayerBalances] | None]) -> None:
        if done.exception() is None and (came := done.result()):
            player, balances = came
            self._balances.keep(player.id, balances)

    async def arrives_known(self, player: str, reading: Future[PlayerBalances]) -> None:
        """Wait for `Accounts.balances`, and cache them, which must be forgotten as often."""

        def read(done: Future[PlayerBalances]) -> None:
            if done.exception() is None:
                self._balances.keep(player, done.result())

        _when_done(reading, read)
        await self.durable(reading)

    async def refreshes(self, player: str, reading: Future[PlayerBalances]) -> list[str]:
        """Wait for `Accounts.balances`, replace the cached ones, and return the changed currencies."""
        changed = list[str]()

        def read(done: Future[PlayerBalances]) -> None:
            if done.exception() is None:
                changed.extend(self._balances.replace(player, done.result(), self._wallet.currencies))

        _when_done(reading, read)
        await self.durable(reading)
        return changed

    async def durable(self, written: Future[T]) -> T:
        """Wait for a write that was submitted to a store, the ledger or a repository."""
        waits = asyncio.get_running_loop().create_future()
        self.writes.submitted += 1
        _when_done(written, partial(self._wake, waits))
        with tracing.span("ledger commit"):
            await waits
        self._on_written()
        try:
            return written.result()
        except LedgerBroken:
            self.broken.set()
            raise

    def _wake(self, waits: asyncio.Future[None], _: Future[Any]) -> None:
        self.writes.answered += 1
        if not waits.done():  # the caller was cancelled
            waits.set_result(None)


def standalone_gateway(ledger: Ledger) -> LedgerGateway:
    """Return a gateway for a process without connected players."""
    balances = BalanceCache()
    return LedgerGateway(ledger, balances, PlayerLimits(ledger, balances, lambda _: None), WalletRounds())


def _when_done(done: Future[T], call: Callable[[Future[T]], None]) -> None:
    """Call with the future in the event loop's thread: at once if it is resolved there, else soon.

    Futures keep their callbacks, so one that referred to its future would be garbage only a collector finds.
    """
    loop, thread = asyncio.get_running_loop(), get_ident()

    def resolved(done: Future[T]) -> None:
        if get_ident() == thread:
            call(done)
        else:
            loop.call_soon_threadsafe(call, done)

    done.add_done_callback(resolved)


def _nothing() -> None:
    pass
