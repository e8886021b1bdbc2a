"""The server's payments without a network, in one life after another on the same ledger."""

from itertools import count

from croupier import clock
from croupier.accounts.identity import Identity, Player
from croupier.accounts.payments import Payment, PaymentOutcome
from croupier.accounts.responsible_gaming import RestrictionChange
from croupier.admission.balances import BalanceCache
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.admission.player_limits import PlayerLimits
from croupier.config import DEFAULT_CONFIG
from croupier.config.payments import ConfiguredPayments, PaymentMethodConfig, PaymentsConfig
from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.ledger.wallet_rounds import WalletRounds
from croupier.money.bonus.offers import BonusOffers
from croupier.money.bonus.service import Bonuses
from croupier.money.payments.providers import PaymentServices
from croupier.money.payments.service import PaymentService, payment_id
from croupier.players.connected_players import ConnectedPlayers
from croupier.players.queries import PlayerQueries
from croupier.protocol.signatures import SignedBody
from croupier.protocol.wire import CashierRequest
from croupier.refusal import Refused
from croupier.rounds.requests import RequestRegistry
from croupier.storage.sql.payments import SqlPayments
from tests.money.payments.crashing import Crash, Crashes, CrashingPayments, FailingProvider

START = 10_000
CONFIG = DEFAULT_CONFIG._replace(
    payments=ConfiguredPayments(
        PaymentsConfig(deposit_minutes=1), {"EUR": PaymentMethodConfig(min_minor=1, max_minor=5_000)}
    )
)
_players = count(1)


class Process:
    """One life of the server's payments after another, on the same ledger."""

    def __init__(self, ledger: SqliteLedger, known: Player | None = None) -> None:
        """Use the ledger with a new player, or as another node with a known one."""
        self.crashes = Crashes()
        self.provider = FailingProvider(self.crashes)
        self.orders: list[tuple[str, CashierRequest]] = []
        self._ledger = ledger
        self.player = known or Player(f"p_{next(_players)}", "Ann", "{}", 0, Identity("account", "ann"))
        if known is None:
            self._grant()

    def _grant(self) -> None:
        ledger = self._ledger
        grant = entries.grant(f"grant:{self.player.id}", clock.now_ms(), self.player.id, "EUR", START, "test")
        ledger.post([grant]).result()

    async def start(self) -> None:
        """Begin a new life: everything is read from the ledger."""
        balances = BalanceCache()
        players = ConnectedPlayers(balances)
        self.limits = limits = PlayerLimits(self._ledger, balances, players.visit_began_ms)
        limits.load()
        self.gateway = gateway = LedgerGateway(self._ledger, balances, limits, WalletRounds())
        payments = CrashingPayments(SqlPayments(self._ledger), self.crashes)
        bonuses = Bonuses(self._ledger, gateway, players, {}, {}, payments)
        queries = PlayerQueries(self._ledger, tuple(CONFIG.currencies))
        self.service = PaymentService(
            gateway,
            self._ledger,
            payments,
            RequestRegistry(set),
            players,
            limits,
            bonuses,
            BonusOffers(gateway, self._ledger, payments, limits, queries, bonuses, CONFIG),
            CONFIG,
            PaymentServices({"EUR": self.provider}, self.provider, self.provider),
        )
        await self.service.load()

    async def do(self, step: tuple[object, ...]) -> None:
        """Do one step; after a crash, start again."""
        try:
            await self._do(*step)
        except Refused as refused:
            assert refused.code in {"not_covered", "too_many_payments"}
        except Crash:
            await self.start()

    async def _do(self, what: object, *args: object) -> None:
        match what, *args:
            case ("deposit" | "withdraw") as kind, int(amount):
                self.orders.append((kind, CashierRequest(f"r{len(self.orders)}", "EUR", amount)))
                await self._order(*self.orders[-1])
            case "again", int(pick) if self.orders:
                await self._order(*self.orders[pick % len(self.orders)])
            case "decide", int(pick), str(outcome) if self.orders:
                self.decide(pick, "paid" if outcome == "paid" else "denied")
            case "notify", int(pick) if self.orders:
                known = payment_id(self.player.id, self.orders[pick % len(self.orders)][1].req)
                if known in self.provider.reports:
                    await self.service.notified(SignedBody("", "", known.encode()))
            case "work", *_:
                await self.service.driver.work()
            case "restart", *_:
                await self.start()

    async def _order(self, kind: str, request: CashierRequest) -> None:
        await (self.service.deposit if kind == "deposit" else self.service.withdraw)(self.player, request)

    def decide(self, pick: int, outcome: PaymentOutcome) -> None:
        request = self.orders[pick % len(self.orders)][1]
        known = payment_id(self.player.id, request.req)
        if known in self.provider.reports:
            self.provider.decide(known, outcome, request.currency, request.amount_minor)

    async def restrict(self, change: RestrictionChange) -> None:
        """Set a limit of the player's, or begin a break."""
        note = self.limits.note(self.player.id, change, clock.now_ms())
        await self.gateway.post([note])
        self.limits.apply(note)

    async def spend(self, minor: int) -> None:
        """Take this away from the player's cash."""
        key = f"spent:{self.player.id}:{next(_players)}"
        of = self.player.id, "EUR", -minor
        await self.gateway.post([entries.adjustment(key, clock.now_ms(), *of, "a test")])

    def notes(self, prefix: str, *, limit: int) -> tuple[Entry, ...]:
        return self._ledger.notes(prefix, limit=limit)

    def id_of(self, number: int) -> str:
        """Return the id of the payment of an order."""
        return payment_id(self.player.id, self.orders[number][1].req)

    async def found(self, number: int) -> Payment:
        """Return the payment of an order as it is now."""
        payments = await self.service.of(self.player.id)
        return next(one for one in payments if one.id == self.id_of(number))

    def held(self) -> dict[str, int]:
        """Return the player's euros by kind of account."""
        return self._ledger.balances(self.player.id)["EUR"]

    async def settle(self) -> tuple[Payment, ...]:
        """Let everything come to its end without further failures; return the payments."""
        self.crashes.at.clear()
        self.provider.failures.clear()
        await self.start()
        for _ in range(4):
            await self.service.driver.work()
            for number in range(len(self.orders)):
                self.decide(number, "paid" if number % 2 else "denied")
        return await self.service.of(self.player.id)
