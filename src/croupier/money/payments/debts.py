"""Debts of players whose payments were reversed: their money pays them, and they can't play meanwhile."""

import logging
from collections.abc import Callable, Iterable, Mapping

from croupier import clock
from croupier.accounts.repository import PaymentRepository
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.ledger.entries import DEBT, Entry
from croupier.outside.due_work import DueWork

AGAIN_MS = 60_000
"""Time to the next attempt to collect a debt, such as from what an open round returns."""

log = logging.getLogger(__name__)


class DebtCollector:
    """Collects debts from players' cash, whenever there is any. `on_collected` gets player and currency."""

    def __init__(
        self,
        gateway: LedgerGateway,
        payments: PaymentRepository,
        on_collected: Callable[[str, str], None],
    ) -> None:
        self._gateway = gateway
        self._payments = payments
        self._on_collected = on_collected
        self._due = DueWork()
        self._owed: dict[str, dict[str, int]] = {}

    async def load(self) -> None:
        """Read who owes anything."""
        for player in await self._gateway.durable(self._payments.debtors()):
            await self._collect(player)

    def owed(self, player: str) -> Mapping[str, int]:
        """Return what a player owes, by currency."""
        return self._owed.get(player, {})

    def follow(self, entries: Iterable[Entry]) -> None:
        """Count what these posted entries make a player owe, until it is read again."""
        for entry in entries:
            if minor := entry.moved(DEBT, "cashier"):
                owed, currency = self._owed.setdefault(entry.player, {}), entry.moves[0].debit.currency
                owed[currency] = owed.get(currency, 0) + minor
            if entry.player in self._owed:
                self.look_at(entry.player)

    def look_at(self, player: str) -> None:
        """Collect what a player owes, if anything, as soon as possible."""
        self._due.put(player, 0)

    async def run(self) -> None:
        """Collect debts until the task is cancelled."""
        await self._due.run(self.work, "collecting debts", log)

    async def work(self) -> None:
        """Collect what is due now."""
        with self._due.claimed(self._due.due()) as players:
            for player in sorted(players):
                self._due.drop(player)
                await self._collect(player)

    async def _collect(self, player: str) -> None:
        found = await self._gateway.recorded(self._payments.collect(player, clock.now_ms()))
        owed = {currency: minor for currency, minor in found.owed_minor.items() if minor}
        for currency in found.owed_minor:
            self._on_collected(player, currency)
        self._owed.pop(player, None)
        if owed:
            self._owed[player] = owed
            self._due.put(player, clock.now_ms() + AGAIN_MS)
