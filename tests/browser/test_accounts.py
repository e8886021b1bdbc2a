"""A guest creates an account, and continues to play on another device."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import opened, player_of
from tests.browser.player import SLOW_MS, Player
from tests.browser.screens import resize
from tests.browser.test_everybody_can_play import check_sizes
from tests.support.accounts import PASSWORD, new_name
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser
SIGNED_IN = "Signed in as"
HAS_SESSION = """
async known => {
  const answer = await fetch('/api/me')
  return answer.ok && (await answer.json()).player !== known
}
"""
"""The page has the session of another player than this one."""


def show_settings(page: Page) -> None:
    if not page.url.endswith("/settings"):
        page.goto("/settings")


def create(page: Page, name: str) -> None:
    """Create an account for the page's guest, with the keyboard alone."""
    show_settings(page)
    page.get_by_role("button", name="Create an account").press("Enter")
    page.keyboard.type(name)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("account")).to_contain_text(f"{SIGNED_IN} {name}", timeout=SLOW_MS)


def sign_in(page: Page, name: str, password: str = PASSWORD) -> None:
    show_settings(page)
    page.get_by_test_id("account").get_by_role("button", name="Sign in").click()
    dialog = page.get_by_role("dialog", name="Sign in")
    dialog.get_by_label("E-mail address or user name").fill(name)
    dialog.get_by_label("Password").fill(password)
    dialog.get_by_role("button", name="Sign in").click()


def with_an_open_round(page: Page, seed: int) -> Player:
    """Sit down at a table, and play until a round waits for a decision."""
    player = Player(page, seed)
    player.sit("classic")
    player._bet_and_deal("mouse")
    while not player.wait_for_turn():
        player._bet_and_deal("mouse")
    return player


def test_an_account_continues_on_a_second_device(
    chromium: Browser, server: ServerProcess, page: Page
) -> None:
    name = new_name()
    player, known = with_an_open_round(page, seed=5), player_of(page)
    balance = player.balance_minor
    in_play = player.in_play_minor
    page.goto("/settings")
    page.get_by_text("claret").click()
    create(page, name)
    assert player_of(page) == known
    with opened(chromium, server, width=390, height=844) as other:
        other.goto("/settings")
        other.wait_for_function(HAS_SESSION, arg=known, timeout=SLOW_MS, polling=200)
        sign_in(other, name)
        expect(other.get_by_test_id("account")).to_contain_text(f"{SIGNED_IN} {name}", timeout=SLOW_MS)
        assert player_of(other) == known
        expect(other.locator("html")).to_have_attribute("data-cloth", "claret")
        other.goto("/table/classic")
        there = Player(other, seed=6)
        assert there.wait_for_turn(), "the same round waits for a decision"
        assert (there.balance_minor, there.in_play_minor) == (balance, in_play)
        other.goto("/settings")
        other.get_by_role("button", name="Sign out", exact=True).click()
        expect(other).to_have_url(f"{server.address}/", timeout=SLOW_MS)
        other.wait_for_function(HAS_SESSION, arg=known, timeout=SLOW_MS, polling=200)
    assert player_of(page) == known


def test_the_dialogs_fit_and_a_wrong_password_is_reported(kept: Page) -> None:
    """Password managers recognise the fields. At an IP address there are no passkeys."""
    kept.goto("/settings")
    for button, password in (("Create an account", "new-password"), ("Sign in", "current-password")):
        kept.get_by_test_id("account").get_by_role("button", name=button).click()
        dialog = kept.get_by_role("dialog", name=button)
        expect(dialog).to_be_visible()
        expect(kept.get_by_role("button", name="Use a passkey instead")).to_have_count(0)
        fields = dialog.locator("input").evaluate_all("all => all.map((one) => one.autocomplete)")
        assert fields == ["username", password]
        check_sizes(kept, button)
        kept.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
    resize(kept, (320, 640))
    sign_in(kept, new_name(), "wrong password")
    dialog = kept.get_by_role("dialog", name="Sign in")
    expect(dialog.get_by_role("alert")).to_have_text("The name or the password is wrong.")
    kept.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(kept.get_by_test_id("account").get_by_role("button", name="Sign in")).to_be_focused()
