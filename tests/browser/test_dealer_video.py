"""Players see and hear a dealer on camera, who may drop out and return, through a real Janus."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.filming import (
    AUDIBLE,
    KEEPING,
    LOUDNESS,
    PICTURE,
    TABLE,
    UNCLOSED,
    check_exclusion,
    covers_nothing,
    dealer_page,
    filmed,
    filming,
    hears,
    janus,
    moves,
    on_camera,
    page_with,
)
from tests.browser.player import SLOW_MS
from tests.browser.recorded_rounds import RECORDING_TOOLS, check_recording, settled_round
from tests.browser.test_staff import page_at
from tests.support.janus import JanusProcess, needs_janus
from tests.support.server_process import ServerProcess

__all__ = ["filmed", "filming", "janus"]
pytestmark = [pytest.mark.browser(long=True), needs_janus]

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
LOADED = "performance.getEntriesByType('resource').map(({ name }) => name)"


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
            assert not any("hls" in name for name in ann.evaluate(LOADED)), "only those who use it load it"
            check_exclusion(ann)


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
