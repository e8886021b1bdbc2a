"""Real money at the cashier: pending deposits, a payment page, withdrawals that are on their way."""

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from croupier.integration.payment_provider.provider import ProviderControl, ProviderDecision
from croupier.protocol.payment_wire import IdentityAnswer
from tests.browser.cashier import enter, open_cashier, pay
from tests.browser.conftest import opened
from tests.browser.player import SLOW_MS
from tests.browser.test_everybody_can_play import check, check_sizes
from tests.support.accounts import new_name
from tests.support.payment_provider import APPROVED, ProviderProcess
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser
PASSPORT = IdentityAnswer("pending", "Send a copy of your passport.")


def lines(page: Page) -> Locator:
    return page.get_by_test_id("payment")


def test_money_is_deposited_and_withdrawn(
    chromium: Browser, paying: ServerProcess, provider: ProviderProcess
) -> None:
    """Play money first, which has no payments; then real money, on a phone."""
    provider.control(ProviderControl((), pays_withdrawals=False, identity=APPROVED))
    with opened(chromium, paying, width=390, height=844) as page:
        page.goto("/cashier")
        enter(page, "Deposit", "1000")
        expect(page.get_by_test_id("balance")).to_have_text("GC\u00a05,001,000", timeout=SLOW_MS)
        expect(lines(page)).to_have_count(0)
        open_cashier(page, new_name())
        _read_what_is_refused(page)
        _deposit(page)
        _deposit_while_the_provider_decides(page, provider)
        _withdraw(page, provider)


def _read_what_is_refused(cashier: Page) -> None:
    """It is said beside the field."""
    enter(cashier, "Withdraw", "20.00")
    expect(cashier.get_by_role("alert").filter(has_text="doesn\u2019t cover")).to_be_visible(timeout=SLOW_MS)
    enter(cashier, "Deposit", "1.00")
    expect(
        cashier.get_by_role("alert").filter(has_text="A payment must be from €5 to €1,000.")
    ).to_be_visible()
    expect(lines(cashier)).to_have_count(0)


def _deposit(cashier: Page) -> None:
    """A deposit is pending until the player has paid."""
    enter(cashier, "Deposit", "25.00")
    expect(lines(cashier)).to_contain_text("Waiting for your payment.", timeout=SLOW_MS)
    expect(cashier.get_by_test_id("balance")).to_have_text("€0.00")
    check_sizes(cashier, "pending")
    pay(cashier)
    expect(cashier.get_by_test_id("balance")).to_have_text("€25.00", timeout=SLOW_MS)
    expect(lines(cashier)).to_contain_text("Paid and added to your balance.", timeout=SLOW_MS)
    expect(cashier.get_by_role("link", name="Go to the payment page")).to_have_count(0)


def _deposit_while_the_provider_decides(cashier: Page, provider: ProviderProcess) -> None:
    enter(cashier, "Deposit", "15.00")
    expect(lines(cashier).first).to_have_attribute("data-state", "pending", timeout=SLOW_MS)
    address = cashier.get_by_role("link", name="Go to the payment page").get_attribute("href")
    assert address
    provider.decide(ProviderDecision(address.rpartition("/")[2], "paid"))
    expect(cashier.get_by_test_id("balance")).to_have_text("€40.00", timeout=SLOW_MS)


def _withdraw(cashier: Page, provider: ProviderProcess) -> None:
    """A withdrawal is held, then sent, then paid."""
    provider.control(ProviderControl(identity=PASSPORT))
    enter(cashier, "Withdraw", "30.00")
    withdrawal = lines(cashier).first
    expect(withdrawal).to_contain_text("Send a copy of your passport.", timeout=SLOW_MS)
    expect(cashier.get_by_test_id("balance")).to_have_text("€10.00", timeout=SLOW_MS)
    figures = cashier.locator("dl", has_text="Euro, withdrawing")
    expect(figures).to_contain_text("€30.00", timeout=SLOW_MS)
    check(cashier, "held")
    provider.control(ProviderControl(identity=APPROVED, pays_withdrawals=True))
    expect(withdrawal).to_contain_text("Paid out.", timeout=4 * SLOW_MS)
    expect(figures).to_have_count(0)
