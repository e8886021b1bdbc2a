"""Players' deposits and withdrawals by payment providers, and the providers' notifications."""

import logging
from collections import Counter
from collections.abc import Mapping
from functools import partial
from hashlib import sha256

from croupier.accounts.identity import GUEST, Player
from croupier.accounts.payment_entries import opening_entries
from croupier.accounts.payment_reports import event_of, is_expected, is_hint
from croupier.accounts.payment_states import FIRST, OPEN_DEPOSITS, REPORTED, Direction, PaymentDecision
from croupier.accounts.payments import Payment, PaymentChange, PaymentNews, PaymentReport, credit_key
from croupier.accounts.repository import PaymentRepository
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.admission.player_limits import PlayerLimits, SpendRequest
from croupier.config import ServerConfig
from croupier.config.payments import PaymentMethodConfig
from croupier.ledger.protocol import LedgerReader
from croupier.money.bonus.offers import BonusOffers
from croupier.money.bonus.service import Bonuses
from croupier.money.payments.debts import DebtCollector
from croupier.money.payments.driver import PaymentDriver, times
from croupier.money.payments.event_notes import contradiction_notes
from croupier.money.payments.provider import PaymentProvider
from croupier.money.payments.providers import PaymentServices
from croupier.players.connected_players import ConnectedPlayers
from croupier.players.settings import check_currency, check_not_of_wallet
from croupier.protocol.signatures import SignedBody
from croupier.protocol.wire import CashierRequest
from croupier.refusal import Refused
from croupier.rounds.requests import RequestRegistry, digest

LISTED = 50
"""Maximum number of payments in a player's list."""
STUCK_LISTED = 500
"""Maximum number of payments in the list for staff."""
ALL = 2**31 - 1
MINUTE_MS = 60_000

log = logging.getLogger(__name__)


class PaymentService:
    """Each request is one payment, however often it is sent. Call `load` first."""

    def __init__(
        self,
        gateway: LedgerGateway,
        ledger: LedgerReader,
        repository: PaymentRepository,
        requests: RequestRegistry,
        players: ConnectedPlayers,
        limits: PlayerLimits,
        bonuses: Bonuses,
        offers: BonusOffers,
        config: ServerConfig,
        services: PaymentServices,
    ) -> None:
        self._gateway = gateway
        self._ledger = ledger
        self._repository = repository
        self._requests = requests
        self._players = players
        self._limits = limits
        self._bonuses = bonuses
        self._offers = offers
        self._services = services
        self._currencies = config.currencies
        self._of_wallet = config.wallet.currencies
        self._expires_ms = config.payments.config.deposit_minutes * MINUTE_MS
        self.methods: Mapping[str, PaymentMethodConfig] = config.payments.currencies
        self.events = Counter[str](dict.fromkeys((*REPORTED, "contradicted"), 0))
        """Numbers of the events of which staff are told, see REPORTED, and of contradictions."""
        self.debts = DebtCollector(gateway, repository, players.send_balance)
        self.driver = PaymentDriver(
            gateway,
            repository,
            services.providers,
            services.identity,
            self._changed,
            self._contradicted,
            bonuses.changing,
        )

    async def load(self) -> None:
        """Read the payments that haven't ended: their deposits count against the players' limits."""
        found = await self._gateway.durable(self._repository.due(ALL * MINUTE_MS, ALL))
        self.driver.load(found)
        await self.debts.load()
        for payment in found:
            if payment.state in OPEN_DEPOSITS:
                self._limits.restore_deposit(_spending(payment))

    async def close(self) -> None:
        await self._services.close()

    # --- players

    async def deposit(self, player: Player, request: CashierRequest) -> Payment:
        """Begin a deposit; it counts against the player's limits until it has ended."""
        payment = self._payment(player, request, "deposit")
        if await self.find(payment.id):
            return await self._begun(payment)
        await self._gateway.when_read(partial(self._limits.reserve_deposit, _spending(payment)))
        try:
            return await self._begun(payment)
        except Refused:
            self._limits.release_deposit(credit_key(payment))
            raise

    async def withdraw(self, player: Player, request: CashierRequest) -> Payment:
        """Begin a withdrawal, which ends the player's bonus; its money can't be played from now on."""
        payment = self._payment(player, request, "withdrawal")
        (requested,) = opening_entries(payment)
        try:
            async with self._bonuses.withdrawing(requested, request.forfeit_minor) as ends:
                added = await self._gateway.recorded(self._repository.add(payment, ends))
        except Refused as refused:
            if refused.code == "bonus_forfeit":  # another node may have granted it
                await self._bonuses.reload(player.id)
            raise
        return await self._driven(added)

    async def of(self, player: str) -> tuple[Payment, ...]:
        """Return a player's last payments, newest first."""
        return await self._gateway.durable(self._repository.of(player, LISTED))

    async def withdrawing(self, player: str) -> dict[str, int]:
        """Return the amounts that are being withdrawn, by currency."""
        held = await self._gateway.read(self._ledger.balances, player)
        by_currency = {currency: kinds.get("withdrawing", 0) for currency, kinds in held.items()}
        return {currency: minor for currency, minor in by_currency.items() if minor}

    def _payment(self, player: Player, request: CashierRequest, direction: Direction) -> Payment:
        """Return the new payment of a request. Refused where its currency or amount isn't served."""
        check_currency(request.currency, self._currencies)
        check_not_of_wallet(request.currency, self._of_wallet)
        method = self.methods.get(request.currency)
        if method is None:
            raise Refused("not_paid_here", currency=request.currency)
        if method.provider == "http" and player.identity == GUEST:
            raise Refused("account_needed")
        if not method.min_minor <= request.amount_minor <= method.max_minor:
            raise Refused(
                "payment_limits",
                currency=request.currency,
                min_minor=method.min_minor,
                max_minor=method.max_minor,
            )
        self._requests.of(player.id).claim(request.req, digest(request) + direction.encode())
        at = times(0)
        return Payment(
            payment_id(player.id, request.req),
            player.id,
            direction,
            request.currency,
            request.amount_minor,
            at.now_ms,
            at.now_ms + self._expires_ms,
            FIRST[direction],
            at.now_ms,
            due_ms=at.due_ms,
        )

    async def _begun(self, payment: Payment) -> Payment:
        return await self._driven(await self._gateway.recorded(self._repository.add(payment)))

    async def _driven(self, added: PaymentChange) -> Payment:
        begun = await self.driver.begin(added)
        if begun.state not in OPEN_DEPOSITS:
            self._limits.release_deposit(credit_key(begun))
        return begun

    async def find(self, payment: str) -> Payment | None:
        """Return a payment by its id."""
        return await self._gateway.durable(self._repository.find(payment))

    # --- staff

    async def stuck(self) -> tuple[Payment, ...]:
        """Return the payments that wait for their provider or an identity check, oldest first."""
        return await self._gateway.durable(self._repository.stuck(STUCK_LISTED))

    async def ask(self, payment: str) -> None:
        """Ask the provider about a payment at once; refuse `no_such_payment`."""
        found = await self.find(payment)
        if found is None:
            raise Refused("no_such_payment", payment=payment)
        self.driver.ask_soon(found)

    async def decide(self, payment: str, decision: PaymentDecision, reason: str = "") -> None:
        """Credit a deposit that is in suspense, or send it back to whoever paid it.

        Release a withdrawal that is held after a change of credentials, or refuse it with a reason.
        Refuse `no_such_payment`, `not_in_suspense`, `not_held`, and to credit it what still forbids that.
        """
        found = await self.find(payment)
        if found is None:
            raise Refused("no_such_payment", payment=payment)
        said = reason if decision == "refused" else ""
        after = await self.driver.apply(found, PaymentNews(decision, reason=said))
        if after.state == "returning":
            await self.driver.order(after)

    # --- providers

    async def notified(self, signed: SignedBody) -> None:
        """Apply what the provider has sent by itself.

        Refuse `wrong_signature`, `no_such_payment`, `payment_differs` for another amount or currency, and
        `payment_contradicted` for what can't follow from the payment's state. A report that differs, takes
        money back, or changes a payment that has ended is first asked about.
        """
        provider = self._services.notifying
        if provider is None:
            raise Refused("wrong_signature")
        report = provider.notified(signed)
        payment = await self.find(report.payment)
        if payment is None or not self._is_served(payment, provider):
            raise Refused("no_such_payment", payment=report.payment)
        news = event_of(payment, report, asked=False)
        if news and not is_expected(payment, news, asked=False):
            await self._contradicted(payment, report)
            self.driver.ask_soon(payment)
            raise Refused(
                "payment_contradicted", payment=payment.id, state=payment.state, outcome=report.outcome
            )
        if news and not is_hint(payment, news):
            await self.driver.apply(payment, news)
            return
        self.driver.ask_soon(payment)
        if news and news.event == "differs":
            raise Refused("payment_differs", payment=payment.id)

    async def _contradicted(self, payment: Payment, report: PaymentReport) -> None:
        """Tell staff of a report that can't be true of a payment."""
        self.events["contradicted"] += 1
        log.error("payment %s is %s, and the provider reports %s", payment.id, payment.state, report.outcome)
        await self._gateway.post(contradiction_notes(payment, report))

    def _is_served(self, payment: Payment, provider: PaymentProvider) -> bool:
        return self._services.providers.get(payment.currency) is provider

    def _changed(self, change: PaymentChange) -> None:
        payment = change.after
        if payment.state not in OPEN_DEPOSITS:
            self._limits.release_deposit(credit_key(payment))
        if payment.state in REPORTED:
            self.events[payment.state] += 1
            log.warning("payment %s is %s: %s", payment.id, payment.state, payment.reason)
        self._bonuses.follow(change.entries)
        self.debts.follow(change.entries)
        if payment.state == "confirmed":
            self._offers.deposited(payment.player)
        self._players.send_balance(payment.player, payment.currency)


def payment_id(player: str, req: str) -> str:
    """Return the id of a request's payment, which is the same however often the request is sent."""
    return f"pay_{sha256(f'{player}:{req}'.encode()).hexdigest()[:32]}"


def _spending(payment: Payment) -> SpendRequest:
    return SpendRequest(
        payment.player, "deposit", payment.currency, payment.amount_minor, credit_key(payment)
    )
