"""A player at a table of coups, who bets anywhere on the layout, by mouse or by keys, and deals."""

from playwright.sync_api import Locator, Page

from tests.browser.player import By, Player

BETS_MAX = 4
STEPS_MAX = 9
ARROWS = ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp")


class CoupPlayer(Player):
    """Chooses bets by `seed`, so that a run can be repeated except for the results."""

    @property
    def _bets(self) -> Locator:
        return self.page.locator("[data-testid^='bet-'][data-spot]")

    def _bet_and_deal(self, by: By) -> None:
        if by == "mouse":
            super()._bet_and_deal(by)
            return
        self._root.focus()
        if self._random.random() < 0.5:
            self.page.keyboard.press("Space")
        else:
            self._walk()
        self._root.focus()
        self.page.keyboard.press("Enter")

    def place(self) -> None:
        """Place one chip of the lowest denomination on each of some bets."""
        self.page.locator("[data-testid^='chip-']").first.click()
        for place in self._random.sample(range(self._bets.count()), k=self._some()):
            click(self._bets.nth(place))

    def _walk(self) -> None:
        """Move over the layout by arrows and place a chip where it stops."""
        if self.phase == "ended":
            self.page.get_by_test_id("new-bet").press("Enter")
        self.page.keyboard.press("1")
        self._bets.first.focus()
        for _ in range(self._some()):
            for _ in range(self._random.randint(0, STEPS_MAX)):
                self.page.keyboard.press(self._random.choice(ARROWS))
            self.page.keyboard.press("Enter")

    def _some(self) -> int:
        return self._random.randint(1, min(BETS_MAX, self._bets.count()))


def click(bet: Locator) -> None:
    bet.scroll_into_view_if_needed()
    bet.click()


def place_chips(page: Page, *bets: str) -> None:
    """Place one chip of the lowest denomination on each bet."""
    page.locator("[data-testid^='chip-']").first.click()
    for bet in bets:
        click(page.get_by_test_id(f"bet-{bet}"))
