"""Guests' play money, and the deletion of guests who never played.

Anybody can become a guest. A guest who hasn't played and hasn't come back for some days is deleted with their
session; an `expiry` entry returns the welcome grant, so the ledger holds no money without an owner.
"""

from collections.abc import Container, Mapping

from croupier.accounts.repository import UnusedGuests
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.ledger import entries
from croupier.ledger.entries import Entry

BATCH_SIZE = 200
"""Players checked in one sweep."""
DAY_MS = 24 * 60 * 60 * 1000


def welcome_grants(player: str, grants: Mapping[str, int], now_ms: int) -> list[Entry]:
    """Return the entries that give a new guest these amounts, in smallest units by currency."""
    return [
        entries.grant(f"grant:{player}:{currency}", now_ms, player, currency, amount, "welcome")
        for currency, amount in grants.items()
        if amount
    ]


class GuestExpiry:
    """Deletes guests who never played, `days` after they were last seen; 0: never."""

    def __init__(self, gateway: LedgerGateway, unused: UnusedGuests, days: int) -> None:
        self._gateway = gateway
        self._unused = unused
        self._days = days
        self._after = ""

    async def sweep(self, connected: Container[str], now_ms: int) -> int:
        """Delete the unused, unconnected guests of the next batch of players; return their number."""
        if not self._days:
            return 0
        before_ms = now_ms - self._days * DAY_MS
        finding = self._unused.find(self._after, BATCH_SIZE, before_ms)
        self._after, found = await self._gateway.durable(finding)
        unused = tuple(player for player in found if player not in connected)
        if not unused:
            return 0
        deleted = await self._gateway.durable(self._unused.delete(unused, before_ms, now_ms))
        return len(deleted)
