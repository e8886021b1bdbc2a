"""Real money at the cashier: pending deposits, a payment page, withdrawals that are on their way."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from croupier.integration.payment_provider.provider import ProviderControl, ProviderDecision
from croupier.protocol.payment_wire import IdentityAnswer
from tests.browser.conftest import opened
from tests.browser.player import SLOW_MS
from tests.browser.test_accounts import create
from tests.browser.test_everybody_can_play import check, check_sizes
from tests.support.accounts import new_name
from tests.support.payment_provider import APPROVED, ProviderProcess
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser
PASSPORT = IdentityAnswer("pending", "Send a copy of your passport.")


@pytest.fixture
def cashier(chromium: Browser, paying: ServerProcess, provider: ProviderProcess) -> Iterator[Page]:
    """The cashier of an account that plays euros, on a phone; the provider behaves."""
    provider.control(ProviderControl((), pays_withdrawals=False, identity=APPROVED))
    with opened(chromium, paying, width=390, height=844) as page:
        create(page, new_name())
        page.goto("/")
        page.get_by_label("Currency").select_option("EUR")
        expect(page.get_by_test_id("balance")).to_have_text("€0.00", timeout=SLOW_MS)
        page.goto("/cashier")
        yield page


def lines(page: Page) -> Locator:
    return page.get_by_test_id("payment")


def pays(page: Page, what: str, amount: str) -> None:
    """Fill in a form and send it with the keyboard."""
    page.get_by_label(what).fill(amount)
    page.get_by_label(what).press("Enter")


def test_a_deposit_is_pending_until_the_player_has_paid(cashier: Page) -> None:
    pays(cashier, "Deposit", "25.00")
    expect(lines(cashier)).to_contain_text("Waiting for your payment.", timeout=SLOW_MS)
    expect(cashier.get_by_test_id("balance")).to_have_text("€0.00")
    check_sizes(cashier, "pending")
    address = cashier.get_by_role("link", name="Go to the payment page").get_attribute("href")
    assert address
    cashier.request.post(address, form={"outcome": "paid"}, max_redirects=0)
    expect(cashier.get_by_test_id("balance")).to_have_text("€25.00", timeout=SLOW_MS)
    expect(lines(cashier)).to_contain_text("Paid and added to your balance.", timeout=SLOW_MS)
    expect(cashier.get_by_role("link", name="Go to the payment page")).to_have_count(0)


def test_a_withdrawal_is_held_then_sent_then_paid(cashier: Page, provider: ProviderProcess) -> None:
    pays(cashier, "Deposit", "40.00")
    expect(lines(cashier)).to_have_attribute("data-state", "pending", timeout=SLOW_MS)
    address = cashier.get_by_role("link", name="Go to the payment page").get_attribute("href")
    assert address
    provider.decide(ProviderDecision(address.rpartition("/")[2], "paid"))
    expect(cashier.get_by_test_id("balance")).to_have_text("€40.00", timeout=SLOW_MS)
    provider.control(ProviderControl(identity=PASSPORT))
    pays(cashier, "Withdraw", "30.00")
    withdrawal = lines(cashier).first
    expect(withdrawal).to_contain_text("Send a copy of your passport.", timeout=SLOW_MS)
    expect(cashier.get_by_test_id("balance")).to_have_text("€10.00", timeout=SLOW_MS)
    figures = cashier.locator("dl", has_text="Euro, withdrawing")
    expect(figures).to_contain_text("€30.00", timeout=SLOW_MS)
    check(cashier, "held")
    provider.control(ProviderControl(identity=APPROVED, pays_withdrawals=True))
    expect(withdrawal).to_contain_text("Paid out.", timeout=4 * SLOW_MS)
    expect(figures).to_have_count(0)


def test_what_is_refused_is_said_beside_the_field(cashier: Page) -> None:
    pays(cashier, "Withdraw", "20.00")
    expect(cashier.get_by_role("alert").filter(has_text="doesn\u2019t cover")).to_be_visible(timeout=SLOW_MS)
    pays(cashier, "Deposit", "1.00")
    expect(
        cashier.get_by_role("alert").filter(has_text="A payment must be from €5 to €1,000.")
    ).to_be_visible()
    expect(lines(cashier)).to_have_count(0)


def test_play_money_has_no_payments(cashier: Page) -> None:
    cashier.goto("/")
    cashier.get_by_label("Currency").select_option("GC")
    cashier.goto("/cashier")
    pays(cashier, "Deposit", "1000")
    expect(cashier.get_by_test_id("balance")).to_have_text("GC\u00a05,001,000", timeout=SLOW_MS)
    expect(lines(cashier)).to_have_count(0)
