"""Bonuses that a player accepts at the cashier: one at once, and one with the first deposit."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.cashier import enter, open_cashier, pay
from tests.browser.conftest import player_of
from tests.browser.player import SLOW_MS
from tests.browser.test_everybody_can_play import check_sizes
from tests.browser.test_staff import sign_in
from tests.staff.clients import add
from tests.support.accounts import new_name
from tests.support.payment_provider import paying_server, provider_process
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser
SCREENS = ((390, 844), (1440, 900))
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


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("offers")
    with provider_process(folder) as provider, paying_server(folder, provider, blocks=BLOCKS) as server:
        yield server


@pytest.fixture
def cashier(kept: Page) -> Page:
    """Return the cashier of a new account that plays euros."""
    open_cashier(kept, new_name())
    return kept


def deposit(cashier: Page) -> None:
    """Pay in thirty euros."""
    enter(cashier, "Deposit", "30.00")
    pay(cashier)


def test_a_gift_is_accepted_and_a_first_deposit_is_matched(cashier: Page) -> None:
    offers = cashier.get_by_test_id("bonus-offer")
    first, gift = (offers.filter(has_text=title) for title in ("First deposit bonus", "Welcome gift"))
    expect(first).to_contain_text("50 % of the first deposit", timeout=SLOW_MS)
    expect(first).to_contain_text("up to €10.00")
    expect(first).to_contain_text("Play through 30 times the bonus within 14 days")
    expect(first).to_contain_text("At most €5.00")
    expect(first).to_contain_text("Not with this bonus: Sic Bo")
    check_sizes(cashier, "offered", SCREENS)
    gift.get_by_role("button", name="Accept this bonus").click()
    expect(cashier.get_by_test_id("bonus-active")).to_contain_text("3.00 of bonus money", timeout=SLOW_MS)
    first.get_by_role("button", name="Accept this bonus").click()
    accepted = cashier.get_by_test_id("bonus-opted_in")
    expect(accepted).to_contain_text("Accepted, and granted with your deposit.", timeout=SLOW_MS)
    expect(offers).to_have_count(0)
    check_sizes(cashier, "opted-in", SCREENS)
    deposit(cashier)
    active = cashier.get_by_test_id("bonus-active").filter(has_text="First deposit bonus")
    expect(active).to_contain_text("€10.00 of bonus money", timeout=SLOW_MS)
    expect(accepted).to_have_count(0)
    check_sizes(cashier, "matched", SCREENS)


def test_a_manager_cancels_what_a_player_has_accepted(
    cashier: Page, page: Page, server: ServerProcess
) -> None:
    """A first deposit's bonus before the deposit, which then brings none."""
    offer = cashier.get_by_test_id("bonus-offer").filter(has_text="First deposit bonus")
    offer.get_by_role("button", name="Accept this bonus").click(timeout=SLOW_MS)
    expect(cashier.get_by_test_id("bonus-opted_in")).to_be_visible(timeout=SLOW_MS)
    office = page
    office.goto("/staff/bonuses")
    sign_in(office, "Ada", add(server.data, "Ada", "manager"))
    office.get_by_test_id("player").fill(player_of(cashier))
    office.get_by_role("button", name="Show").click()
    bonus = office.get_by_test_id("bonus")
    expect(bonus).to_contain_text("comes with the first deposit", timeout=SLOW_MS)
    bonus.get_by_role("button", name="Cancel").click()
    check_sizes(office, "cancel", SCREENS)
    office.get_by_test_id("reason").fill("the player asked for it")
    office.get_by_test_id("confirm").click()
    expect(bonus).to_contain_text("cancelled", timeout=SLOW_MS)
    expect(bonus.get_by_role("button")).to_have_count(0)
    deposit(cashier)
    expect(cashier.get_by_test_id("balance")).to_have_text("€30.00", timeout=SLOW_MS)
    cashier.reload()
    expect(cashier.get_by_test_id("bonus-cancelled")).to_contain_text("cancelled", timeout=SLOW_MS)
    expect(cashier.get_by_test_id("bonus-active")).to_have_count(0)
