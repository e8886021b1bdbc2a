"""The quality of a dealer's picture: the player's choice, the link, the window, and four tables in it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.filming import (
    KEEPING,
    TABLE,
    choose,
    covers_nothing,
    dealer_page,
    filmed,
    filming,
    janus,
    lines_become,
    moves,
    on_camera,
    page_with,
)
from tests.browser.player import SLOW_MS
from tests.browser.test_four_tables import SCROLLS_PX
from tests.support.bad_link import BadLink
from tests.support.janus import needs_janus
from tests.support.server_process import ServerProcess

__all__ = ["filmed", "filming", "janus"]
pytestmark = [pytest.mark.browser(long=True), needs_janus]

FOUR = (TABLE, "live_roulette", "live_baccarat", "live_sic_bo")
LOW, MORE = "lines > 0 && lines <= 180", "lines > 180"
"""A dealer's slow computer sends fewer lines than 720."""
HIDE = """
(hidden) => {
  Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}
"""
"""Hide the window, as another one in front of it does; or show it."""


@pytest.fixture
def link() -> Iterator[BadLink]:
    opened = BadLink()
    yield opened
    opened.close()


def test_the_picture_is_as_good_as_the_player_the_link_and_the_window_let_it_be(
    filming: Browser, filmed: ServerProcess, link: BadLink
) -> None:
    with (
        dealer_page(filming, filmed) as dealer,
        page_with(filming, filmed, f"/table/{TABLE}", KEEPING, link) as ann,
    ):
        dealer.get_by_test_id("camera-on").click()
        on_camera(dealer)
        moves(ann)
        check_auto(ann, link)
        check_choices(ann)
        check_settings(ann)
        check_hidden(ann)
        check_reduced_data(ann)
        check_four_tables(ann)


def check_auto(player: Page, link: BadLink) -> None:
    """A link that loses packets is sent less."""
    lines_become(player, MORE)
    link.lost = 4
    lines_become(player, LOW)
    link.lost = 0
    lines_become(player, MORE)


def check_choices(player: Page) -> None:
    """Each choice is what arrives; without a picture the table goes on."""
    choose(player, "low")
    lines_become(player, LOW)
    choose(player, "high")
    lines_become(player, MORE)
    choose(player, "audio")
    expect_voice_only(player)
    choose(player, "off")
    expect(player.get_by_test_id("dealer-picture")).to_be_hidden(timeout=SLOW_MS)
    expect(player.get_by_test_id("saying")).to_be_visible()


def check_settings(player: Page) -> None:
    """The choice and what is received are in Settings as well."""
    choose(player, "high")
    lines_become(player, MORE)
    player.get_by_test_id("table-menu").click()
    player.get_by_test_id("menu-settings").click()
    settings = player.get_by_role("dialog")
    expect(settings.get_by_test_id("picture-now")).to_contain_text("behind")
    settings.get_by_text("Low", exact=True).click()
    expect(player.get_by_test_id("picture-quality")).to_have_value("low")
    settings.get_by_text("Auto", exact=True).click()
    player.keyboard.press("Escape")


def expect_voice_only(player: Page) -> None:
    expect(player.get_by_test_id("picture-state")).to_have_text("Voice only", timeout=SLOW_MS)


def check_hidden(player: Page) -> None:
    """In a hidden window only the voice is received, unless the picture is detached from it."""
    player.evaluate(HIDE, True)
    expect_voice_only(player)
    player.get_by_role("button", name="Picture in picture").click()
    player.wait_for_function("document.pictureInPictureElement", timeout=SLOW_MS)
    lines_become(player, "lines > 0")
    moves(player)
    player.evaluate("document.exitPictureInPicture()")
    expect_voice_only(player)
    player.evaluate(HIDE, False)
    moves(player)


def check_reduced_data(player: Page) -> None:
    """A browser that asks for reduced data gets the lowest layer."""
    lines_become(player, MORE)
    reduced = {"features": [{"name": "prefers-reduced-data", "value": "reduce"}]}
    player.context.new_cdp_session(player).send("Emulation.setEmulatedMedia", reduced)
    player.reload()
    lines_become(player, LOW)


def check_four_tables(player: Page) -> None:
    """Beside the picture, all bets stay in view."""
    player.goto(f"/table/{'+'.join(FOUR)}")
    moves(player)
    covers_nothing(player)
    for table in FOUR:
        cloth = player.get_by_test_id(f"frame-{table}").locator("[data-cloth]")
        expect(cloth.first).to_be_visible(timeout=SLOW_MS)
        assert cloth.evaluate_all(f"cloths => cloths.map({SCROLLS_PX})") == [0], table
