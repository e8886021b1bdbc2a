"""A server whose live table is dealt by a person, with cards chosen by the test."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import opened
from tests.browser.player import SLOW_MS
from tests.browser.test_staff import order, page_at, scan, sign_in
from tests.staff.at_work import add
from tests.support.server_process import HouseProcess

FLOOR = """
[{table}]
dealer = "person"
opened = false
betting_ms = {betting_ms}
warning_ms = 3000
decision_ms = {decision_ms}
offer_ms = {decision_ms}
check_ms = 200
pause_ms = 8000
"""
DESK, PHONE = (1440, 900), (390, 844)


class Night(NamedTuple):
    """The manager's page and the dealer's, and two players at the table: one at a desk, one with a phone."""

    floor: Page
    dealer: Page
    ann: Page
    bob: Page

    @property
    def players(self) -> tuple[Page, Page]:
        return self.ann, self.bob

    def deals(self, *cards: str) -> None:
        """Each card when it is asked for; a face-down card is `down`."""
        for card in cards:
            self.asked("card")
            asked = self.dealer.get_by_test_id("wanted").text_content() or ""
            scan(self.dealer, card)
            expect(self.dealer.get_by_test_id("wanted")).not_to_have_text(asked, timeout=SLOW_MS)

    def asked(self, words: str) -> None:
        """The dealer is asked for this."""
        expect(self.dealer.get_by_test_id("wanted")).to_contain_text(words, timeout=2 * SLOW_MS)


@contextmanager
def night(
    chromium: Browser, folder: Path, table: str, *, betting_ms: int = 12_000, decision_ms: int = 90_000
) -> Iterator[Night]:
    """Open, shuffled, and before the bets of the first round."""
    floor_toml = FLOOR.format(table=table, betting_ms=betting_ms, decision_ms=decision_ms)
    (folder / "floor.toml").write_text(floor_toml)
    house = HouseProcess(folder / "data", words=("--floor", str(folder / "floor.toml"))).start()
    ada, ben = add(house.data, "Ada", "manager"), add(house.data, "Ben", "dealer")
    with ExitStack() as open_:
        open_.callback(house.stop)
        floor = open_.enter_context(page_at(chromium, house, f"/staff/table/{table}"))
        dealer = open_.enter_context(page_at(chromium, house, f"/staff/table/{table}"))
        sign_in(floor, "Ada", ada)
        sign_in(dealer, "Ben", ben)
        ann, bob = (
            open_.enter_context(contextmanager(opened)(chromium, house, width=wide, height=high))
            for wide, high in (DESK, PHONE)
        )
        for page in (ann, bob):
            page.goto(f"/table/{table}")
            expect(page.get_by_test_id("saying")).to_have_text("The table is closed", timeout=SLOW_MS)
        order(floor, "open_table")
        yield Night(floor, dealer, ann, bob)


def shuffled(night: Night) -> None:
    """Every shoe that the dealer is asked for."""
    night.asked("huffle")
    buttons = night.dealer.locator("[data-testid^='shuffled-']")
    for shoe in range(buttons.count()):
        button = night.dealer.get_by_test_id(f"shuffled-{shoe}")
        button.click()
        expect(button).to_be_hidden(timeout=SLOW_MS)


def bets_open(page: Page) -> None:
    expect(page.get_by_test_id("light")).to_have_attribute("data-light", "green", timeout=2 * SLOW_MS)


def stands(page: Page) -> None:
    """The chips on the cloth are the bet that counts."""
    expect(page.get_by_test_id("bet-state")).to_have_attribute("data-stands", "true", timeout=SLOW_MS)


def says(page: Page, words: str) -> None:
    expect(page.get_by_test_id("saying")).to_have_text(words, timeout=2 * SLOW_MS)


def press(page: Page, key: str) -> None:
    page.locator("[data-table-root]").focus()
    page.wait_for_timeout(400)  # a decision can be pressed a moment after it appeared
    page.keyboard.press(key)
