"""An e-mail address is verified, and a forgotten password is replaced by a link."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import opened, player_of
from tests.browser.player import SLOW_MS
from tests.browser.test_accounts import SIGNED_IN, create
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


def test_a_forgotten_password_is_replaced_by_a_link(chromium: Browser, mailing: ServerProcess) -> None:
    name, address = new_name().partition("@")[0], new_name()
    mailbox = Mailbox(mailing.data.parent / "mails")
    with opened(chromium, mailing, width=1280, height=800) as page:
        create(page, name)
        known = player_of(page)
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
        with opened(chromium, mailing, width=390, height=844) as other:
            other.goto("/settings")
            other.get_by_test_id("account").get_by_role("button", name="Sign in").click()
            other.get_by_role("button", name="Forgot your password?").click()
            dialog = other.get_by_role("dialog", name="Forgot your password?")
            checked(other, "forgot your password")
            dialog.get_by_label("E-mail address or user name").fill(address)
            dialog.get_by_role("button", name="Send the link").click()
            expect(dialog.get_by_role("status")).to_contain_text("is on its way", timeout=SLOW_MS)
            open_link(other, mailbox.wait_for_link(address))
            expect(other.get_by_text("Devices that will be signed out")).to_be_visible(timeout=SLOW_MS)
            checked(other, "a new password")
            other.get_by_label("New password").fill(NEW)
            other.get_by_role("button", name="Change password").click()
            done = other.get_by_role("heading", name="Your password is changed")
            expect(done).to_be_visible(timeout=SLOW_MS)
            other.get_by_role("button", name="Sign in").click()
            form = other.get_by_role("dialog", name="Sign in")
            form.get_by_label("E-mail address or user name").fill(name)
            form.get_by_label("Password").fill(NEW)
            form.get_by_role("button", name="Sign in").click()
            expect(other).to_have_url(f"{mailing.address}/", timeout=SLOW_MS)
            expect(other.get_by_test_id("balance")).to_be_visible(timeout=SLOW_MS)
            assert player_of(other) == known
        page.goto("/settings")
        expect(page.get_by_role("dialog", name="You were signed out")).to_be_visible(timeout=SLOW_MS)


def test_a_link_can_be_opened_on_a_device_that_was_signed_out(
    chromium: Browser, mailing: ServerProcess
) -> None:
    name = new_name()
    mailbox = Mailbox(mailing.data.parent / "mails")
    with opened(chromium, mailing, width=1280, height=800) as page:
        create(page, name)
        page.request.post("/api/account/mail", data={"address": name, "password": PASSWORD})
        open_link(page, mailbox.wait_for_link(name))
        expect(page.get_by_role("heading", name="Your address is confirmed")).to_be_visible(timeout=SLOW_MS)
        for _ in range(2):
            page.request.post("/api/recovery", data={"name": name})
            open_link(page, mailbox.wait_for_link(name))
            page.get_by_label("New password").fill(NEW)
            page.get_by_role("button", name="Change password").click()
            done = page.get_by_role("heading", name="Your password is changed")
            expect(done).to_be_visible(timeout=SLOW_MS)
        page.goto("/settings")
        dialog = page.get_by_role("dialog", name="You were signed out")
        dialog.get_by_role("button", name="Sign in").click(timeout=SLOW_MS)
        page.get_by_role("button", name="Forgot your password?").click()
        forgot = page.get_by_role("dialog", name="Forgot your password?")
        expect(forgot.get_by_role("button", name="Send the link")).to_be_visible()


def test_a_link_that_was_used_offers_a_new_one(chromium: Browser, mailing: ServerProcess) -> None:
    with opened(chromium, mailing, width=390, height=844) as page:
        page.goto("/verify-address#used")
        used = page.get_by_text("This link has expired or has already been used.")
        expect(used).to_be_visible(timeout=SLOW_MS)
        checked(page, "a used link")
        page.goto("/reset-password#used")
        expect(used).to_be_visible(timeout=SLOW_MS)
        page.get_by_role("button", name="Ask for a new link").click()
        expect(page.get_by_role("dialog", name="Forgot your password?")).to_be_visible()


def test_a_site_without_mail_says_so(chromium: Browser, server: ServerProcess) -> None:
    with opened(chromium, server, width=1280, height=800) as page:
        page.goto("/settings")
        page.get_by_test_id("account").get_by_role("button", name="Sign in").click()
        page.get_by_role("button", name="Forgot your password?").click()
        dialog = page.get_by_role("dialog", name="Forgot your password?")
        expect(dialog).to_contain_text("This site sends no e-mail.")
        page.keyboard.press("Escape")
        create(page, new_name())
        expect(page.get_by_test_id("security")).to_contain_text("This site sends no e-mail.", timeout=SLOW_MS)
        expect(page.get_by_test_id("account")).to_contain_text(SIGNED_IN)
