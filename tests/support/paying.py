"""Fixtures of a server whose EUR is paid by the reference provider, and of its players."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from croupier.app.serve import DATABASE, SHOES_KEY
from croupier.audit.data_folder import audit
from croupier.integration.payment_provider.provider import ProviderControl
from tests.support.accounts import account_at, new_name
from tests.support.browser_connection import Browser
from tests.support.payment_provider import (
    APPROVED,
    ASKS_SOON,
    ProviderProcess,
    paying_server,
    provider_process,
)
from tests.support.reference_process import KEY
from tests.support.server_process import ServerProcess


@pytest.fixture(scope="module")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProviderProcess]:
    with provider_process(tmp_path_factory.mktemp("provider")) as provider:
        yield provider


@pytest.fixture(scope="module")
def paying(provider: ProviderProcess) -> Iterator[ServerProcess]:
    """A server whose EUR is paid by the provider; its audit passes at the end, and it leaked no secret."""
    folder = provider.secret_file.parent
    with paying_server(folder, provider, kyc=True, program=ASKS_SOON) as server:
        yield server
    assert_audited(server.data)
    log = server.log.read_text()
    assert "Traceback" not in log
    assert KEY.decode() not in log


@pytest.fixture
async def payer(paying: ServerProcess, provider: ProviderProcess) -> AsyncIterator[Browser]:
    """A player with an account, and a provider that behaves."""
    provider.control(ProviderControl((), pays_withdrawals=True, identity=APPROVED))
    async with account_at(paying.address, new_name()) as browser:
        yield browser


def assert_audited(data: Path) -> None:
    """Assert that the journal, the balances and the rows of payments agree."""
    assert audit(data / DATABASE, data / SHOES_KEY, lambda *_: None).bad is None
