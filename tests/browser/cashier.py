"""The cashier of accounts that play euros, and payments there."""

from playwright.sync_api import Page, expect

from tests.browser.player import SLOW_MS
from tests.browser.test_accounts import create


def open_cashier(page: Page, name: str) -> None:
    """Create an account of this name, which plays euros, and show its cashier."""
    create(page, name)
    page.get_by_role("link", name="croupier").click()
    page.get_by_label("Currency").select_option("EUR")
    expect(page.get_by_test_id("balance")).to_have_text("€0.00", timeout=SLOW_MS)
    show_cashier(page)


def show_cashier(page: Page) -> None:
    """Use the link in the bar above; on a phone it is in a menu."""
    page.evaluate("document.querySelector(`header a[href='/cashier']`).click()")
    expect(page.get_by_role("heading", level=1, name="Cashier")).to_be_visible(timeout=SLOW_MS)


def enter(page: Page, what: str, amount: str) -> None:
    """Fill in a form, `Deposit` or `Withdraw`, and send it with the keyboard."""
    page.get_by_label(what).fill(amount)
    page.get_by_label(what).press("Enter")


def pay(page: Page) -> None:
    """Pay a deposit as the provider's page does."""
    address = page.get_by_role("link", name="Go to the payment page")
    expect(address).to_be_visible(timeout=SLOW_MS)
    page.request.post(address.get_attribute("href") or "", form={"outcome": "paid"}, max_redirects=0)
