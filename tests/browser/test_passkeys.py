"""A player creates an account with a passkey alone, and signs in with it, in Chromium."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import opened
from tests.browser.player import SLOW_MS
from tests.browser.test_everybody_can_play import check, check_sizes
from tests.support.accounts import new_name
from tests.support.server_process import ServerProcess
from tests.support.virtual_authenticator import VirtualAuthenticator

pytestmark = pytest.mark.browser


def settings_of(page: Page, server: ServerProcess) -> None:
    """Open the settings at a host name: IP addresses have no passkeys."""
    page.goto(server.address.replace("127.0.0.1", "localhost") + "/settings")


def player_here(page: Page) -> str:
    """Return the player of the host name's cookie."""
    return str(page.evaluate("async () => (await (await fetch('/api/me')).json()).player"))


def test_an_account_without_a_password_has_passkeys(chromium: Browser, server: ServerProcess) -> None:
    name = new_name()
    with opened(chromium, server, width=390, height=844) as page:
        settings_of(page, server)
        expect(page.get_by_role("button", name="Create an account")).to_be_visible(timeout=SLOW_MS)
        player = player_here(page)
        first = _create_account(page, name)
        _keep_the_last_way_in(page)
        page.get_by_role("button", name="Sign out", exact=True).click()
        page.wait_for_url("**/")
        expect(page.get_by_test_id("balance")).to_be_visible(timeout=SLOW_MS)
        _sign_in(page, server, name)
        assert player_here(page) == player
        _add_another(page, first)
        _remove_one(page)


def _create_account(page: Page, name: str) -> VirtualAuthenticator:
    """Create an account with a passkey alone; a user who isn't verified is told what to do."""
    unverified = VirtualAuthenticator(page, verifies=False)
    page.get_by_role("button", name="Create an account").click()
    page.get_by_role("button", name="Use a passkey instead").click()
    check(page, "an account with a passkey")
    page.get_by_label("E-mail address or user name").fill(name)
    page.get_by_role("button", name="Create passkey").click()
    dialog = page.get_by_role("dialog", name="Create an account")
    expect(dialog.get_by_role("alert")).to_contain_text("No passkey was used", timeout=SLOW_MS)
    unverified.remove()
    authenticator = VirtualAuthenticator(page)
    page.get_by_role("button", name="Create passkey").click()
    expect(page.get_by_test_id("account")).to_contain_text(f"Signed in as {name}", timeout=SLOW_MS)
    return authenticator


def _keep_the_last_way_in(page: Page) -> None:
    passkeys = page.get_by_test_id("passkeys")
    expect(passkeys.get_by_role("listitem")).to_have_count(1, timeout=SLOW_MS)
    expect(passkeys).to_contain_text("Not used yet")
    expect(page.get_by_role("button", name="Change password")).to_have_count(0)
    passkeys.get_by_role("button", name="Remove").click()
    dialog = page.get_by_role("dialog", name="Remove passkey")
    dialog.get_by_role("button", name="Confirm with a passkey").click()
    expect(dialog.get_by_role("alert")).to_contain_text("no other way to sign in", timeout=SLOW_MS)
    page.keyboard.press("Escape")


def _sign_in(page: Page, server: ServerProcess, name: str) -> None:
    account = page.get_by_test_id("account")
    settings_of(page, server)
    account.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(account).to_contain_text(f"Signed in as {name}", timeout=SLOW_MS)
    expect(page.get_by_test_id("passkeys")).to_contain_text("Last used", timeout=SLOW_MS)


def _add_another(page: Page, first: VirtualAuthenticator) -> None:
    """An authenticator keeps one passkey for an account; another one adds a second."""
    passkeys = page.get_by_test_id("passkeys")
    passkeys.get_by_role("button", name="Add a passkey").click()
    dialog = page.get_by_role("dialog", name="Add a passkey")
    dialog.get_by_role("button", name="Confirm with a passkey").click()
    create = dialog.get_by_role("button", name="Create the passkey")
    expect(create).to_be_visible(timeout=SLOW_MS)
    check_sizes(page, "a passkey to add")
    create.click()
    expect(dialog.get_by_role("alert")).to_contain_text("already has a passkey for your account")
    first.remove()
    VirtualAuthenticator(page)
    create.click()
    expect(passkeys.get_by_role("listitem")).to_have_count(2, timeout=SLOW_MS)
    check_sizes(page, "passkeys")


def _remove_one(page: Page) -> None:
    passkeys = page.get_by_test_id("passkeys")
    passkeys.get_by_role("button", name="Remove").last.click()
    dialog = page.get_by_role("dialog", name="Remove passkey")
    dialog.get_by_role("button", name="Confirm with a passkey").click()
    expect(passkeys.get_by_role("listitem")).to_have_count(1, timeout=SLOW_MS)
