"""The reference payment provider in a process of its own, and a server configured for it."""

import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx

from croupier.integration.payment_provider.provider import (
    Fault,
    ProviderControl,
    ProviderDecision,
    ProviderLog,
)
from croupier.protocol.payment_wire import IdentityAnswer
from croupier.protocol.signatures import Secret, signed_headers
from tests.support.reference_process import KEY, ReferenceProcess
from tests.support.server_process import CROUPIER, ServerProcess

APPROVED = IdentityAnswer("approved")
CONFIG = """
[currencies.EUR]
play_money = false

[currencies.GC]

[currencies.SC]

[payments]
url = "{url}"
secret_file = "payments.secret"
timeout_s = 2
return_url = "{site}/cashier"
{more}
[payments.currencies.EUR]
min_minor = 500
max_minor = 100000

[payments.currencies.SC]
provider = "play_money"
"""
ASKS_SOON = (
    sys.executable,
    "-c",
    """
from croupier.money.payments import driver
driver.RETRY_MS_MIN = 300
from croupier.cli.main import main
main()
""",
)
"""A server that asks about a payment without an answer sooner than others do."""
KYC = """kyc_url = "{url}/kyc"
kyc_secret_file = "payments.secret"
"""


class ProviderProcess(ReferenceProcess):
    """A running reference provider, controlled over HTTP."""

    def __init__(self, folder: Path) -> None:
        super().__init__("payment-provider", secret_file=folder / "payments.secret")

    def control(self, change: ProviderControl) -> None:
        self.post("/control", change)

    def misbehave(self, *faults: Fault) -> None:
        """Have these faults, and no others."""
        self.control(ProviderControl(faults=faults))

    def decide(self, decision: ProviderDecision) -> None:
        self.post("/decide", decision)

    @property
    def log(self) -> ProviderLog:
        return self.get("/log", ProviderLog)


@contextmanager
def provider_process(folder: Path) -> Iterator[ProviderProcess]:
    with closing(ProviderProcess(folder)) as provider:
        yield provider


@contextmanager
def paying_server(
    folder: Path,
    provider: ProviderProcess,
    *,
    kyc: bool = False,
    blocks: str = "",
    ports: tuple[int, int] = (0, 0),
    program: tuple[str, ...] = CROUPIER,
) -> Iterator[ServerProcess]:
    """Run a server on `folder` whose EUR is paid by the provider; `blocks` are further configuration.

    With `ports` the provider's page leads back to the server's cashier.
    """
    more = KYC.format(url=provider.url) if kyc else ""
    config = folder / "payments.toml"
    site = f"http://127.0.0.1:{ports[0]}" if ports[0] else "http://127.0.0.1"
    config.write_text(CONFIG.format(url=provider.url, more=more, site=site) + blocks)
    (folder / "data.secret").write_bytes(KEY)
    server = ServerProcess(folder / "data", ports=ports, program=program, options=("--config", str(config)))
    try:
        server.start()
        provider.control(ProviderControl(notify_url=notify_url(server)))
        yield server
    finally:
        server.stop()


def notify_url(server: ServerProcess) -> str:
    return f"{server.address}/api/payments/notify"


def notification(body: bytes, *, secret: bytes = KEY, at_s: int) -> dict[str, str]:
    """Return the headers of a notification that was signed at that time."""
    return signed_headers(Secret(secret), body, at_s) | {"Content-Type": "application/json"}


async def notify(
    server: ServerProcess, body: bytes, *, secret: bytes = KEY, age_s: int = 0, **headers: str
) -> httpx.Response:
    """Send a notification as the provider would."""
    signed = notification(body, secret=secret, at_s=int(time.time()) - age_s) | headers
    async with httpx.AsyncClient() as client:
        return await client.post(f"{server.address}/api/payments/notify", content=body, headers=signed)
