"""A server whose six outside systems are behind links, and what its staff see of them."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
from prometheus_client.parser import text_string_to_metric_families

from croupier.integration.payment_provider.provider import ProviderControl
from tests.faults.outside.link import Link
from tests.faults.outside.mail_link import MailLink
from tests.faults.outside.registry import Registry, serving_registry
from tests.support.identity_server import CLIENT_SECRET, IdentityProvider, identity_provider
from tests.support.identity_server import CONFIG as OIDC
from tests.support.payment_provider import APPROVED, ProviderProcess, notify_url, provider_process
from tests.support.reference_process import KEY
from tests.support.server_process import ServerProcess
from tests.support.smtp_server import SmtpServer
from tests.support.wallet_operator import OperatorProcess, operator_process

TIMEOUT_S = 2
CONFIG = """
[currencies.EUR]
play_money = false

[currencies.SC]
play_money = false

[currencies.GC]

[operator]
secret_file = "wallet.secret"

[wallet]
url = "{wallet}"
secret_file = "wallet.secret"
currencies = ["SC"]
timeout_s = 2

[payments]
url = "{payments}"
secret_file = "payments.secret"
timeout_s = 2
return_url = "http://127.0.0.1/cashier"
kyc_url = "{payments}/kyc"
kyc_secret_file = "payments.secret"

[payments.currencies.EUR]
min_minor = 500
max_minor = 100000

[responsible_gaming]
registry_url = "{registry}/check"
registry_key_file = "registry.key"
registry_cache_minutes = 0
registry_timeout_ms = 2000

[mail]
sender = "play@example.org"
site = "https://casino.example.org"
server = "smtp://127.0.0.1:{mail}"
encrypt = false
"""
CONTRADICTIONS = {
    "/balance": b'{"outcome":"refused","reason":"who?"}',
    "/debit": b'{"outcome":"unknown_transaction"}',
    "/credit": b'{"outcome":"insufficient"}',
    "/rollback": b'{"outcome":"insufficient"}',
    "/round-ended": b'{"outcome":"unknown_transaction"}',
    "/deposit": b'{"payment":"pay_of_somebody_else","outcome":"paid"}',
    "/withdraw": b'{"payment":"pay_of_somebody_else","outcome":"paid"}',
    "/status": b'{"reports":"none"}',
    "/kyc": b'{"status":"perhaps"}',
    "/check": b'{"excluded":"perhaps"}',
    "/.well-known/openid-configuration": b'{"issuer":"http://elsewhere.example"}',
    "/jwks": b'{"keys":[]}',
    "/token": b'{"id_token":"a.b.c","access_token":"x"}',
}
"""Answers that nobody may believe, by path."""


class Site:
    """The server, the systems, and the links to them by the system's name in metrics."""

    def __init__(
        self,
        server: ServerProcess,
        operator: OperatorProcess,
        provider: ProviderProcess,
        identity: IdentityProvider,
        registry: Registry,
        mail: SmtpServer,
        links: dict[str, Link | MailLink],
    ) -> None:
        self.server = server
        self.operator = operator
        self.provider = provider
        self.identity = identity
        self.registry = registry
        self.mail = mail
        self.links = links

    def start(self) -> None:
        """Start the server, whose address is another one each time."""
        self.server.start()
        self.identity.allow(self.server)
        change = ProviderControl(
            (), pays_withdrawals=True, identity=APPROVED, notify_url=notify_url(self.server)
        )
        self.provider.control(change)

    def restart(self) -> None:
        """Kill the server, and start it again."""
        self.server.kill()
        self.start()

    def unanswered(self, system: str) -> float:
        """Return the number of calls without an answer, as the metrics say, and 1 more while it is silent."""
        found = 0.0
        for family in text_string_to_metric_families(httpx.get(f"{self.server.admin}metrics").text):
            for sample in family.samples:
                if sample.labels.get("system") != system:
                    continue
                if sample.name == "croupier_outside_silent":
                    found += sample.value
                elif sample.name == "croupier_outside_calls_total":
                    found += sample.value * (sample.labels["outcome"] == "no_answer")
        return found

    def staff_see(self, system: str, before: float, within_s: float) -> float:
        """Return the seconds until the metrics show a failure that they didn't before; fail after a while."""
        began_s = time.monotonic()
        while self.unanswered(system) <= before:
            assert time.monotonic() - began_s < within_s, f"no metric shows that {system} is silent"
            time.sleep(0.05)
        return time.monotonic() - began_s


@contextmanager
def running_site(folder: Path) -> Iterator[Site]:
    with ExitStack() as stack:
        operator = stack.enter_context(operator_process(folder, "nobody:SC:0"))
        provider = stack.enter_context(provider_process(folder))
        identity = stack.enter_context(identity_provider())
        registry = stack.enter_context(serving_registry())
        mail = stack.enter_context(SmtpServer())
        wallet, payments, checks = (stack.enter_context(Link(CONTRADICTIONS)) for _ in range(3))
        sign_in = stack.enter_context(Link(CONTRADICTIONS, "localhost"))
        post = stack.enter_context(MailLink(mail.port))
        wallet.target, payments.target, checks.target = operator.url, provider.url, registry.url
        sign_in.target, identity.issuer = identity.issuer, sign_in.url
        (folder / "registry.key").write_bytes(KEY * 2)
        (folder / "oidc.secret").write_text(CLIENT_SECRET)
        config = CONFIG.format(wallet=wallet.url, payments=payments.url, registry=checks.url, mail=post.port)
        oidc = OIDC.format(issuer=sign_in.url).replace("timeout_s = 2", f"timeout_s = {TIMEOUT_S}")
        (folder / "server.toml").write_text(config + oidc)
        options = ("--config", str(folder / "server.toml"), "--admin-port", "0")
        links: dict[str, Link | MailLink] = {
            "wallet": wallet,
            "payments": payments,
            "kyc": payments,
            "registry": checks,
            "identity": sign_in,
            "mail": post,
        }
        server = ServerProcess(folder / "data", options=options)
        site = Site(server, operator, provider, identity, registry, mail, links)
        stack.callback(server.kill)
        site.start()
        yield site
