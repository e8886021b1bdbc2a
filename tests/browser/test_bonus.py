"""A bonus in two browsers: a manager grants it, and its player plays it through."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import opened
from tests.browser.player import SLOW_MS, Player
from tests.browser.test_everybody_can_play import check
from tests.browser.test_staff import sign_in
from tests.cli.test_bonus import run as bonus_command
from tests.staff.clients import add
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser

CONFIG = """
[bonuses.small]
title = "Small bonus"
currency = "GC"
amount = "500"
multiple = 1
max_bet = "100000"
excluded = ["sic_bo"]

[bonuses.live]
title = "Live bonus"
currency = "EUR"
amount = "7.00"
multiple = 1
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    config = tmp_path / "croupier.toml"
    config.write_text(CONFIG)
    server = ServerProcess(tmp_path / "data", options=("--config", str(config))).start()
    yield server
    server.stop()


@pytest.fixture
def office(chromium: Browser, server: ServerProcess) -> Iterator[Page]:
    with opened(chromium, server, width=1280, height=800) as page:
        yield page


def test_a_bonus_is_granted_and_played_through(page: Page, office: Page, server: ServerProcess) -> None:
    page.goto("/settings")
    expect(page.get_by_test_id("player-id")).to_contain_text("p_", timeout=SLOW_MS)
    player = page.get_by_test_id("player-id").text_content() or ""
    grant(office, player, add(server.data, "Ada", "manager"))
    left = page.get_by_test_id("bonus")
    expect(left).to_contain_text("500", timeout=SLOW_MS)
    page.get_by_role("link", name="Cashier").click()
    active = page.get_by_test_id("bonus-active")
    expect(active).to_contain_text("500 of bonus money", timeout=SLOW_MS)
    expect(active).to_contain_text("Not with this bonus: Sic Bo")
    check(page, "cashier-with-a-bonus")
    refuse_to_lose_it(page)
    refuse_to_cancel_it(page)
    page.goto("/table/live_roulette")
    with ThreadPoolExecutor(1) as operator:
        of = ("grant", player, "live", "--reason", "a test", "--data", str(server.data))
        assert operator.submit(bonus_command, *of).result().exit_code == 0
    expect(page.get_by_test_id("table-balance")).to_contain_text("7.00", timeout=SLOW_MS)
    expect(left).to_contain_text("7.00")
    Player(page, seed=1).sit("roulette")
    expect(page.get_by_test_id("table-balance")).to_contain_text("500")
    play_through(page)
    expect(left).to_be_hidden(timeout=SLOW_MS)
    page.goto("/cashier")
    expect(page.get_by_test_id("bonus-converted")).to_contain_text("now in your balance", timeout=SLOW_MS)
    expect(page.get_by_role("cell", name="Bonus complete")).to_be_visible()


def play_through(page: Page) -> None:
    """Bet more than ten times the bonus on a coup, of which 10 % counts; little is won or lost."""
    page.get_by_test_id("chip-5000").click()
    page.get_by_test_id("bet-red").click()
    page.get_by_test_id("bet-black").click()
    page.get_by_test_id("deal").click()
    expect(page.locator("[data-phase='ended']")).to_be_visible(timeout=SLOW_MS)


def grant(office: Page, player: str, code: str) -> None:
    """Grant the bonus on the staff page; a second one is refused."""
    office.goto("/staff/bonuses")
    sign_in(office, "Ada", code)
    office.get_by_test_id("player").fill(player)
    office.get_by_role("button", name="Show").click()
    for trouble in ("", "already has a bonus"):
        office.get_by_test_id("grant-small").click(timeout=SLOW_MS)
        office.get_by_test_id("reason").fill("a complaint")
        office.get_by_test_id("confirm").click()
        if trouble:
            expect(office.get_by_role("dialog")).to_contain_text(trouble)
            office.get_by_role("button", name="Cancel", exact=True).last.click()
        expect(office.get_by_test_id("bonus")).to_contain_text("active")
    check(office, "staff-bonuses")


def refuse_to_cancel_it(page: Page) -> None:
    """Read what a cancellation removes and keeps (GLI-19 4.3.5(d)), and keep the bonus."""
    page.get_by_role("button", name="Cancel this bonus").click()
    asked = page.get_by_role("dialog", name="Cancel Small bonus?")
    expect(asked).to_contain_text("Removed:")
    expect(asked).to_contain_text("You keep your balance of")
    check(page, "cancel-a-bonus")
    asked.get_by_role("button", name="Keep the bonus").click()
    expect(asked).to_be_hidden()


def refuse_to_lose_it(page: Page) -> None:
    """Ask for a withdrawal, and keep the bonus after all."""
    page.get_by_test_id("withdraw").fill("1")
    page.get_by_role("button", name="Withdraw").click()
    asked = page.get_by_role("dialog", name="Withdraw and lose your bonus?")
    expect(asked).to_contain_text("500", timeout=SLOW_MS)
    check(page, "withdraw-with-a-bonus")
    asked.get_by_role("button", name="Keep the bonus").click()
    expect(asked).to_be_hidden()
