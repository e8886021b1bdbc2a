"""The payment providers and the identity service of a configuration."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from croupier.config.payments import ConfiguredPayments
from croupier.money.payments.play_money import ClearsEverybody, PlayMoney
from croupier.money.payments.provider import IdentityCheck, NotifyingProvider, PaymentProvider
from croupier.outside.systems import OutsideSystem, OutsideSystems
from croupier.protocol.signatures import Secret


@dataclass(frozen=True, slots=True)
class PaymentServices:
    """The outside services that payments need.

    `providers` by currency; `notifying` is the one whose notifications are accepted, if there is one.
    """

    providers: Mapping[str, PaymentProvider]
    identity: IdentityCheck
    notifying: NotifyingProvider | None = None
    closes: tuple[Callable[[], Awaitable[None]], ...] = ()

    async def close(self) -> None:
        for close in self.closes:
            await close()


def payment_services(payments: ConfiguredPayments, outside: OutsideSystems) -> PaymentServices:
    """Return the services of a configuration; nothing is called yet."""
    play_money = PlayMoney()
    if not payments.secret and not payments.kyc_secret:
        return PaymentServices(dict.fromkeys(payments.currencies, play_money), ClearsEverybody())
    return _http_services(payments, play_money, outside)


def _http_services(
    payments: ConfiguredPayments, play_money: PaymentProvider, outside: OutsideSystems
) -> PaymentServices:
    from croupier.money.payments.http_provider import HttpIdentityCheck, HttpProvider
    from croupier.outside.signed_client import SignedClient

    config, clients = payments.config, list[SignedClient]()

    def client(url: str, secret: Secret, system: OutsideSystem) -> SignedClient:
        clients.append(SignedClient(url, secret, config.timeout_s, system))
        return clients[-1]

    secret, kyc = payments.secret, payments.kyc_secret
    http = None
    if secret:
        http = HttpProvider(client(config.url, secret, outside.payments), secret, config.return_url)
    identity = HttpIdentityCheck(client(config.kyc_url, kyc, outside.kyc)) if kyc else ClearsEverybody()
    providers = {
        code: http if http and method.provider == "http" else play_money
        for code, method in payments.currencies.items()
    }
    return PaymentServices(providers, identity, http, tuple(each.close for each in clients))
