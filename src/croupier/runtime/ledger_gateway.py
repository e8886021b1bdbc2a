"""The books as the running house uses them: entries awaited until they are durable, and what players have."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from functools import partial
from threading import get_ident
from typing import Any, TypeVar

from croupier.accounts.balances import PlayerBalances
from croupier.accounts.identity import Player
from croupier.ledger import entries
from croupier.ledger.entries import Entry, Posted
from croupier.ledger.protocol import Ledger, LedgerBroken
from croupier.play.contract.amounts import CURRENCIES
from croupier.play.contract.bets import Wager
from croupier.protocol.wire import Balance
from croupier.refusal import Refused
from croupier.runtime import round_entries
from croupier.runtime.balances import Purses
from croupier.runtime.player_limits import Keeper
from croupier.runtime.requests import RequestKey
from croupier.runtime.round_entries import REQUEST
from croupier.runtime.shoe_seal import Seal

T = TypeVar("T")

PLAY_MONEY = frozenset(CURRENCIES)
"""Currencies that can't be bought or cashed: all of them, for the cashier here is one of play money."""


class Bank:
    """`ledger` the books, `seal` of the shoes in them, `currencies` those that the server has.

    `broken` is set when a commit has failed: what is on disk is unknown then, so the house must close.
    """

    def __init__(
        self,
        ledger: Ledger,
        seal: Seal,
        visit_began_ms: Callable[[str], int | None] = lambda _: None,
        currencies: Collection[str] = (),
    ) -> None:
        self.ledger = ledger
        self.seal = seal
        self.currencies = currencies
        self.purses = Purses()
        self.keeper = Keeper(ledger, self.purses, visit_began_ms)
        self.broken = asyncio.Event()

    async def enter(self, posted: Sequence[Entry]) -> None:
        """Enters all of it or nothing, and waits for the durable commit.

        Refused as the ledger refuses, and where a player has set himself a limit.
        """
        with self.keeper.letting(posted):
            written = self.ledger.post(posted)
            self._follow(written, posted)
            await self.durable(written)

    async def enter_each(self, posted: Sequence[Entry]) -> tuple[Posted | Refused, ...]:
        """Enters each by itself, all in one durable commit; the refused ones changed nothing."""
        written = self.ledger.post_each(posted)
        self._follow(written, posted)
        return await self.durable(written)

    def _follow(self, written: Future[tuple[Any, ...]], posted: Sequence[Entry]) -> None:
        """The purses follow the books, in the order of the commits."""
        _when_done(written, lambda: self._moved(written, posted))

    def _moved(self, done: Future[tuple[Any, ...]], posted: Sequence[Entry]) -> None:
        if done.exception() is None:
            for entry, result in zip(posted, done.result(), strict=True):
                if isinstance(result, Posted) and not result.duplicate:
                    self.purses.entered(entry, result.refused)

    async def arrives(self, read: Future[tuple[Player, PlayerBalances] | None]) -> Player | None:
        """Whose session it is; what he has is known without a query until his purse is forgotten as often."""
        _when_done(read, lambda: self._arrived(read))
        came = await self.durable(read)
        return came[0] if came else None

    def _arrived(self, done: Future[tuple[Player, PlayerBalances] | None]) -> None:
        if done.exception() is None and (came := done.result()):
            player, purse = came
            self.purses.keep(player.id, purse)

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

    def carried_out(self, request: RequestKey) -> bool:
        """Return whether the request is in the journal; refuse `key_reused` where its id has other content.

        Entries from before digests were kept have none to compare.
        """
        entry = self.ledger.entry(request.key)
        if entry is None:
            return False
        if entry.kind not in ("deal", "answer") or entry.body.get(REQUEST, request.digest) != request.digest:
            raise Refused("key_reused", req=request.req)
        return True

    def cash(self, player: str, currency: str) -> int:
        return self.ledger.balances(player).get(currency, {}).get("cash", 0)

    def balances(self, player: str, visit_ms: int) -> tuple[Balance, ...]:
        """Every currency that the server has, with what was staked and returned since the visit began."""
        held = self.ledger.balances(player)
        visit = self.ledger.totals(player, since_ms=visit_ms)
        return tuple(
            Balance(
                currency,
                held.get(currency, {}).get("cash", 0),
                held.get(currency, {}).get("in_play", 0),
                *visit.get(currency, (0, 0)),
            )
            for currency in self.currencies
        )

    def last_started_ms(self, player: str) -> int:
        """Return when the player's last round at any table started; 0 if there was none."""
        return next((line.started_ms for line in self.ledger.rounds(player, limit=1)), 0)

    def played_from_ms(self, player: str, visit_ms: int) -> int:
        """When the first bet of this visit was made; 0: there was none, which takes no query."""
        if not self.purses.has_staked(player):
            return 0
        return self.ledger.first_started_ms(player, since_ms=visit_ms)

    async def note_reminder(self, player: str, now_ms: int, minutes: int) -> None:
        """Enter that the player has answered a reality check, which came after so many minutes."""
        key = f"{_reminders(player)}{now_ms:014d}"
        await self.enter([entries.note(key, now_ms, {"minutes": minutes}, player=player)])

    def last_reminded_ms(self, player: str) -> int:
        """Return when the player answered the last reality check; 0 if never."""
        return next((note.at_ms for note in self.ledger.notes(_reminders(player), limit=1)), 0)

    def last_wagers(self, player: str, table: str, currency: str) -> tuple[Wager, ...]:
        """The stakes of his last round at this table, if it was in this currency: for Rebet."""
        if "in_play" not in self.ledger.balances(player).get(currency, {}):
            return ()  # he never staked any, which is seen at once: thousands may come for the first time
        for line in self.ledger.rounds(player, table=table, limit=1):
            if line.currency == currency and (record := self.ledger.round(line.id)):
                return round_entries.wagers_of(record)
        return ()


def _reminders(player: str) -> str:
    """The prefix of the notes' keys."""
    return f"reminder:{player}:"


def _when_done(done: Future[Any], call: Callable[[], None]) -> None:
    """`call` in the loop's thread: at once where it is done there, as by a clerk, and no turns later."""
    loop, thread = asyncio.get_running_loop(), get_ident()

    def heard(_: Future[Any]) -> None:
        if get_ident() == thread:
            call()
        else:
            loop.call_soon_threadsafe(call)

    done.add_done_callback(heard)


def _wake(waits: asyncio.Future[None]) -> None:
    if not waits.done():  # who waited has given up
        waits.set_result(None)
