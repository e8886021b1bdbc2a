"""The cashier of play money."""

from collections.abc import Callable

from croupier import clock
from croupier.accounts.identity import Player
from croupier.accounts.repository import PaymentRepository
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.config import ServerConfig
from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.money.bonus.service import Bonuses
from croupier.players.connected_players import ConnectedPlayers
from croupier.players.queries import PlayerQueries
from croupier.players.settings import check_currency, check_not_of_wallet
from croupier.protocol.wire import Balance, CashierRequest
from croupier.refusal import Refused
from croupier.rounds.requests import RequestRegistry, digest, request_key

MakeEntry = Callable[[str, int, str, str, int], Entry]


class Cashier:
    """Carries out each request once, however often it is sent."""

    def __init__(
        self,
        gateway: LedgerGateway,
        requests: RequestRegistry,
        players: ConnectedPlayers,
        queries: PlayerQueries,
        bonuses: Bonuses,
        config: ServerConfig,
        repository: PaymentRepository,
    ) -> None:
        self._repository = repository
        self._gateway = gateway
        self._requests = requests
        self._players = players
        self._queries = queries
        self._bonuses = bonuses
        self._currencies = config.currencies
        self._of_wallet = config.wallet.currencies

    async def deposit(self, player: Player, request: CashierRequest) -> Balance:
        return await self._carry_out(player, request, entries.deposit)

    async def withdraw(self, player: Player, request: CashierRequest) -> Balance:
        return await self._carry_out(player, request, entries.withdrawal)

    async def _carry_out(self, player: Player, request: CashierRequest, entry: MakeEntry) -> Balance:
        """Carry out a request once; its id is claimed with the direction, which isn't part of the request.

        Refuse `not_play_money` for a currency of value: only a payment may bring it in.
        """
        check_currency(request.currency, self._currencies)
        check_not_of_wallet(request.currency, self._of_wallet)
        if not self._currencies[request.currency].play_money:
            raise Refused("not_play_money", currency=request.currency)
        content = digest(request) + entry.__name__.encode()
        self._requests.of(player.id).claim(request.req, content)
        try:
            key = request_key(player.id, request.req, request).key
            posted = entry(key, clock.now_ms(), player.id, request.currency, request.amount_minor)
            await self._post(posted, request.forfeit_minor)
        except Refused as refused:
            if refused.code == "key_reused":
                raise Refused("key_reused", req=request.req) from refused
            raise
        self._players.send_balance(player.id, request.currency)
        balances = await self._gateway.read(self._queries.balances, player.id, player.visit_ms)
        return next(balance for balance in balances if balance.currency == request.currency)

    async def _post(self, posted: Entry, forfeit_minor: int) -> None:
        """Post a deposit, or a withdrawal together with the end of the player's bonus."""
        if posted.kind == "deposit":
            await self._gateway.post([posted])
            return
        try:
            async with self._bonuses.withdrawing(posted, forfeit_minor) as ends:
                await self._gateway.recorded(self._repository.withdraw_play_money(posted, ends))
        except Refused as refused:
            if refused.code == "bonus_forfeit":  # another node may have granted, changed or ended it
                await self._bonuses.reload(posted.player)
            raise
