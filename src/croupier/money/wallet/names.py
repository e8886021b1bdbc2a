"""The operator's own names of its players."""

from collections import OrderedDict

from croupier.accounts.repository import ExternalPlayers
from croupier.admission.ledger_gateway import LedgerGateway

CACHED_MAX = 50_000


class OperatorNames:
    """Names are read once, and the last ones are cached; they never change."""

    def __init__(self, gateway: LedgerGateway, external: ExternalPlayers) -> None:
        self._gateway = gateway
        self._external = external
        self._known: OrderedDict[str, str] = OrderedDict()

    async def of(self, player: str) -> str:
        """Return a player's name; empty if they aren't the operator's."""
        if player in self._known:
            return self._known[player]
        name = await self._gateway.durable(self._external.name_of(player))
        if name:  # a guest may still become the operator's player
            self._known[player] = name
            if len(self._known) > CACHED_MAX:
                self._known.popitem(last=False)
        return name
