"""The ledger for the event loop: entries are awaited until they are durable, and balances follow them."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from threading import get_ident
from typing import Any, TypeVar

from croupier.accounts.balances import PlayerBalances
from croupier.accounts.identity import Player
from croupier.ledger.entries import Entry, Posted
from croupier.ledger.protocol import Ledger, LedgerBroken
from croupier.refusal import Refused
from croupier.runtime.players.balances import BalanceCache
from croupier.runtime.players.player_limits import PlayerLimits

T = TypeVar("T")


class LedgerGateway:
    """`broken` is set when a commit has failed: what is on disk is unknown then, so the server must stop."""

    def __init__(self, ledger: Ledger, balances: BalanceCache, limits: PlayerLimits) -> None:
        self._ledger = ledger
        self._balances = balances
        self._limits = limits
        self.broken = asyncio.Event()

    async def post(self, entries: Sequence[Entry]) -> None:
        """Post all entries or none, and wait for the durable commit.

        Refused as the ledger refuses, and where a player's own limits or a break forbid it.
        """
        with self._limits.letting(entries):
            written = self._ledger.post(entries)
            self._follow(written, entries)
            await self.durable(written)

    async def post_each(self, entries: Sequence[Entry]) -> tuple[Posted | Refused, ...]:
        """Post each entry by itself, all in one durable commit; refused ones have changed nothing.

        The caller checks the players' own limits, see `PlayerLimits.holding`.
        """
        written = self._ledger.post_each(entries)
        self._follow(written, entries)
        return await self.durable(written)

    def _follow(self, written: Future[tuple[Any, ...]], entries: Sequence[Entry]) -> None:
        """Move the cached balances in the order of the commits."""
        _when_done(written, lambda: self._posted(written, entries))

    def _posted(self, done: Future[tuple[Any, ...]], entries: Sequence[Entry]) -> None:
        if done.exception() is None:
            for entry, result in zip(entries, done.result(), strict=True):
                if isinstance(result, Posted) and not result.duplicate:
                    self._balances.entered(entry, result.refused)

    async def arrives(self, arriving: Future[tuple[Player, PlayerBalances] | None]) -> Player | None:
        """Wait for `Accounts.arriving`, and cache the balances until they are forgotten as often."""
        _when_done(arriving, lambda: self._arrived(arriving))
        came = await self.durable(arriving)
        return came[0] if came else None

    def _arrived(self, done: Future[tuple[Player, PlayerBalances] | None]) -> None:
        if done.exception() is None and (came := done.result()):
            player, balances = came
            self._balances.keep(player.id, balances)

    async def durable(self, written: Future[T]) -> T:
        """Wait for what was handed to a store, the ledger or a repository."""
        waits = asyncio.get_running_loop().create_future()
        _when_done(written, partial(_wake, waits))
        await waits
        try:
            return written.result()
        except LedgerBroken:
            self.broken.set()
            raise


def standalone_gateway(ledger: Ledger) -> LedgerGateway:
    """Return a gateway for a process without connected players."""
    balances = BalanceCache()
    return LedgerGateway(ledger, balances, PlayerLimits(ledger, balances, lambda _: None))


def _when_done(done: Future[Any], call: Callable[[], None]) -> None:
    """Call in the event loop's thread: at once where the future is resolved there, else soon."""
    loop, thread = asyncio.get_running_loop(), get_ident()

    def resolved(_: Future[Any]) -> None:
        if get_ident() == thread:
            call()
        else:
            loop.call_soon_threadsafe(call)

    done.add_done_callback(resolved)


def _wake(waits: asyncio.Future[None]) -> None:
    if not waits.done():  # the caller was cancelled
        waits.set_result(None)
