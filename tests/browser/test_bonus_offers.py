"""Bonuses that a player accepts at the cashier: one at once, and one with the first deposit."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import opened
from tests.browser.player import SLOW_MS
from tests.browser.screens import resize
from tests.browser.test_accounts import create
from tests.browser.test_everybody_can_play import check
from tests.support.accounts import new_name
from tests.support.payment_provider import paying_server, provider_process

pytestmark = pytest.mark.browser
BLOCKS = """
[bonuses.first]
title = "First deposit bonus"
currency = "EUR"
multiple = 30
days = 14
max_bet = "5.00"
excluded = ["sic_bo"]
offer = "first_deposit"
match_percent = 50
match_max = "10.00"

[bonuses.gift]
title = "Welcome gift"
currency = "SC"
amount = "3.00"
multiple = 10
offer = "account"
"""


@pytest.fixture
def cashier(chromium: Browser, tmp_path: Path) -> Iterator[Page]:
    """The cashier of a new account that plays euros."""
    with provider_process(tmp_path) as provider, paying_server(tmp_path, provider, blocks=BLOCKS) as server:
        for page in opened(chromium, server, width=1440, height=900):
            create(page, new_name())
            page.goto("/")
            page.get_by_label("Currency").select_option("EUR")
            expect(page.get_by_test_id("balance")).to_have_text("€0.00", timeout=SLOW_MS)
            page.goto("/cashier")
            yield page


def look(page: Page, folder: Path, name: str) -> None:
    for size in ((390, 844), (1440, 900)):
        resize(page, size)
        check(page, f"{name} at {size}")
        page.screenshot(path=folder / f"{name}-{size[0]}.png", full_page=True)


def test_a_gift_is_accepted_and_a_first_deposit_is_matched(cashier: Page, tmp_path: Path) -> None:
    offers = cashier.get_by_test_id("bonus-offer")
    first, gift = (offers.filter(has_text=title) for title in ("First deposit bonus", "Welcome gift"))
    expect(first).to_contain_text("50 % of the first deposit", timeout=SLOW_MS)
    expect(first).to_contain_text("up to €10.00")
    expect(first).to_contain_text("Play through 30 times the bonus within 14 days")
    expect(first).to_contain_text("At most €5.00")
    expect(first).to_contain_text("Not with this bonus: Sic Bo")
    look(cashier, tmp_path, "offered")
    gift.get_by_role("button", name="Accept this bonus").click()
    expect(cashier.get_by_test_id("bonus-active")).to_contain_text("3.00 of bonus money", timeout=SLOW_MS)
    first.get_by_role("button", name="Accept this bonus").click()
    accepted = cashier.get_by_test_id("bonus-opted_in")
    expect(accepted).to_contain_text("Accepted, and granted with your deposit.", timeout=SLOW_MS)
    expect(offers).to_have_count(0)
    look(cashier, tmp_path, "opted-in")
    cashier.get_by_label("Deposit").fill("30.00")
    cashier.get_by_label("Deposit").press("Enter")
    address = cashier.get_by_role("link", name="Go to the payment page")
    expect(address).to_be_visible(timeout=SLOW_MS)
    cashier.request.post(address.get_attribute("href") or "", form={"outcome": "paid"}, max_redirects=0)
    active = cashier.get_by_test_id("bonus-active").filter(has_text="First deposit bonus")
    expect(active).to_contain_text("€10.00 of bonus money", timeout=SLOW_MS)
    expect(accepted).to_have_count(0)
    look(cashier, tmp_path, "matched")
