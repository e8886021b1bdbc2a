"""Configuration, clock, registry, payment provider and event loop of a campaign of limits."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar
from unittest.mock import patch

from croupier import clock
from croupier.accounts import passwords
from croupier.accounts.bonus import BonusTemplate
from croupier.accounts.payments import Payment, PaymentOutcome, PaymentReport
from croupier.admission import ledger_gateway
from croupier.app import clock_watch, server
from croupier.config import DEFAULT_CONFIG, ServerConfig
from croupier.config.operator import ConfiguredOperator
from croupier.config.payments import ConfiguredPayments, PaymentMethodConfig
from croupier.money.payments.play_money import ClearsEverybody
from croupier.money.payments.providers import PaymentServices
from croupier.play.contract.amounts import Currency
from croupier.players.connected_player import ConnectedPlayer
from croupier.players.sessions import PlayerSessions
from croupier.protocol.registry_wire import Occasion, RegistryAnswer
from croupier.protocol.signatures import Secret
from croupier.refusal import Refused

T = TypeVar("T")

EUR, CASH = "EUR", 20
"""The only currency, and what a new player has."""
BONUS = BonusTemplate("welcome", "Welcome", EUR, 10, multiple=30, days=3)
SECRET = Secret(b"operator's secret of the campaign")
CONFIG: ServerConfig = DEFAULT_CONFIG._replace(
    currencies={EUR: Currency(EUR, "Euro", 2, grant_minor=CASH)},
    bonuses={BONUS.name: BONUS},
    operator=ConfiguredOperator(secret=SECRET),
    payments=ConfiguredPayments(currencies={EUR: PaymentMethodConfig("play_money")}),
)


class InlineExecutor(ThreadPoolExecutor):
    """Does the work of `asyncio.to_thread` and the reads of the gateway in the calling thread."""

    def submit(self, work: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future = Future[T]()
        try:
            future.set_result(work(*args, **kwargs))
        except BaseException as error:  # noqa: BLE001 - passed on as by a thread
            future.set_exception(error)
        return future


class ListedPlayers:
    """The external registry: it lists everybody until `until_ms`."""

    until_ms = 0

    async def ask(self, _name: str, _occasion: Occasion) -> RegistryAnswer:
        return RegistryAnswer(self.until_ms > clock.now_ms(), self.until_ms)

    async def close(self) -> None:
        pass


class SlowProvider:
    """A payment provider that reports every payment as pending until the test decides."""

    async def deposit(self, payment: Payment) -> PaymentReport:
        return self._report(payment, "pending")

    async def withdraw(self, payment: Payment) -> PaymentReport:
        return self._report(payment, "pending")

    async def refund(self, payment: Payment) -> PaymentReport:
        return self._report(payment, "paid")

    async def status(self, payments: Sequence[Payment]) -> Mapping[str, PaymentReport]:
        return {payment.id: self._report(payment, "pending") for payment in payments}

    def _report(self, payment: Payment, outcome: PaymentOutcome) -> PaymentReport:
        return PaymentReport(payment.id, outcome, payment.currency, payment.amount_minor)


SLOW_PAYMENTS = PaymentServices({EUR: SlowProvider()}, ClearsEverybody())
BOOT = {"id": ""}
"""The present boot of the machine."""


@contextmanager
def event_loop() -> Iterator[asyncio.AbstractEventLoop]:
    """A loop in one thread, without hashing of passwords; clock and payment provider are the test's."""
    with ExitStack() as stack:
        stack.enter_context(patch.object(clock, "CLOCK", clock.CLOCK))
        stack.enter_context(patch.object(passwords, "verified", lambda stored, typed: stored == typed))
        stack.enter_context(patch.object(passwords, "is_outdated", lambda _: False))
        stack.enter_context(patch.object(server, "payment_services", lambda *_: SLOW_PAYMENTS))
        stack.enter_context(patch.object(clock_watch, "boot_id", lambda: BOOT["id"]))
        stack.enter_context(patch.object(ledger_gateway, "ThreadPoolExecutor", InlineExecutor))
        loop = asyncio.new_event_loop()
        stack.callback(loop.close)
        loop.set_default_executor(InlineExecutor())
        yield loop


class Device:
    """A browser of the player; `player` is set when it has arrived."""

    player: ConnectedPlayer
    tables: tuple[str, ...] = ()
    is_remote = False

    def __init__(self, sessions: PlayerSessions, session: str) -> None:
        self.session = session
        self._sessions = sessions

    def send(self, _message: object) -> None:
        pass

    def end_session(self, _why: Refused | None) -> None:
        self._sessions.leave(self.player, self)
