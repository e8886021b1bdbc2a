"""Balances of an operator's wallet, as players see them."""

import asyncio
import logging
from collections.abc import Collection
from contextlib import suppress
from itertools import count

from croupier.admission.balances import BalanceCache
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.ledger.entries import Ticket
from croupier.ledger.protocol import DatabaseUnreachable, LedgerReader
from croupier.money.wallet.client import WalletClient
from croupier.outside.due_work import delay_ms
from croupier.outside.no_answer import NoAnswer
from croupier.outside.systems import FailedWork, OutsideSystem
from croupier.players.connected_players import ConnectedPlayers
from croupier.protocol.wallet_wire import WalletAnswer, WalletBalanceQuestion

AGAIN_MS_MIN = 1_000
"""Time until an unknown balance is asked for again, which doubles with each further time."""
AGAIN_MS_MAX = 30_000
ASKED_AGAIN_MAX = 32
"""Questions for unknown balances at once: when the wallet is back, debits mustn't wait behind thousands."""

log = logging.getLogger(__name__)


class WalletBalances:
    """Shows a balance that the wallet reports, with what is still to be credited to it.

    A balance is unknown until the wallet has answered for the first time in a player's visit.
    """

    def __init__(
        self,
        gateway: LedgerGateway,
        ledger: LedgerReader,
        balances: BalanceCache,
        players: ConnectedPlayers,
        client: WalletClient,
        system: OutsideSystem,
    ) -> None:
        """Take the wallet's system, whose answers end the waiting."""
        self._gateway = gateway
        self._ledger = ledger
        self._numbers = count()
        self._last: dict[tuple[str, str], int] = {}
        """The number of the last answer that is being shown, by player and currency."""
        self._balances = balances
        self._players = players
        self._client = client
        self._asked: set[str] = set()
        """Players whose balances are asked for, and who have been shown none meanwhile."""
        self._asking_again: dict[str, asyncio.Task[None]] = {}
        """By player."""
        self._free = asyncio.Semaphore(ASKED_AGAIN_MAX)
        self._failed = FailedWork(system)
        self._answers: dict[str, asyncio.Event] = {}
        """Wake the players' questions."""
        system.on_answer.append(self._wake)

    def expect(self, player: str, currencies: Collection[str]) -> None:
        """Note that an arriving player's balances are to be asked for."""
        self._balances.expect_cash(player, currencies)

    async def ask(self, player: str, name: str, currencies: Collection[str]) -> None:
        """Ask for a player's balances. Unknown ones are asked for again until the player leaves."""
        await self._ask_each(player, name, currencies)
        if self._is_unknown(player, currencies) and player not in self._asking_again:
            log.warning("wallet: the balance of %s is unknown and is asked for again", player)
            task = asyncio.create_task(self._ask_again(player, name, currencies))
            self._asking_again[player] = task
            task.add_done_callback(lambda _: self._end(player))

    @property
    def unknown(self) -> int:
        """The number of connected players whose balances are unknown."""
        return len(self._asking_again)

    async def close(self) -> None:
        for task in tuple(self._asking_again.values()):
            task.cancel()

    async def current_minor(self, name: str, currency: str) -> int | None:
        """Ask for a balance that isn't shown to the player; None if the wallet doesn't say."""
        try:
            answer = await self._client.ask(WalletBalanceQuestion(name, currency))
        except NoAnswer:
            return None
        return answer.balance_minor

    async def show(self, of: Ticket, answer: WalletAnswer) -> None:
        """Show the balance of an answer, whose outcome is in the ledger, unless a newer one is shown."""
        self._asked.discard(of.player)
        if answer.balance_minor is None or of.player not in self._players:
            return
        key, number = (of.player, of.currency), next(self._numbers)
        self._last[key] = number
        try:
            held = await self._gateway.read(self._ledger.balances, of.player)
        except DatabaseUnreachable:
            return  # the answer to the next bet has the balance
        if self._last.get(key) != number:
            return
        del self._last[key]
        if of.player not in self._players:
            return
        owed_minor = held.get(of.currency, {}).get("owed", 0)
        self._balances.set_cash(of.player, of.currency, answer.balance_minor + owed_minor)
        self._players.send_balance(of.player, of.currency)

    async def _ask_each(self, player: str, name: str, currencies: Collection[str]) -> None:
        """Ask for balances. One may be older than one that was shown meanwhile: drop it."""
        for currency in currencies:
            self._asked.add(player)
            try:
                answer = await self._client.ask(WalletBalanceQuestion(name, currency))
            except NoAnswer as error:
                log.debug("wallet: no answer about a balance: %s", error)
                return
            if player in self._asked:
                await self.show(Ticket("", player, "", currency), answer)

    async def _ask_again(self, player: str, name: str, currencies: Collection[str]) -> None:
        attempts = 0
        while self._is_unknown(player, currencies):
            await self._wait(player, delay_ms(attempts, AGAIN_MS_MIN, AGAIN_MS_MAX))
            attempts += 1
            async with self._free:
                await self._ask_each(player, name, self._unknown(player, currencies))

    async def _wait(self, player: str, longest_ms: int) -> None:
        """Wait for the next attempt, or until the wallet answers anything."""
        self._failed.failed(player)
        woken = self._answers[player] = asyncio.Event()
        with suppress(TimeoutError):
            async with asyncio.timeout(longest_ms / 1000):
                await woken.wait()

    def _wake(self) -> None:
        for player in self._failed.wake():
            self._answers[player].set()

    def _end(self, player: str) -> None:
        del self._asking_again[player]
        self._answers.pop(player, None)
        self._failed.forget(player)

    def _unknown(self, player: str, currencies: Collection[str]) -> list[str]:
        if player not in self._players:
            return []
        return self._balances.unknown(player, currencies)

    def _is_unknown(self, player: str, currencies: Collection[str]) -> bool:
        return bool(self._unknown(player, currencies))
