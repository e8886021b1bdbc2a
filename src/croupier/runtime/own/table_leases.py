"""Leases of own tables, which players open on any node.

An own table needs no renewal: the node where its player opens it takes it over at once. The fence is an
optimistic lock on the table's round, since what the former node posts later is refused.
"""

from croupier.ledger.leases import Fence, Leases
from croupier.runtime.ledger_gateway import LedgerGateway
from croupier.runtime.live.lease import owner_name


class OwnTableLeases:
    """Takes own tables over in the name of this process."""

    def __init__(self, leases: Leases, gateway: LedgerGateway) -> None:
        self._leases = leases
        self._gateway = gateway
        self._owner = owner_name()

    @property
    def shared(self) -> bool:
        """True if players may open tables of this database in other processes too."""
        return self._leases.shared

    async def seize(self, player: str, table: str) -> Fence:
        """Take a player's table over, whoever has it."""
        return await self._gateway.durable(self._leases.seize(f"own:{player}:{table}", self._owner))

    async def holds(self, fence: Fence) -> bool:
        """Return whether nobody has taken the table over."""
        return await self._gateway.durable(self._leases.renew(fence))
