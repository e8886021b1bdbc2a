"""The account's security: devices that are signed out, and the password."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import opened, player_of
from tests.browser.player import SLOW_MS
from tests.browser.test_accounts import HAS_SESSION, SIGNED_IN, create, sign_in
from tests.browser.test_everybody_can_play import check_sizes
from tests.support.accounts import PASSWORD, new_name
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser
NEW = "battery staple"
SIGNED_OUT = "You were signed out"


def signed_in(page: Page, name: str, password: str = PASSWORD) -> None:
    """Sign in, and wait for the account's devices."""
    sign_in(page, name, password)
    expect(page.get_by_test_id("account")).to_contain_text(f"{SIGNED_IN} {name}", timeout=SLOW_MS)
    expect(page.get_by_test_id("security").get_by_role("listitem").first).to_be_visible(timeout=SLOW_MS)


def sign_in_again(page: Page, name: str, password: str = PASSWORD) -> None:
    """Answer the dialog of a device that was signed out."""
    dialog = page.get_by_role("dialog", name=SIGNED_OUT)
    dialog.get_by_role("button", name="Sign in").click()
    form = page.get_by_role("dialog", name="Sign in")
    form.get_by_label("E-mail address or user name").fill(name)
    form.get_by_label("Password").fill(password)
    form.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("dialog")).to_have_count(0, timeout=SLOW_MS)


def test_devices_are_listed_and_signed_out_singly_by_a_new_password_and_together(
    chromium: Browser, server: ServerProcess
) -> None:
    name = new_name()
    with (
        opened(chromium, server, width=1280, height=800) as page,
        opened(chromium, server, width=390, height=844) as other,
    ):
        create(page, name)
        known = player_of(page)
        signed_in(other, name)
        _sign_out(page)
        _sign_in_again_after_a_reload(other, name)
        assert player_of(other) == known

        _change_the_password(page)
        signed_out = other.get_by_role("dialog", name=SIGNED_OUT)
        expect(signed_out).to_contain_text("The password of your account was changed.", timeout=SLOW_MS)
        sign_in_again(other, name, NEW)
        assert player_of(other) == player_of(page) == known

        # a device that is signed out while it shows no page can go on as a guest
        other.goto("about:blank")
        _sign_out(page)
        other.goto("/history")
        dialog = other.get_by_role("dialog", name=SIGNED_OUT)
        dialog.get_by_role("button", name="Play as a guest").click(timeout=SLOW_MS)
        expect(other).to_have_url(f"{server.address}/", timeout=SLOW_MS)
        other.wait_for_function(HAS_SESSION, arg=known, timeout=SLOW_MS, polling=200)
        assert player_of(other) != known

        # the list of devices fits and can be read
        signed_in(other, name, NEW)
        with opened(chromium, server, width=390, height=844) as third:
            signed_in(third, name, NEW)
        page.reload()
        security = page.get_by_test_id("security")
        expect(security.get_by_role("listitem")).to_have_count(3, timeout=SLOW_MS)
        check_sizes(page, "devices")
        security.get_by_role("button", name="Sign out all other devices").click()
        expect(security.get_by_role("listitem")).to_have_count(1, timeout=SLOW_MS)


def _sign_out(page: Page) -> None:
    """Sign out the only other device, whose row names its browser and system."""
    page.reload()
    row = page.get_by_test_id("security").get_by_role("listitem").filter(has_not_text="this device")
    expect(row).to_contain_text("Chrome on Linux")
    page.get_by_role("button", name="Sign out Chrome on Linux").click()
    expect(row).to_have_count(0)
    expect(page.get_by_role("listitem").filter(has_text="Chrome on Linux")).to_have_count(1)


def _sign_in_again_after_a_reload(page: Page, name: str) -> None:
    dialog = page.get_by_role("dialog", name=SIGNED_OUT)
    expect(dialog).to_contain_text("This device was signed out of your account.")
    page.reload()
    expect(dialog).to_be_visible(timeout=SLOW_MS)
    check_sizes(page, SIGNED_OUT)
    sign_in_again(page, name)


def _change_the_password(page: Page) -> None:
    """A wrong one is refused."""
    page.get_by_role("button", name="Change password").click()
    dialog = page.get_by_role("dialog", name="Change password")
    check_sizes(page, "Change password")
    dialog.get_by_label("Current password").fill("wrong password")
    dialog.get_by_label("New password").fill(NEW)
    dialog.get_by_role("button", name="Change password").click()
    expect(dialog.get_by_role("alert")).to_contain_text("your current password")
    dialog.get_by_label("Current password").fill(PASSWORD)
    dialog.get_by_role("button", name="Change password").click()
    expect(dialog).to_be_hidden(timeout=SLOW_MS)


COUNT_LOSSES = """() => {
  window.losses = 0;
  const shown = new MutationObserver(() => {
    if (document.body.innerText.includes("Connection lost")) window.losses++;
  });
  shown.observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


def test_a_replaced_session_is_not_a_lost_connection_and_a_site_without_mail_says_so(
    chromium: Browser, server: ServerProcess
) -> None:
    """The server closes the connections of the old session; a band about it would move the page."""
    with opened(chromium, server, width=390, height=844) as page:
        page.goto("/settings")
        page.get_by_test_id("account").get_by_role("button", name="Sign in").click()
        page.get_by_role("button", name="Forgot your password?").click()
        dialog = page.get_by_role("dialog", name="Forgot your password?")
        expect(dialog).to_contain_text("This site sends no e-mail.")
        page.keyboard.press("Escape")
        expect(page.get_by_text("Connected")).to_be_visible(timeout=SLOW_MS)
        page.evaluate(COUNT_LOSSES)
        page.get_by_role("button", name="Create an account").click()
        page.get_by_label("E-mail address or user name").fill(new_name())
        page.get_by_label("Password").fill(PASSWORD)
        with page.expect_websocket(timeout=SLOW_MS):
            page.get_by_role("dialog").get_by_role("button", name="Create account").click()
        expect(page.get_by_test_id("account")).to_contain_text("Signed in as", timeout=SLOW_MS)
        expect(page.get_by_test_id("security")).to_contain_text("This site sends no e-mail.", timeout=SLOW_MS)
        expect(page.get_by_text("Connected")).to_be_visible(timeout=SLOW_MS)
        assert page.evaluate("window.losses") == 0
