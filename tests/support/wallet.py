"""The reference operator without a network, and servers whose EUR and SC are in its wallet."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from unittest.mock import patch

import httpx

from croupier.app.serve import DATABASE, SHOES_KEY
from croupier.audit.data_folder import audit
from croupier.gateway.server import Server
from croupier.integration.wallet_operator.operator import (
    HANG_S,
    ReferenceOperator,
    WalletControl,
    WalletFault,
    WalletPath,
)
from croupier.integration.wallet_operator.wallet import OperatorWallet, WalletAccount
from croupier.ledger.protocol import LedgerReader
from croupier.money.wallet import driver, service
from croupier.money.wallet.client import HttpWallet
from croupier.outside.signed_client import ConnectionPool, SignedClient
from croupier.outside.systems import OutsideSystem
from croupier.players.accounts import Caller
from croupier.protocol import wire
from croupier.protocol.signatures import SIGNATURE_HEADER, TIMESTAMP_HEADER, Secret, SignedBody

KEY = b"shared by tests only"
URL = "https://operator.test"
START_MINOR = 10_000
CURRENCIES = ("EUR", "SC")
TIMEOUT_S = 10.0
SETTLED_S = 10.0
CONFIG = """
[currencies.EUR]
play_money = false

[currencies.SC]
play_money = false

[currencies.GC]

[currencies.USD]

[operator]
secret_file = "{secret}"

[wallet]
url = "{url}"
secret_file = "{secret}"
currencies = ["EUR", "SC"]
timeout_s = 1
"""


class LocalOperator(ReferenceOperator):
    """The reference operator, called by the server's own client."""

    def __init__(self, *players: str) -> None:
        accounts = (WalletAccount(player, currency) for player in players for currency in CURRENCIES)
        super().__init__(Secret(KEY), OperatorWallet(dict.fromkeys(accounts, START_MINOR)))

    def misbehave(
        self, *faults: WalletFault, paths: tuple[WalletPath, ...] = (), times: int | None = None
    ) -> None:
        """Have these faults at these paths (none: all) for so many messages, and no others."""
        self.control(WalletControl(faults=faults, paths=paths, times=times))

    def balance(self, player: str, currency: str = "EUR") -> int:
        return self.wallet.balances[WalletAccount(player, currency)]

    def client(self, system: OutsideSystem) -> HttpWallet:
        """Return a client that reaches this operator."""
        signed = SignedClient(URL, Secret(KEY), TIMEOUT_S, system)
        signed._pools = [ConnectionPool(httpx.AsyncClient(transport=httpx.MockTransport(self._receive)))]
        return HttpWallet(signed)

    async def _receive(self, request: httpx.Request) -> httpx.Response:
        headers = request.headers[TIMESTAMP_HEADER], request.headers[SIGNATURE_HEADER]
        answer = self.respond(request.url.path, SignedBody(*headers, request.content))
        if answer.delay_s >= HANG_S:
            raise httpx.ReadTimeout("the operator doesn't answer")
        await asyncio.sleep(answer.delay_s)
        return httpx.Response(answer.status, content=answer.body)


def config_toml(folder: Path, more: str = "") -> str:
    """Return the configuration of a server with the wallet."""
    secret = folder / "wallet.secret"
    secret.write_bytes(KEY)
    return CONFIG.format(secret=secret, url=URL) + more


@contextmanager
def reaching(operator: LocalOperator) -> Iterator[None]:
    """Have servers that start inside reach this operator, and repeat calls soon."""
    with (
        patch.object(service, "wallet_client", lambda _, system: operator.client(system)),
        patch.object(driver, "RETRY_MS_MIN", 5),
        patch.object(driver, "RETRY_MS_MAX", 20),
    ):
        yield


@asynccontextmanager
async def delivering(server: Server) -> AsyncIterator[None]:
    """Send what is due to the wallet, as a running server does."""
    task = asyncio.create_task(server.wallet.driver.run())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def launched(server: Server, name: str) -> str:
    """Return the token of a session that the operator has begun for its player."""
    link = await server.launches.link(wire.Launch(secrets.token_hex(8), name, "EUR"))
    begun = await server.launches.begin(Caller("", "127.0.0.1", "Chrome"), link.token)
    return begun.token


async def settled(server: Server) -> None:
    """Wait until no call is open."""
    await until(lambda: not server.ledger.wallet_calls())


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(SETTLED_S):
        while not condition():  # noqa: ASYNC110 - tasks of the server bring it about
            await asyncio.sleep(0.002)


def assert_agree(operator: LocalOperator, ledger: LedgerReader, **ids: str) -> None:
    """Assert that the balances are the start less the stakes plus the returns, for ids by operator's name."""
    for name, player in ids.items():
        totals, held = ledger.totals(player), ledger.balances(player)
        for currency in CURRENCIES:
            staked, returned = totals.get(currency, (0, 0))
            assert operator.balance(name, currency) == START_MINOR - staked + returned
            assert not any(held.get(currency, {}).values()), held
    assert operator.wallet.differing_ends == []
    assert ledger.wallet_calls() == ()


def assert_audited(data: Path) -> None:
    assert audit(data / DATABASE, data / SHOES_KEY, lambda *_: None).bad is None
