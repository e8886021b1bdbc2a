"""An e-mail address is verified, and a forgotten password is replaced by a link."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import opened, player_of
from tests.browser.player import SLOW_MS
from tests.browser.test_accounts import create
from tests.browser.test_everybody_can_play import check_sizes
from tests.support.accounts import PASSWORD, new_name
from tests.support.mail import Mailbox
from tests.support.mailing import SITE
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser
NEW = "battery staple"


def open_link(page: Page, link: str) -> None:
    """Open the link of a message at the test's address."""
    page.goto(link.removeprefix(SITE))


def checked(page: Page, where: str) -> None:
    check_sizes(page, where)


def confirm_an_address(page: Page, mailbox: Mailbox, address: str) -> None:
    page.get_by_role("button", name="Add an address").click()
    dialog = page.get_by_role("dialog", name="E-mail address")
    checked(page, "add an address")
    dialog.get_by_role("textbox", name="E-mail address").fill(address)
    dialog.get_by_label("Current password").fill(PASSWORD)
    dialog.get_by_role("button", name="Send the link").click()
    security = page.get_by_test_id("security")
    expect(security).to_contain_text(f"Open the link that was sent to {address}", timeout=SLOW_MS)
    open_link(page, mailbox.wait_for_link(address))
    expect(page.get_by_role("heading", name="Your address is confirmed")).to_be_visible(timeout=SLOW_MS)
    assert "#" not in page.url
    checked(page, "a confirmed address")


def ask_for_a_new_link(page: Page, address: str) -> None:
    """A link that was used, of either kind, is refused; one of them offers another."""
    page.goto("/verify-address#used")
    used = page.get_by_text("This link has expired or has already been used.")
    expect(used).to_be_visible(timeout=SLOW_MS)
    checked(page, "a used link")
    page.goto("/reset-password#used")
    expect(used).to_be_visible(timeout=SLOW_MS)
    page.get_by_role("button", name="Ask for a new link").click()
    dialog = page.get_by_role("dialog", name="Forgot your password?")
    checked(page, "forgot your password")
    dialog.get_by_label("E-mail address or user name").fill(address)
    dialog.get_by_role("button", name="Send the link").click()
    expect(dialog.get_by_role("status")).to_contain_text("is on its way", timeout=SLOW_MS)


def change_password(page: Page, password: str) -> None:
    page.get_by_label("New password").fill(password)
    page.get_by_role("button", name="Change password").click()
    done = page.get_by_role("heading", name="Your password is changed")
    expect(done).to_be_visible(timeout=SLOW_MS)


def sign_in_after_the_change(page: Page, name: str, site: str) -> None:
    page.get_by_role("button", name="Sign in").click()
    form = page.get_by_role("dialog", name="Sign in")
    form.get_by_label("E-mail address or user name").fill(name)
    form.get_by_label("Password").fill(NEW)
    form.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(f"{site}/", timeout=SLOW_MS)
    expect(page.get_by_test_id("balance")).to_be_visible(timeout=SLOW_MS)


def test_a_forgotten_password_is_replaced_by_a_link_also_on_a_device_that_was_signed_out(
    chromium: Browser, mailing: ServerProcess
) -> None:
    name, address = new_name().partition("@")[0], new_name()
    mailbox = Mailbox(mailing.data.parent / "mails")
    with opened(chromium, mailing, width=1280, height=800) as page:
        create(page, name)
        known = player_of(page)
        confirm_an_address(page, mailbox, address)
        with opened(chromium, mailing, width=390, height=844) as other:
            ask_for_a_new_link(other, address)
            open_link(other, mailbox.wait_for_link(address))
            expect(other.get_by_text("Devices that will be signed out")).to_be_visible(timeout=SLOW_MS)
            checked(other, "a new password")
            change_password(other, NEW)
            sign_in_after_the_change(other, name, mailing.address)
            assert player_of(other) == known

        # the first device was signed out, and can ask for a link too
        page.goto("/settings")
        dialog = page.get_by_role("dialog", name="You were signed out")
        dialog.get_by_role("button", name="Sign in").click(timeout=SLOW_MS)
        page.get_by_role("button", name="Forgot your password?").click()
        forgot = page.get_by_role("dialog", name="Forgot your password?")
        expect(forgot.get_by_role("button", name="Send the link")).to_be_visible()
        forgot.get_by_label("E-mail address or user name").fill(address)
        forgot.get_by_role("button", name="Send the link").click()
        open_link(page, mailbox.wait_for_link(address))
        change_password(page, PASSWORD)
