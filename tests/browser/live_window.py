"""A player with live tables beside each other in one window, who bets at each and plays one round."""

import random
from collections.abc import Collection, Mapping, Sequence
from typing import TypedDict

from playwright.sync_api import Page

from tests.browser.coup_player import click
from tests.browser.dealt_by_hand import expect_accepted_bet
from tests.browser.test_automatic import decide_once
from tests.browser.test_four_tables import frame

TIME_TO_BET_S = 3
STEP_MS = 50
STEPS_MAX = 2_000
SHOWN = """frames => Object.fromEntries(frames.map(frame => {
    const shown = id => frame.querySelector(`[data-testid='${id}']`);
    const seconds = parseInt(shown('seconds')?.textContent) || 0;
    const net = shown('result')?.dataset.net;
    return [frame.dataset.testid.slice('frame-'.length), {
        betting_s: shown('light')?.dataset.light === 'green' ? seconds : 0,
        net: net === undefined ? null : Number(net),
    }];
}))"""


class Shown(TypedDict):
    """The seconds for which a table's bets are still open, and the net result that it shows."""

    betting_s: int
    net: int | None


class LiveWindow:
    """A browser window with several live tables, at which a player bets and decides.

    `bets`: by table, the test id of the place to click. `others`: tables with a hand that is under way.

    `nets` has the net results shown so far. Decisions wait until all bets are placed.
    """

    def __init__(self, page: Page, bets: Mapping[str, str], others: Collection[str] = ()) -> None:
        self.page = page
        self.nets: dict[str, int] = {}
        self._to_bet = dict(bets)
        self._tables = (*bets, *others)

    @property
    def is_finished(self) -> bool:
        return len(self.nets) == len(self._tables)

    def advance(self, chance: random.Random) -> None:
        """Note results, bet at a table whose bets are open, and decide."""
        shown = self._shown()
        for table in self._tables:
            net = shown[table]["net"]
            if net is not None and table not in self._to_bet:
                self.nets.setdefault(table, net)
        for table in self._to_bet:
            if shown[table]["betting_s"] >= TIME_TO_BET_S:
                here = frame(self.page, table)
                click(here.get_by_test_id(self._to_bet.pop(table)))
                expect_accepted_bet(here)
                return
        if not self._to_bet:
            decide_once(self.page, chance)

    def _shown(self) -> dict[str, Shown]:
        shown: dict[str, Shown] = self.page.locator("[data-testid^='frame-']").evaluate_all(SHOWN)
        return shown


def play_round(windows: Sequence[LiveWindow], chance: random.Random) -> None:
    """Let each player bet at each table and decide at random, until all have seen all results."""
    for _ in range(STEPS_MAX):
        for window in windows:
            window.advance(chance)
        if all(window.is_finished for window in windows):
            return
        windows[0].page.wait_for_timeout(STEP_MS)
    raise AssertionError(f"only {[sorted(window.nets) for window in windows]} came to an end")
