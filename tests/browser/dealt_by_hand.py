"""A server whose live table is dealt by a person, with cards chosen by the test."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import opened
from tests.browser.player import SLOW_MS
from tests.browser.test_staff import order, page_at, scan, sign_in
from tests.staff.clients import add
from tests.support.server_process import ServerProcess

CONFIG_TOML = """
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
DESKTOP, PHONE = (1440, 900), (390, 844)


class DealtTable(NamedTuple):
    """The pages of the manager, the dealer and two players: one on a desktop, one on a phone."""

    manager: Page
    dealer: Page
    ann: Page
    bob: Page

    @property
    def players(self) -> tuple[Page, Page]:
        return self.ann, self.bob

    def deal(self, *cards: str) -> None:
        """Enter each card when it is requested; a face-down card is `down`."""
        for card in cards:
            self.expect_request("card")
            requested = self.dealer.get_by_test_id("wanted").text_content() or ""
            scan(self.dealer, card)
            expect(self.dealer.get_by_test_id("wanted")).not_to_have_text(requested, timeout=SLOW_MS)

    def expect_request(self, words: str) -> None:
        """Wait until the dealer's page requests this."""
        expect(self.dealer.get_by_test_id("wanted")).to_contain_text(words, timeout=2 * SLOW_MS)


@contextmanager
def dealt_table(
    chromium: Browser, folder: Path, table: str, *, betting_ms: int = 8_000, decision_ms: int = 90_000
) -> Iterator[DealtTable]:
    """Open the pages, and the table before its first shuffle."""
    config_toml = CONFIG_TOML.format(table=table, betting_ms=betting_ms, decision_ms=decision_ms)
    (folder / "croupier.toml").write_text(config_toml)
    server = ServerProcess(folder / "data", options=("--config", str(folder / "croupier.toml"))).start()
    ada, ben = add(server.data, "Ada", "manager"), add(server.data, "Ben", "dealer")
    with ExitStack() as open_:
        open_.callback(server.stop)
        manager = open_.enter_context(page_at(chromium, server, f"/staff/table/{table}"))
        dealer = open_.enter_context(page_at(chromium, server, f"/staff/table/{table}"))
        sign_in(manager, "Ada", ada)
        sign_in(dealer, "Ben", ben)
        ann, bob = (
            open_.enter_context(opened(chromium, server, width=wide, height=high))
            for wide, high in (DESKTOP, PHONE)
        )
        for page in (ann, bob):
            page.goto(f"/table/{table}")
            expect(page.get_by_test_id("saying")).to_have_text("The table is closed", timeout=SLOW_MS)
        order(manager, "open_table")
        yield DealtTable(manager, dealer, ann, bob)


def confirm_shuffles(live: DealtTable) -> None:
    """Confirm the shuffle of every shoe that the dealer's page requests."""
    live.expect_request("huffle")
    buttons = live.dealer.locator("[data-testid^='shuffled-']")
    for shoe in range(buttons.count()):
        button = live.dealer.get_by_test_id(f"shuffled-{shoe}")
        button.click()
        expect(button).to_be_hidden(timeout=SLOW_MS)


def wait_for_open_bets(page: Page) -> None:
    expect(page.get_by_test_id("light")).to_have_attribute("data-light", "green", timeout=2 * SLOW_MS)


def expect_accepted_bet(page: Page | Locator) -> None:
    """Wait until the server has accepted the bet shown."""
    expect(page.get_by_test_id("bet-state")).to_have_attribute("data-stands", "true", timeout=SLOW_MS)


def expect_status(page: Page, words: str) -> None:
    expect(page.get_by_test_id("saying")).to_have_text(words, timeout=2 * SLOW_MS)


def press(page: Page, key: str) -> None:
    page.locator("[data-table-root]").focus()
    page.wait_for_timeout(400)  # a decision can be pressed a moment after it appeared
    page.keyboard.press(key)
