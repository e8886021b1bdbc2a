"""Two managers: one asks for an adjustment, the other one approves it; an account is closed."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.player import SLOW_MS
from tests.browser.test_everybody_can_play import check
from tests.browser.test_staff import page_at, sign_in
from tests.staff.clients import add
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser


def ask_adjustment(page: Page, amount: str, reason: str) -> None:
    page.get_by_role("button", name="Adjust a balance").click()
    page.get_by_test_id("amount").fill(amount)
    page.get_by_test_id("currency").select_option("EUR")
    page.get_by_test_id("reason").fill(reason)
    check(page, "adjustment")
    page.get_by_test_id("confirm").click()
    expect(page.get_by_role("dialog")).to_be_hidden(timeout=SLOW_MS)


def test_two_managers_adjust_a_balance_and_one_closes_the_account(
    chromium: Browser, server: ServerProcess
) -> None:
    ada, bob = add(server.data, "Ada", "manager"), add(server.data, "Bob", "manager")
    with (
        page_at(chromium, server, "/") as guest,
        page_at(chromium, server, "/staff/players") as asking,
        page_at(chromium, server, "/staff/approvals", width=390) as deciding,
    ):
        guest.wait_for_load_state("networkidle")
        player = guest.evaluate("async () => (await (await fetch('/api/me')).json()).player")
        sign_in(asking, "Ada", ada)
        asking.get_by_test_id("search").fill(player[:10])
        asking.keyboard.press("Enter")
        check(asking, "players")
        asking.get_by_test_id(f"found-{player}").get_by_role("link").click()
        expect(asking.get_by_test_id("balances-EUR")).to_contain_text("€1,000.00", timeout=SLOW_MS)
        check(asking, "player")
        ask_adjustment(asking, "12.50", "A spilled shoe")
        asking.get_by_role("link", name="Approvals").click()
        expect(asking.get_by_test_id("approval")).to_contain_text("Another manager decides", timeout=SLOW_MS)

        sign_in(deciding, "Bob", bob)
        expect(deciding.get_by_role("link", name="Approvals 1 waiting")).to_be_visible()
        expect(deciding.get_by_test_id("approval")).to_contain_text("€1,000.00 → €1,012.50", timeout=SLOW_MS)
        check(deciding, "approvals")
        deciding.get_by_role("button", name="Approve").click()
        deciding.get_by_test_id("confirm").click()
        expect(deciding.get_by_test_id("approval")).to_contain_text("approved by Bob", timeout=SLOW_MS)
        deciding.goto(f"/staff/players/{player}/statement")
        expect(deciding.get_by_text("A spilled shoe")).to_be_visible(timeout=SLOW_MS)
        check(deciding, "statement")

        asking.goto(f"/staff/players/{player}")
        asking.get_by_role("button", name="Close the account").click()
        asking.get_by_test_id("reason").fill("The player asked for it")
        asking.get_by_test_id("confirm").click()
        expect(asking.get_by_test_id("closed")).to_contain_text("The player asked for it", timeout=SLOW_MS)
        expect(guest.get_by_role("dialog")).to_contain_text("This account is closed", timeout=SLOW_MS)
