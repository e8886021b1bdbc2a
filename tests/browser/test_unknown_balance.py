"""A balance that the wallet doesn't tell: the player reads so, and chips say why they can't be used."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from croupier.protocol.signatures import Secret
from tests.browser.player import SLOW_MS
from tests.support.operator import link_of, new_launch
from tests.support.reference_process import KEY
from tests.support.server_process import ServerProcess
from tests.support.wallet import CONFIG
from tests.support.wallet_operator import OperatorProcess, operator_process

pytestmark = pytest.mark.browser
UNKNOWN = "Balance unknown, asking again"


@pytest.fixture
def operator(tmp_path: Path) -> Iterator[OperatorProcess]:
    with operator_process(tmp_path, "anna:EUR:10000") as operator:
        yield operator


@pytest.fixture
def server(tmp_path: Path, operator: OperatorProcess) -> Iterator[ServerProcess]:
    config = tmp_path / "server.toml"
    config.write_text(CONFIG.format(url=operator.url, secret=operator.secret_file))
    server = ServerProcess(tmp_path / "data", options=("--config", str(config))).start()
    yield server
    server.stop()


def test_an_unknown_balance_says_so_until_the_wallet_answers(
    page: Page, server: ServerProcess, operator: OperatorProcess, tmp_path: Path
) -> None:
    operator.misbehave("error_500", paths=("/balance",))
    launch = new_launch("anna", currency="EUR", table="classic")
    page.goto(server.address + link_of(server.address, launch, Secret(KEY)).path)
    balance, band = page.get_by_test_id("table-balance"), page.get_by_role("alert").filter(has_text=UNKNOWN)
    expect(balance).to_contain_text("Unknown", timeout=SLOW_MS)
    expect(band).to_be_visible()
    chip = page.get_by_role("radio").first
    expect(chip).to_have_attribute("aria-disabled", "true")
    expect(chip).to_have_attribute("title", UNKNOWN)
    for width, height in ((1440, 900), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.screenshot(path=tmp_path / f"unknown-{width}.png")
    operator.misbehave()
    expect(balance).to_contain_text("100", timeout=SLOW_MS)
    expect(band).to_have_count(0)
    expect(chip).to_have_attribute("aria-disabled", "false")
