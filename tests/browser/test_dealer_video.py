"""Dealers on camera and players who watch, through a real Janus: picture, voice, quality, wheel, returns.

`make test` has a shorter test in test_dealer_hls.py: each of these takes all processors for half a minute.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.coup_player import place_chips
from tests.browser.filming import (
    AUDIBLE,
    KEEPING,
    LOUDNESS,
    PICTURE,
    TABLE,
    UNCLOSED,
    WHEEL,
    choose,
    covers_nothing,
    dealer_page,
    filmed,
    filming,
    hears,
    janus,
    lines_become,
    moves,
    on_camera,
    page_with,
)
from tests.browser.player import SLOW_MS, bet_in_time
from tests.browser.recorded_rounds import RECORDING_TOOLS, check_recording, settled_round
from tests.browser.test_four_tables import SCROLLS_PX
from tests.browser.test_staff import page_at, scan, wanted
from tests.support.bad_link import BadLink
from tests.support.janus import JanusProcess, needs_janus
from tests.support.server_process import ServerProcess

__all__ = ["filmed", "filming", "janus"]
pytestmark = [pytest.mark.browser(alone=True), pytest.mark.campaign, needs_janus]

NOTICED_MS = 7_000
"""Time in which a frozen dealer and a stopped media server are noticed."""
PREVIEW = "[data-testid=camera-dealer] video"
SENT = "window.kept.at(-1).getSenders().map((sender) => sender.track.label)"
SILENCE = """
async () => {
  const senders = window.kept.at(-1).getSenders();
  const tracks = senders.map((sender) => sender.track);
  for (const sender of senders) await sender.replaceTrack(null);
  window.resume = () => senders.forEach((sender, i) => sender.replaceTrack(tracks[i]));
}
"""
"""Send nothing, as a frozen browser does, until `resume`."""
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
WANTED = "the pocket, when the ball has come to rest"


def test_players_see_and_hear_the_dealer_who_may_drop_out_and_return(
    filming: Browser, filmed: ServerProcess, janus: JanusProcess
) -> None:
    with dealer_page(filming, filmed) as dealer:
        dealer.get_by_test_id("camera-on").click()
        on_camera(dealer)
        with (
            page_with(filming, filmed, f"/table/{TABLE}", KEEPING + UNCLOSED) as ann,
            page_at(filming, filmed, f"/table/{TABLE}", 390) as bob,
        ):
            for player in (ann, bob):
                moves(player)
                covers_nothing(player)
            check_voice(dealer, ann, bob)
            check_devices(dealer, ann)
            check_returns(dealer, janus, (ann, bob))


@pytest.mark.skipif(not RECORDING_TOOLS, reason="janus-pp-rec or ffmpeg isn't installed")
def test_a_manager_watches_the_recording_of_a_round(filming: Browser, filmed: ServerProcess) -> None:
    with dealer_page(filming, filmed) as dealer:
        dealer.get_by_test_id("camera-on").click()
        on_camera(dealer)
        check_recording(filming, filmed, dealer, settled_round)


def check_voice(dealer: Page, ann: Page, bob: Page) -> None:
    """The dealer mutes the microphone for all, a player the dealer for themselves."""
    hears(ann)
    dealer.get_by_test_id("microphone").click()
    assert any(bob.evaluate(LOUDNESS) < AUDIBLE for _ in range(4)), "what is buffered is heard first"
    dealer.get_by_test_id("microphone").click()
    mute, sound = ann.get_by_test_id("dealer-mute"), ann.get_by_role("button", name="Mute", exact=True)
    effects = sound.get_attribute("aria-pressed")
    for muted in (True, False):
        mute.click()
        ann.wait_for_function(f"document.querySelector('{PICTURE}').muted === {str(muted).lower()}")
        assert sound.get_attribute("aria-pressed") == effects, "the game's sounds have their own switch"


def check_devices(dealer: Page, player: Page) -> None:
    """Another camera and another microphone are sent, and the camera is in the preview too.

    The last ones are chosen: Chromium can't send the depth images of its second fake camera.
    """
    for kind in ("Camera", "Microphone"):
        label = dealer.locator("label").filter(has_text=re.compile(rf"^\s*{kind}"))
        device = label.locator("option").last.inner_text()
        label.locator("select").select_option(label=device)
        dealer.wait_for_function(f"device => {SENT}.includes(device)", arg=device, timeout=SLOW_MS)
    for page, picture in ((dealer, PREVIEW), (player, PICTURE)):
        moves(page, picture=picture)
    hears(player)


def check_returns(dealer: Page, janus: JanusProcess, players: tuple[Page, ...]) -> None:
    """Whoever drops out is noticed, and the picture comes back: the dealer, Janus, the dealer's page."""
    dealer.evaluate(SILENCE)
    for player in players:
        expect(player.get_by_test_id("picture-interrupted")).to_be_visible(timeout=NOTICED_MS)
    expect(dealer.get_by_test_id("camera-state")).to_contain_text("still picture", timeout=NOTICED_MS)
    dealer.evaluate("window.resume()")
    for player in players:
        moves(player)
    janus.kill()
    for player in players:
        expect(player.get_by_test_id("dealer-video")).to_be_hidden(timeout=NOTICED_MS)
    expect(dealer.get_by_test_id("camera-state")).to_contain_text("media server", timeout=NOTICED_MS)
    janus.start()
    on_camera(dealer)
    dealer.reload()
    on_camera(dealer)
    for player in players:
        moves(player, 2 * SLOW_MS)


# --- quality


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


# --- the wheel


def test_the_wheel_is_shown_while_the_ball_runs(filming: Browser, filmed: ServerProcess) -> None:
    with (
        dealer_page(filming, filmed, WHEEL) as dealer,
        page_with(filming, filmed, f"/table/{WHEEL}", KEEPING) as ann,
    ):
        for view in ("dealer", "equipment"):
            camera = dealer.get_by_test_id(f"camera-{view}")
            camera.get_by_test_id("camera-on").click()
            expect(camera.get_by_test_id("camera-state")).to_contain_text("Players see", timeout=2 * SLOW_MS)
        bet_in_time(ann, lambda: place_chips(ann, "red"), least_s=3)
        wanted(dealer, WANTED)
        check_view(ann, "equipment", "dealer")
        scan(dealer, "17")
        expect(ann.get_by_test_id("result")).to_have_attribute("data-net", "-50", timeout=2 * SLOW_MS)
        check_view(ann, "dealer", "equipment")


def check_view(player: Page, shown: str, hidden: str) -> None:
    """One camera is shown, and the dealer goes on being heard."""
    view = player.get_by_test_id("camera-view")
    expect(view).to_have_attribute("data-view", shown, timeout=2 * SLOW_MS)
    expect(player.get_by_test_id(f"{shown}-picture")).to_be_visible()
    expect(player.get_by_test_id(f"{hidden}-picture")).to_be_hidden()
    moves(player, picture=f"[data-testid={shown}-picture]")
    hears(player)
    covers_nothing(player)
