"""The screen reader's text of one live round, dealt by hand with fixed cards."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.dealt_by_hand import bets_open, night, press, says, shuffled, stands
from tests.browser.player import SLOW_MS

pytestmark = pytest.mark.browser

# Every change of a live region, and whether the result was on the page by then.
LISTEN = """
() => {
  window.heard = [];
  const live = '[aria-live], [role=status], [role=alert], [role=log]';
  const regionOf = ({ target }) => (target.closest ? target : target.parentNode).closest(live);
  const spoken = (changes) => {
    for (const region of new Set(changes.map(regionOf))) {
      const text = region?.textContent.trim();
      const urgent = region?.matches('[aria-live=assertive], [role=alert]');
      if (text) window.heard.push({ urgent, text, ended: !!document.querySelector('[data-testid=result]') });
    }
  };
  const all = { childList: true, characterData: true, subtree: true };
  new MutationObserver(spoken).observe(document.body, all);
}
"""
HEARS = "pattern => window.heard.some(({ text }) => text.match(pattern))"
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


def hears(page: Page, pattern: str) -> None:
    page.wait_for_function(HEARS, arg=pattern, timeout=SLOW_MS)


def heard(page: Page, *, urgent: bool) -> str:
    """All that was spoken. A time left within a sentence depends on the machine; the timer does not."""
    all_heard = page.evaluate("window.heard")
    assert all(one["ended"] for one in all_heard if "You win" in one["text"]), "before the result was shown"
    texts = [one["text"] for one in all_heard if one["urgent"] is urgent]
    return " ".join(one if one == TIMER else re.sub(r"\d+ seconds", "N seconds", one) for one in texts)


def test_a_round_is_announced_as_written(chromium: Browser, tmp_path: Path) -> None:
    with night(chromium, tmp_path, "infinite", betting_ms=6_000, decision_ms=7_000) as house:
        ann = house.ann
        ann.evaluate(LISTEN)
        shuffled(house)
        bets_open(ann)
        ann.get_by_test_id("chip-500").click()
        ann.get_by_test_id("spot-0-main").click()
        stands(ann)
        house.asked("first card")
        house.deals("TS", "6D", "5H", "down")
        says(ann, "Your turn")
        hears(ann, f"^{TIMER}$")
        press(ann, "h")
        house.deals("4C")
        says(ann, "Your turn")
        press(ann, "s")
        house.deals("TC", "8C")
        hears(ann, "You win")
        assert heard(ann, urgent=False) == " ".join(POLITE.split())
        assert heard(ann, urgent=True) == " ".join(URGENT.split())
