"""An operator's wallet as a whole: recovery at the start, balances of arriving players, and the end."""

import asyncio
import logging
from collections.abc import Collection
from contextlib import suppress

from croupier.accounts.identity import Player
from croupier.accounts.repository import ExternalPlayers
from croupier.admission.balances import BalanceCache
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.admission.player_limits import PlayerLimits
from croupier.cluster.table_leases import TableLeases
from croupier.config.wallet import ConfiguredWallet
from croupier.ledger.protocol import LedgerReader
from croupier.ledger.wallet_rounds import WalletRounds
from croupier.money.wallet.balances import WalletBalances
from croupier.money.wallet.client import WalletClient, wallet_client
from croupier.money.wallet.driver import WalletDriver
from croupier.money.wallet.names import OperatorNames
from croupier.money.wallet.orphaned_calls import OrphanedCalls
from croupier.money.wallet.stakes import WalletStakes
from croupier.outside.systems import OutsideSystem
from croupier.players.connected_players import ConnectedPlayers
from croupier.refusal import Refused

FIRST_BALANCE_S = 1.0
"""Maximum time that an arriving player waits for their balance."""
REFRESH_S = 5.0
"""Minimum time between questions for a connected player's balances."""
STAFF_WAIT_S = 3.0
"""Maximum time that a staff page waits for balances."""
LAST_CALLS_S = 5.0
"""Maximum time that a stopping server spends on what is due."""

log = logging.getLogger(__name__)


def wallet_service(
    gateway: LedgerGateway,
    ledger: LedgerReader,
    external: ExternalPlayers,
    balances: BalanceCache,
    players: ConnectedPlayers,
    limits: PlayerLimits,
    rounds: WalletRounds,
    wallet: ConfiguredWallet,
    leases: TableLeases,
    system: OutsideSystem,
) -> "WalletService":
    """Return the wallet of a configuration; it isn't called yet."""
    client, names = wallet_client(wallet, system), OperatorNames(gateway, external)
    shown = WalletBalances(gateway, ledger, balances, players, client, system)
    stakes = WalletStakes(gateway, limits, rounds, names, client, shown)
    driver = WalletDriver(gateway, rounds, names, client, shown, system)
    orphaned = OrphanedCalls(leases, driver) if wallet.secret and leases.is_shared else None
    return WalletService(ledger, rounds, stakes, driver, shown, client, names, orphaned)


class WalletService:
    """Call `load` before any table starts."""

    def __init__(
        self,
        ledger: LedgerReader,
        rounds: WalletRounds,
        stakes: WalletStakes,
        driver: WalletDriver,
        balances: WalletBalances,
        client: WalletClient,
        names: OperatorNames,
        orphaned: OrphanedCalls | None = None,
    ) -> None:
        """`orphaned`: those of other processes on this database, if there may be any."""
        self.driver = driver
        self.stakes = stakes
        self._ledger = ledger
        self._rounds = rounds
        self.balances = balances
        self._client = client
        self._names = names
        self._orphaned = orphaned
        self._asking: set[asyncio.Task[None]] = set()
        self._fresh: set[str] = set()
        """Players whose balances were asked for a moment ago."""

    async def load(self) -> None:
        """Read what is open, and have the debits rolled back whose answers a crash has lost."""
        await asyncio.to_thread(self._rounds.load, self._ledger)
        await self._roll_back_unanswered()
        await self.driver.load()
        if self._orphaned:
            self._orphaned.start()

    async def close(self) -> None:
        """Send what is due once more, then close the client; the next start sends the rest."""
        if self._orphaned:
            await self._orphaned.close()
        await self._roll_back_unanswered()
        with suppress(TimeoutError):
            await asyncio.wait_for(self.driver.work(), LAST_CALLS_S)
        for task in self._asking:
            task.cancel()
        await self.balances.close()
        await self._client.close()

    def expect(self, player: Player) -> None:
        """Note that an arriving player's balances aren't known yet; `arrived` asks for them."""
        if self._has_wallet(player):
            self.balances.expect(player.id, self._rounds.currencies)

    async def arrived(self, player: Player) -> None:
        """Ask for the balances of an arriving player, who waits a moment for them."""
        if self._has_wallet(player):
            await asyncio.wait([self._ask(player)], timeout=FIRST_BALANCE_S)

    def refresh(self, player: Player) -> None:
        """Ask for the balances of a connected player, who may have played elsewhere."""
        if self._has_wallet(player) and player.id not in self._fresh:
            self._ask(player)

    async def current_minor(self, asked: Collection[tuple[str, str]]) -> dict[tuple[str, str], int | None]:
        """Ask for balances by the player's name and currency; None where the wallet doesn't say in time."""
        found = dict[tuple[str, str], int | None].fromkeys(asked)

        async def ask(name: str, currency: str) -> None:
            found[name, currency] = await self.balances.current_minor(name, currency)

        questions = [asyncio.create_task(ask(*each)) for each in asked]
        if questions:
            _, late = await asyncio.wait(questions, timeout=STAFF_WAIT_S)
            for question in late:
                question.cancel()
        return found

    async def current_of(self, asked: Collection[tuple[str, str]]) -> dict[tuple[str, str], int | None]:
        """Return the balances in the wallet by player and currency, as `current_minor` does."""
        names = {player: await self._names.of(player) for player, _ in asked}
        found = await self.current_minor([(names[player], currency) for player, currency in asked])
        return {(player, currency): found[names[player], currency] for player, currency in asked}

    def _has_wallet(self, player: Player) -> bool:
        return player.identity.kind == "operator" and bool(self._rounds.currencies)

    def _ask(self, player: Player) -> asyncio.Task[None]:
        self._fresh.add(player.id)
        asyncio.get_running_loop().call_later(REFRESH_S, self._fresh.discard, player.id)
        name = player.identity.name
        task = asyncio.create_task(self.balances.ask(player.id, name, sorted(self._rounds.currencies)))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)
        return task

    async def _roll_back_unanswered(self) -> None:
        for call in self._rounds.calls.unanswered():
            with suppress(Refused):  # it has been answered meanwhile
                await self.stakes.roll_back(call)
