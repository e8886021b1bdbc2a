"""A player at a table of the client, who bets, deals and decides with the mouse or with keys."""

import random
import re
from collections.abc import Callable
from typing import Literal

from playwright.sync_api import Locator, Page, expect

By = Literal["mouse", "keys"]

KEYS = {
    "hit": "h",
    "stand": "s",
    "double": "d",
    "split": "p",
    "insure": "i",
    "decline_insurance": "n",
    "take_even_money": "e",
    "decline_even_money": "n",
}
OPEN = "[data-testid^='action-']:not([aria-disabled='true'])"
SLOW_MS = 20_000
POLLING_MS = 100
"""Between two looks at a condition: by default, Playwright looks at every frame, and so draws every frame."""
TIME_TO_BET = """
least => document.querySelector('[data-testid=light]')?.dataset.light === 'green' &&
  parseInt(document.querySelector('[data-testid=seconds]')?.textContent) >= least
"""
DECIDED = """
() => document.querySelector('[data-testid=light]')?.dataset.light === 'red' ||
  document.querySelector('[data-testid=bet-state]')?.dataset.stands === 'true'
"""
ATTEMPTS = 3


def digits(text: str | None) -> int:
    """Return `€1,234.50` or `GC 123,450` in smallest units."""
    return int(re.sub(r"\D", "", text or "") or 0)


def pause_clock(page: Page) -> None:
    """Stop the page's clock, some time ahead: a busy machine is late, and the clock can't be put back."""
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 30_000"))


def bet_in_time(page: Page, place: Callable[[], object], *, least_s: int) -> None:
    """Bet at a live table in a round that is open for at least so long.

    A busy machine may still be too late, so the bet is repeated in the next rounds until one is accepted.
    """
    for _ in range(ATTEMPTS):
        page.wait_for_function(TIME_TO_BET, arg=least_s, timeout=4 * SLOW_MS, polling=POLLING_MS)
        place()
        page.wait_for_function(DECIDED, timeout=SLOW_MS, polling=POLLING_MS)
        if page.get_by_test_id("bet-state").get_attribute("data-stands") == "true":
            return
    raise AssertionError("no bet was in time")


def follow(page: Page, path: str) -> None:
    """Open another page of the client by its link in the bar above; on a phone it is in a menu."""
    page.evaluate("path => document.querySelector(`header a[href='${path}']`).click()", path)
    expect(page).to_have_url(path, timeout=SLOW_MS)


class Player:
    """Chooses bets and decisions by `seed`, so that a run can be repeated except for the cards."""

    def __init__(self, page: Page, seed: int) -> None:
        self.page = page
        self._random = random.Random(seed)

    def sit(self, table: str) -> None:
        self.page.goto("/")
        self._choose(table)

    def move(self, table: str) -> None:
        """Go to another table by the lobby, without loading the page again."""
        follow(self.page, "/")
        self._choose(table)
        expect(self._root).to_have_count(1)

    def _choose(self, table: str) -> None:
        self.page.get_by_test_id(f"table-{table}").click()
        root = self.page.get_by_test_id(f"frame-{table}").locator("[data-table-root]")
        expect(root).to_have_attribute("data-phase", "betting", timeout=SLOW_MS)

    @property
    def _root(self) -> Locator:
        return self.page.locator("[data-table-root]")

    @property
    def phase(self) -> str | None:
        return self._root.get_attribute("data-phase")

    @property
    def balance_minor(self) -> int:
        return digits(self.page.get_by_test_id("balance").text_content())

    @property
    def in_play_minor(self) -> int:
        return digits(self.page.get_by_test_id("in-play").text_content())

    def play_round(self, by: By) -> None:
        """Play a whole round; with keys repeat the last bets, with the mouse place new ones."""
        self._bet_and_deal(by)
        while self.wait_for_turn():
            self.decide(by)

    def _bet_and_deal(self, by: By) -> None:
        if by == "keys":
            self._root.focus()
            self.page.keyboard.press("Space")
            self.page.keyboard.press("Enter")
        else:
            if self.phase == "ended":
                self.page.get_by_test_id("new-bet").click()
            self.place()
            self.page.get_by_test_id("deal").click()

    def place(self) -> None:
        """Place one chip of the lowest denomination on each of a random number of boxes."""
        self.page.locator("[data-testid^='chip-']").first.click()
        spots = self.page.locator("[data-testid^='spot-'][data-testid$='-main']")
        for box in range(self._random.randint(1, spots.count())):
            spots.nth(box).click()

    def wait_for_turn(self) -> bool:
        """Wait until a decision may be made (True) or the round has ended (False)."""
        # A function, since the pages forbid eval of an expression; run at every frame, unlike a locator.
        found = "open => document.querySelector(`[data-phase='ended'], ${open}`) !== null"
        self.page.wait_for_function(found, arg=OPEN, timeout=SLOW_MS)
        return self.phase != "ended"

    def decide(self, by: By) -> None:
        open_ = self.page.locator(OPEN)
        offered = [name for name in (one.get_attribute("data-testid") for one in open_.all()) if name]
        if not offered:
            return
        testid = self._random.choice(offered)
        if by == "mouse":
            self.page.locator(f"{OPEN}[data-testid='{testid}']").first.click()
        else:
            self._root.focus()
            self.page.keyboard.press(KEYS[testid.removeprefix("action-")])
        self.page.wait_for_timeout(20)
