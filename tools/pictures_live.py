"""Screenshots of live tables with chosen cards, on a desktop and on a phone."""

from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, expect

from tests.browser.dealt_by_hand import expect_accepted_bet, press
from tests.browser.player import SLOW_MS
from tests.browser.test_staff import order, scan, sign_in
from tests.staff.clients import add
from tests.support.server_process import ServerProcess
from tools.camera import DESKTOP, PHONE, open_page, screenshot
from tools.other_players import Guest, other_players

CONFIG_TOML = """
[infinite]
dealer = "person"
opened = false
betting_ms = 14000
warning_ms = 6000
decision_ms = 30000
offer_ms = 30000
check_ms = 1000
pause_ms = 8000

[seven_seat]
dealer = "person"
opened = false
seats_each = 1
betting_ms = 14000
warning_ms = 6000
decision_ms = 30000
offer_ms = 30000
check_ms = 1000
pause_ms = 8000
"""
SEATS = (3, 4)
SIDES = ("any_pair", "twenty_one_plus_three", "hot_3", "bust_it")
SPLITS, STANDS, HITS = (
    ("decline_insurance", "split", "stand"),
    ("insure", "stand"),
    ("decline_insurance", "hit"),
)
GUESTS = {
    "infinite": (
        Guest([("main", 1000)], (*SPLITS,), says="Good evening, everybody"),
        Guest([("main", 2500), ("any_pair", 500)], SPLITS, says="Eights again?"),
        Guest([("main", 500)], SPLITS),
        Guest([("main", 10_000)], STANDS),
        Guest([("main", 1000), ("bust_it", 1000)], STANDS, says="Never split against an ace, they say"),
        Guest([("main", 5000)], (*HITS, "stand")),
        Guest([("main", 2000), ("hot_3", 100)], SPLITS, says="They also say always split eights"),
    ),
    "seven_seat": (
        Guest([("main", 1000)], ("decline_insurance", "stand"), 0, "Good luck"),
        Guest([("main", 2500), ("perfect_pairs", 500)], ("insure", "stand"), 1),
        Guest([("main", 500)], ("decline_insurance", "stand"), 5, "Thank you"),
        Guest([("main", 5000), ("twenty_one_plus_three", 500)], ("decline_insurance", "double", "stand"), 6),
    ),
}


class LiveSession(NamedTuple):
    """One table's pages: the manager's, the dealer's and two players'."""

    table: str
    manager: Page
    dealer: Page
    desktop: Page
    phone: Page

    @property
    def players(self) -> tuple[Page, Page]:
        return self.desktop, self.phone

    def screenshot(self, phase: str) -> None:
        for page, where in ((self.desktop, ""), (self.phone, "-phone")):
            screenshot(page, f"live/{self.table}-{phase}{where}")

    def expect_request(self, words: str) -> None:
        expect(self.dealer.get_by_test_id("wanted")).to_contain_text(words, timeout=5 * SLOW_MS)

    def deal(self, *cards: str) -> None:
        """Deal each card when it is wanted."""
        for card in cards:
            self.expect_request("card")
            was = self.dealer.get_by_test_id("wanted").text_content() or ""
            scan(self.dealer, card)
            expect(self.dealer.get_by_test_id("wanted")).not_to_have_text(was, timeout=2 * SLOW_MS)

    def phase(self, phase: str) -> None:
        for page in self.players:
            page.locator(f"[data-table-root][data-phase={phase}]").wait_for(timeout=5 * SLOW_MS)


def bet(page: Page, chip: int, box: int, *bets: str) -> None:
    page.get_by_test_id(f"chip-{chip}").click()
    for name in bets:
        page.get_by_test_id(f"spot-{box}-{name}").click()
    expect_accepted_bet(page)


def infinite(session: LiveSession) -> None:
    """Play a pair of eights against an ace, insured by some and split by most."""
    session.phase("betting")
    bet(session.desktop, 2500, 0, "main")
    bet(session.desktop, 500, 0, *SIDES)
    bet(session.phone, 500, 0, "main", "any_pair")
    session.screenshot("betting")
    session.phase("warning")
    session.screenshot("last-seconds")
    session.deal("8S", "AD")
    session.screenshot("dealing")
    screenshot(session.dealer, "live/dealer")
    session.deal("8D", "down")
    session.phase("offer")
    session.screenshot("insurance")
    for page in session.players:
        press(page, "n")
    session.deal("no")
    session.phase("decisions")
    session.screenshot("decision")
    press(session.phone, "p")
    screenshot(session.phone, f"live/{session.table}-waiting-phone")
    press(session.desktop, "p")
    session.deal("5H", "TC", "3H")  # the first is for those who hit; twenty-one stands
    session.screenshot("split")
    for page in session.players:
        press(page, "s")
        press(page, "s")
    session.expect_request("turned")
    session.screenshot("dealer")
    session.deal("7H")
    session.phase("pause")
    session.screenshot("result")
    _trouble(session, (0, 0))
    for page in session.players:
        page.get_by_test_id("bulletin").get_by_role("button").click()
        page.get_by_role("button", name="Chat").click()
    session.screenshot("chat")


def _trouble(session: LiveSession, boxes: tuple[int, int]) -> None:
    """Pause and void the next round."""
    session.phase("betting")
    for page, box in zip(session.players, boxes, strict=True):
        bet(page, 500, box, "main")
    session.deal("TS", "9H")
    order(session.dealer, "floor", "A card fell to the ground")
    session.screenshot("paused")
    screenshot(session.manager, "live/manager")
    order(session.manager, "void_round", "A card was seen by the players")
    session.screenshot("void")


def seven_seat(session: LiveSession) -> None:
    """Play at seven seats, two of them on the pages: a pair of eights each, against an ace."""
    session.phase("betting")
    session.screenshot("seats")
    for page, place in zip(session.players, SEATS, strict=True):
        page.get_by_test_id(f"sit-{place}").click()
    for page, place in zip(session.players, SEATS, strict=True):
        bet(page, 500, place, "main", "perfect_pairs")
    session.screenshot("betting")
    session.phase("warning")
    session.screenshot("last-seconds")
    session.deal("TS", "5H", "8S", "8H", "TC", "9C", "AD", "7D", "9H")
    session.screenshot("dealing")
    session.deal("8D", "8C", "7H", "2S", "down")
    session.phase("offer")
    session.screenshot("insurance")
    for page in session.players:
        press(page, "n")
    session.deal("no")
    session.phase("decisions")
    _in_turn(session)
    _trouble(session, SEATS)


def _in_turn(session: LiveSession) -> None:
    """Play seat after seat: the desktop splits, and the phone decides ahead to stand."""
    expect(session.desktop.get_by_test_id("action-split")).to_be_visible(timeout=SLOW_MS)
    session.screenshot("decision")
    press(session.phone, "s")
    press(session.desktop, "p")
    session.deal("3H")
    session.screenshot("split")
    press(session.desktop, "s")
    session.deal("TH")
    press(session.desktop, "s")
    session.deal("9D")  # for those who double eleven
    session.expect_request("turned")
    session.screenshot("dealer")
    session.deal("7C")
    session.phase("pause")
    session.screenshot("result")


def open_table(session: LiveSession) -> None:
    for page in (session.desktop, session.phone):
        page.goto(f"/table/{session.table}")
        page.locator("[data-table-root]").wait_for(timeout=SLOW_MS)
    session.manager.goto(f"/staff/table/{session.table}")
    session.dealer.goto(f"/staff/table/{session.table}")
    order(session.manager, "open_table")
    session.expect_request("huffle")
    scan(session.dealer, *(["shuffled"] * session.dealer.locator("[data-testid^='shuffled-']").count()))


def photograph(browser: Browser, folder: Path) -> None:
    file = folder / "croupier.toml"
    file.write_text(CONFIG_TOML)
    server = ServerProcess(folder / "live", options=("--config", str(file))).start()
    manager, dealer, desk = (open_page(browser, server.address, DESKTOP) for _ in range(3))
    phone = open_page(browser, server.address, PHONE)
    for page, name, role in ((manager, "Ada", "manager"), (dealer, "Ben", "dealer")):
        page.goto("/staff")
        sign_in(page, name, add(server.data, name, role))
    with other_players(server.address, GUESTS):
        for table, play in (("infinite", infinite), ("seven_seat", seven_seat)):
            session = LiveSession(table, manager, dealer, desk, phone)
            open_table(session)
            play(session)
        _several(session)
        _player(manager)
    server.stop()


def _player(manager: Page) -> None:
    """Show the page of the newest player."""
    manager.goto("/staff/players")
    manager.locator("[data-testid^='found-']").first.get_by_role("link").click()
    manager.get_by_test_id("balances-EUR").wait_for(timeout=SLOW_MS)
    screenshot(manager, "live/player")


def _several(session: LiveSession) -> None:
    """Show the lobby, and four tables in one window."""
    for page, where in ((session.desktop, ""), (session.phone, "-phone")):
        page.goto("/")
        page.get_by_test_id("table-infinite").wait_for(timeout=SLOW_MS)
        screenshot(page, f"live/lobby{where}")
        page.goto("/table/infinite+seven_seat+classic+multihand")
        page.locator("[data-table-root]:visible").first.wait_for(timeout=SLOW_MS)
        screenshot(page, f"live/four-tables{where}")
