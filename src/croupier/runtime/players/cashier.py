"""The cashier of play money."""

from collections.abc import Callable, Collection

from croupier import clock
from croupier.accounts.identity import Player
from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.play.contract.amounts import CURRENCIES
from croupier.protocol.wire import Balance, CashierRequest
from croupier.refusal import Refused
from croupier.runtime.ledger_gateway import LedgerGateway
from croupier.runtime.players.queries import PlayerQueries
from croupier.runtime.players.registry import ConnectedPlayers
from croupier.runtime.players.settings import check_currency
from croupier.runtime.requests import RequestRegistry, digest, request_key

PLAY_CURRENCIES = frozenset(CURRENCIES)
"""Currencies that can't be bought or cashed: all of them."""

MakeEntry = Callable[[str, int, str, str, int], Entry]


class Cashier:
    """Carries out each request once, however often it is sent."""

    def __init__(
        self,
        gateway: LedgerGateway,
        requests: RequestRegistry,
        players: ConnectedPlayers,
        queries: PlayerQueries,
        currencies: Collection[str],
    ) -> None:
        self._gateway = gateway
        self._requests = requests
        self._players = players
        self._queries = queries
        self._currencies = currencies

    async def deposit(self, player: Player, request: CashierRequest) -> Balance:
        return await self._carry_out(player, request, entries.deposit)

    async def withdraw(self, player: Player, request: CashierRequest) -> Balance:
        return await self._carry_out(player, request, entries.withdrawal)

    async def _carry_out(self, player: Player, request: CashierRequest, entry: MakeEntry) -> Balance:
        """Claim the id with the direction too, which isn't part of the request."""
        check_currency(request.currency, self._currencies)
        content = digest(request) + entry.__name__.encode()
        self._requests.of(player.id).claim(request.req, content)
        try:
            key = request_key(player.id, request.req, request).key
            posted = entry(key, clock.now_ms(), player.id, request.currency, request.amount_minor)
            await self._gateway.post([posted])
        except Refused as refused:
            if refused.code == "key_reused":
                raise Refused("key_reused", req=request.req) from refused
            raise
        self._players.tell_balance(player.id, request.currency)
        balances = self._queries.balances(player.id, player.visit_ms)
        return next(balance for balance in balances if balance.currency == request.currency)
