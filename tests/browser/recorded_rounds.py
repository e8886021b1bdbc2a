"""Rounds at Infinite Blackjack with a dealer on camera, and their recordings."""

import shutil
from collections.abc import Callable

from playwright.sync_api import Browser, Page, expect

from tests.browser.player import SLOW_MS
from tests.browser.test_staff import BOT, STAKE, order, page_at, results, scan, sign_in, stands, wanted
from tests.staff.clients import add
from tests.support.server_process import ServerProcess

RECORDING_TOOLS = shutil.which("janus-pp-rec") and shutil.which("ffmpeg")
PLAYED = """
async () => {
  const video = document.querySelector('[data-testid=recording]');
  if (!video) return false;
  video.muted = true;
  await video.play();
  return video.videoWidth > 0 && video.currentTime > 0.5 && video.duration;
}
"""

PlayRound = Callable[[Page, Page, Page], str]
"""Has the dealer, with a manager if need be, and the player play a round; returns its id."""


def check_recording(browser: Browser, server: ServerProcess, dealer: Page, play: PlayRound) -> None:
    """A manager finds the round of a player and watches it."""
    ada = add(server.data, "Ada", "manager")
    with (
        page_at(browser, server, "/") as player,
        page_at(browser, server, "/staff/table/infinite") as manager,
    ):
        sign_in(manager, "Ada", ada)
        player.evaluate(BOT)
        line = play(dealer, manager, player)
        player_id = player.request.get("/api/me").json()["player"]
        manager.goto(f"/staff/players/{player_id}/rounds/{line}")
        manager.get_by_test_id("show-recording").click()
        manager.wait_for_function(PLAYED, timeout=2 * SLOW_MS)
        manager.goto("/staff/log")
        expect(manager.get_by_test_id("event").first).to_contain_text("watched a recording", timeout=SLOW_MS)


def voided_round(dealer: Page, manager: Page, player: Page) -> str:
    """Play a round of the player until it is voided, and return its id."""
    dealer.get_by_test_id("shuffled-0").click()
    scan(dealer, "shuffled")
    wanted(dealer, "the player's first card")
    order(manager, "void_round", "a dispute")
    assert results(player, 1)[0]["void"]
    return first_round(player)


def settled_round(dealer: Page, _manager: Page, player: Page) -> str:
    """Deal a round: 19 against 19."""
    dealer.get_by_test_id("shuffled-0").click()
    scan(dealer, "shuffled")
    wanted(dealer, "the player's first card")
    scan(dealer, "TS", "9h", "9S", "down")
    stands(player)
    wanted(dealer, "the dealer's face-down card, turned")
    scan(dealer, "10h")
    result = results(player, 1)[0]
    assert (result["staked_minor"], result["returned_minor"]) == (STAKE, STAKE)
    return first_round(player)


def first_round(player: Page) -> str:
    """Return the id of the player's oldest round; they may already play another one."""
    return str(player.request.get("/api/history").json()["lines"][-1]["round"])
