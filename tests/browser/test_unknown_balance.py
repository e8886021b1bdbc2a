"""An operator's player whose balance the wallet doesn't tell: said on the page, until the wallet answers."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from croupier.protocol.signatures import Secret
from tests.browser.player import SLOW_MS
from tests.browser.test_everybody_can_play import check
from tests.support.operator import link_of, new_launch
from tests.support.reference_process import KEY
from tests.support.server_process import ServerProcess
from tests.support.wallet import CONFIG
from tests.support.wallet_operator import OperatorProcess, operator_process

pytestmark = pytest.mark.browser

UNKNOWN = re.compile("Balance unknown, asking again. The operator.s wallet")
AGAIN_MS_MAX = 30_000


@pytest.fixture
def operator(tmp_path: Path) -> Iterator[OperatorProcess]:
    with operator_process(tmp_path, "anna:SC:50000", "anna:EUR:50000") as process:
        yield process


@pytest.fixture
def server(tmp_path: Path, operator: OperatorProcess) -> Iterator[ServerProcess]:
    (tmp_path / "server.toml").write_text(CONFIG.format(url=operator.url, secret=tmp_path / "wallet.secret"))
    process = ServerProcess(tmp_path / "data", options=("--config", str(tmp_path / "server.toml"))).start()
    yield process
    assert process.stop() == 0


def test_a_balance_is_unknown_until_the_wallet_tells_it(
    page: Page, server: ServerProcess, operator: OperatorProcess
) -> None:
    operator.misbehave("error_500", paths=("/balance",))
    launch = new_launch("anna", table="classic", currency="SC")
    page.goto(server.address + link_of(server.address, launch, Secret(KEY)).path)
    band = page.get_by_text(UNKNOWN)
    expect(band).to_be_visible(timeout=SLOW_MS)
    expect(page.get_by_test_id("balance")).to_contain_text("Unknown")
    expect(page.get_by_test_id("balance")).not_to_contain_text("0.00")
    spot = page.get_by_test_id("spot-0-main")
    spot.click()
    expect(page.get_by_test_id("deal")).to_have_attribute("aria-disabled", "true")
    check(page, "balance-unknown")

    operator.misbehave()
    expect(page.get_by_test_id("balance")).to_contain_text("500.00", timeout=AGAIN_MS_MAX + SLOW_MS)
    expect(band).to_have_count(0)
    spot.click()
    page.get_by_test_id("deal").click()
    expect(page.get_by_test_id("hand-0-0")).to_be_visible(timeout=SLOW_MS)
