"""The screen reader's text of one live round, dealt by hand with fixed cards; then a correction."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.dealt_by_hand import (
    DealtTable,
    confirm_shuffles,
    dealt_table,
    expect_accepted_bet,
    expect_status,
    press,
    wait_for_open_bets,
)
from tests.browser.player import SLOW_MS

pytestmark = pytest.mark.browser

# Record every change of a live region, and whether the result was on the page then.
LISTEN = """
() => {
  window.said = [];
  const live = '[aria-live], [role=status], [role=alert], [role=log]';
  const regionOf = ({ target }) => (target.closest ? target : target.parentNode).closest(live);
  const spoken = (changes) => {
    for (const region of new Set(changes.map(regionOf))) {
      const text = region?.textContent.trim();
      const urgent = region?.matches('[aria-live=assertive], [role=alert]');
      if (text) window.said.push({ urgent, text, ended: !!document.querySelector('[data-testid=result]') });
    }
  };
  const all = { childList: true, characterData: true, subtree: true };
  new MutationObserver(spoken).observe(document.body, all);
}
"""
ANNOUNCED = "pattern => window.said.some(({ text }) => text.match(pattern))"
TIMER = "5 seconds."
POLITE = """
Place your bets, N seconds. Total bet €5.00.
No more bets.
Dealer shows six. You have 15: ten of spades, five of hearts.
You have 19: ten of spades, five of hearts, four of clubs.
Dealer has 16: six of diamonds, ten of clubs.
Dealer has 24, bust: six of diamonds, ten of clubs, eight of clubs.
You win €5.00. Staked €5.00, returned €10.00.
"""
URGENT = """
Last N seconds to bet.
Your turn: 15. Hit, stand or double. N seconds.
5 seconds.
Your turn: 19. Hit or stand. N seconds.
"""


def wait_for_announcement(page: Page, pattern: str) -> None:
    page.wait_for_function(ANNOUNCED, arg=pattern, timeout=SLOW_MS)


def announcements(page: Page, *, urgent: bool) -> str:
    """Return all announcements, with the seconds in sentences, which depend on the machine, as N."""
    announced = page.evaluate("window.said")
    assert all(one["ended"] for one in announced if "You win" in one["text"]), (
        "announced before the result was shown"
    )
    texts = [one["text"] for one in announced if one["urgent"] is urgent]
    return " ".join(one if one == TIMER else re.sub(r"\d+ seconds", "N seconds", one) for one in texts)


def place_bet(page: Page) -> None:
    page.get_by_test_id("chip-500").click()
    page.get_by_test_id("spot-0-main").click()
    expect_accepted_bet(page)


def test_a_round_is_announced_as_written_and_a_correction_applies_to_the_chosen_card(
    chromium: Browser, tmp_path: Path
) -> None:
    with dealt_table(chromium, tmp_path, "infinite", betting_ms=6_000, decision_ms=7_000) as server:
        ann = server.ann
        ann.evaluate(LISTEN)
        confirm_shuffles(server)
        wait_for_open_bets(ann)
        place_bet(ann)
        server.expect_request("first card")
        server.deal("TS", "6D", "5H", "down")
        expect_status(ann, "Your turn")
        wait_for_announcement(ann, f"^{TIMER}$")
        press(ann, "h")
        server.deal("4C")
        expect_status(ann, "Your turn")
        press(ann, "s")
        server.deal("TC", "8C")
        wait_for_announcement(ann, "You win")
        assert announcements(ann, urgent=False) == " ".join(POLITE.split())
        assert announcements(ann, urgent=True) == " ".join(URGENT.split())
        _a_correction_applies_to_the_chosen_card(server)


def _a_correction_applies_to_the_chosen_card(server: DealtTable) -> None:
    """In the next round, the dealer continues to deal while the manager types the reason."""
    wait_for_open_bets(server.ann)
    place_bet(server.ann)
    server.expect_request("first card")
    server.deal("TS")
    server.manager.get_by_test_id("correct-0").click(timeout=SLOW_MS)
    dialog = server.manager.get_by_role("dialog")
    dialog.get_by_test_id("card-8S").click()
    server.deal("9D")
    lies = server.manager.get_by_role("region", name="Can still be corrected")
    expect(lies).to_contain_text("nine of diamonds", timeout=SLOW_MS)
    dialog.get_by_test_id("reason").fill("misread")
    dialog.get_by_test_id("confirm").click()
    expect(lies).to_contain_text("eight of spades", timeout=SLOW_MS)
    expect(lies).to_contain_text("nine of diamonds")
