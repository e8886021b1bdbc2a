"""A player with live tables beside each other in one window, who bets at each and plays one round."""

import random
from collections.abc import Collection, Mapping, Sequence

from playwright.sync_api import Locator, Page

from tests.browser.coup_player import place_chips
from tests.browser.dealt_by_hand import expect_accepted_bet
from tests.browser.player import digits
from tests.browser.test_automatic import decide_once
from tests.browser.test_four_tables import frame

TIME_TO_BET_S = 3
STEP_MS = 50
STEPS_MAX = 2_000


class LiveWindow:
    """`bets`: by table, the test ids of the places to click. `others`: tables with a hand that is under way.

    `nets` has the net results shown so far. Decisions wait until all bets are placed.
    """

    def __init__(self, page: Page, bets: Mapping[str, Sequence[str]], others: Collection[str] = ()) -> None:
        self.page = page
        self.nets: dict[str, int] = {}
        self._to_bet = dict(bets)
        self._tables = (*bets, *others)

    @property
    def is_finished(self) -> bool:
        return len(self.nets) == len(self._tables)

    def advance(self, chance: random.Random) -> None:
        """Bet where bets are open, note results, and decide once."""
        for table in [*self._to_bet]:
            here = frame(self.page, table)
            if time_to_bet(here):
                bet(here, self._to_bet.pop(table))
        for table in self._tables:
            result = frame(self.page, table).get_by_test_id("result")
            if table not in self.nets and table not in self._to_bet and result.is_visible():
                self.nets[table] = int(result.get_attribute("data-net") or 0)
        if not self._to_bet:
            decide_once(self.page, chance)


def play_round(windows: Sequence[LiveWindow], chance: random.Random) -> None:
    """Let each player bet at each table and decide at random, until all have seen all results."""
    for _ in range(STEPS_MAX):
        for window in windows:
            window.advance(chance)
        if all(window.is_finished for window in windows):
            return
        windows[0].page.wait_for_timeout(STEP_MS)
    raise AssertionError(f"only {[sorted(window.nets) for window in windows]} came to an end")


def bet(here: Locator, places: Sequence[str]) -> None:
    """Click the places, and wait until the server has accepted the bets."""
    for place in places:
        if place.startswith("bet-"):
            place_chips(here, place.removeprefix("bet-"))
        else:
            here.get_by_test_id(place).click()
    expect_accepted_bet(here)


def time_to_bet(here: Locator) -> bool:
    """Return whether bets are open for some seconds more."""
    if here.get_by_test_id("light").get_attribute("data-light") != "green":
        return False
    return digits(here.get_by_test_id("seconds").text_content()) >= TIME_TO_BET_S
