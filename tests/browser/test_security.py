"""The account's security: devices that are signed out, and the password."""

import re

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


def test_a_device_that_is_signed_out_asks_to_sign_in_again(chromium: Browser, server: ServerProcess) -> None:
    name = new_name()
    with opened(chromium, server, width=1280, height=800) as page:
        create(page, name)
        known = player_of(page)
        with opened(chromium, server, width=390, height=844) as other:
            signed_in(other, name)
            page.reload()
            row = page.get_by_test_id("security").get_by_role("listitem").filter(has_not_text="this device")
            row.get_by_role("button", name=re.compile("Sign out")).click()
            expect(row).to_have_count(0)
            dialog = other.get_by_role("dialog", name=SIGNED_OUT)
            expect(dialog).to_contain_text("This device was signed out of your account.")
            other.reload()
            expect(dialog).to_be_visible(timeout=SLOW_MS)
            check_sizes(other, SIGNED_OUT)
            sign_in_again(other, name)
            assert player_of(other) == known


def test_a_signed_out_device_can_go_on_as_a_guest(chromium: Browser, server: ServerProcess) -> None:
    name = new_name()
    with opened(chromium, server, width=1280, height=800) as page:
        create(page, name)
        known = player_of(page)
        with opened(chromium, server, width=1280, height=800) as other:
            signed_in(other, name)
            other.goto("about:blank")
            page.reload()
            page.get_by_role("button", name="Sign out Chrome on Linux").click()
            expect(page.get_by_role("listitem").filter(has_text="Chrome on Linux")).to_have_count(1)
            other.goto("/history")
            dialog = other.get_by_role("dialog", name=SIGNED_OUT)
            dialog.get_by_role("button", name="Play as a guest").click(timeout=SLOW_MS)
            expect(other).to_have_url(f"{server.address}/", timeout=SLOW_MS)
            other.wait_for_function(HAS_SESSION, timeout=SLOW_MS, polling=200)
            assert player_of(other) != known


def test_a_changed_password_signs_out_the_other_device(chromium: Browser, server: ServerProcess) -> None:
    name = new_name()
    with opened(chromium, server, width=1280, height=800) as page:
        create(page, name)
        known = player_of(page)
        with opened(chromium, server, width=390, height=844) as other:
            signed_in(other, name)
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
            signed_out = other.get_by_role("dialog", name=SIGNED_OUT)
            expect(signed_out).to_contain_text("The password of your account was changed.", timeout=SLOW_MS)
            sign_in_again(other, name, NEW)
            assert player_of(other) == player_of(page) == known


COUNT_LOSSES = """() => {
  window.losses = 0;
  const shown = new MutationObserver(() => {
    if (document.body.innerText.includes("Connection lost")) window.losses++;
  });
  shown.observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


def test_a_replaced_session_is_not_a_lost_connection(chromium: Browser, server: ServerProcess) -> None:
    """The server closes the connections of the old session; a band about it would move the page."""
    with opened(chromium, server, width=390, height=844) as page:
        page.goto("/settings")
        expect(page.get_by_text("Connected")).to_be_visible(timeout=SLOW_MS)
        page.evaluate(COUNT_LOSSES)
        page.get_by_role("button", name="Create an account").click()
        page.get_by_label("E-mail address or user name").fill(new_name())
        page.get_by_label("Password").fill(PASSWORD)
        with page.expect_websocket(timeout=SLOW_MS):
            page.get_by_role("dialog").get_by_role("button", name="Create account").click()
        expect(page.get_by_test_id("account")).to_contain_text("Signed in as", timeout=SLOW_MS)
        expect(page.get_by_text("Connected")).to_be_visible(timeout=SLOW_MS)
        assert page.evaluate("window.losses") == 0


def test_the_list_of_devices_fits_and_can_be_read(chromium: Browser, server: ServerProcess) -> None:
    name = new_name()
    with opened(chromium, server, width=1280, height=800) as page:
        create(page, name)
        for _ in range(2):
            with opened(chromium, server, width=390, height=844) as other:
                signed_in(other, name)
        page.reload()
        security = page.get_by_test_id("security")
        expect(security.get_by_role("listitem")).to_have_count(3, timeout=SLOW_MS)
        check_sizes(page, "devices")
        security.get_by_role("button", name="Sign out all other devices").click()
        expect(security.get_by_role("listitem")).to_have_count(1, timeout=SLOW_MS)
