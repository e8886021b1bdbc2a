"""Pictures of live tables: a night whose dealer deals chosen cards, photographed at a desk and on a phone."""

from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, expect

from tests.browser.dealt_by_hand import press, stands
from tests.browser.player import SLOW_MS
from tests.browser.test_staff import order, scan, sign_in
from tests.staff.at_work import add
from tests.support.server_process import HouseProcess
from tools.camera import DESK, PHONE, seat, shoot
from tools.crowd import Guest, crowd

FLOOR = """
[infinite]
dealer = "person"
opened = false
betting_ms = 14000
warning_ms = 6000
decision_ms = 30000
insurance_ms = 30000
check_ms = 1000
pause_ms = 8000

[seven_seat]
dealer = "person"
opened = false
seats_each = 1
betting_ms = 14000
warning_ms = 6000
decision_ms = 30000
insurance_ms = 30000
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


class Night(NamedTuple):
    """At one table: the manager's page, the dealer's, and two players'."""

    table: str
    floor: Page
    dealer: Page
    desk: Page
    phone: Page

    @property
    def players(self) -> tuple[Page, Page]:
        return self.desk, self.phone

    def shoot(self, phase: str) -> None:
        for page, where in ((self.desk, ""), (self.phone, "-phone")):
            shoot(page, f"live/{self.table}-{phase}{where}")

    def asked(self, words: str) -> None:
        expect(self.dealer.get_by_test_id("wanted")).to_contain_text(words, timeout=5 * SLOW_MS)

    def deals(self, *cards: str) -> None:
        """Each card when it is asked for."""
        for card in cards:
            self.asked("card")
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
    stands(page)


def infinite(night: Night) -> None:
    """A pair of eights against an ace: insured or not, split by most."""
    night.phase("betting")
    bet(night.desk, 2500, 0, "main")
    bet(night.desk, 500, 0, *SIDES)
    bet(night.phone, 500, 0, "main", "any_pair")
    night.shoot("betting")
    night.phase("warning")
    night.shoot("last-seconds")
    night.deals("8S", "AD")
    night.shoot("dealing")
    shoot(night.dealer, "live/dealer")
    night.deals("8D", "down")
    night.phase("insurance")
    night.shoot("insurance")
    for page in night.players:
        press(page, "n")
    night.deals("no")
    night.phase("decisions")
    night.shoot("decision")
    press(night.phone, "p")
    shoot(night.phone, f"live/{night.table}-waiting-phone")
    press(night.desk, "p")
    night.deals("5H", "TC", "3H")  # the first is for who hits: twenty-one stands
    night.shoot("split")
    for page in night.players:
        press(page, "s")
        press(page, "s")
    night.asked("turned")
    night.shoot("dealer")
    night.deals("7H")
    night.phase("pause")
    night.shoot("result")
    _trouble(night, (0, 0))
    for page in night.players:
        page.get_by_test_id("bulletin").get_by_role("button").click()
        page.get_by_role("button", name="Chat").click()
    night.shoot("chat")


def _trouble(night: Night, boxes: tuple[int, int]) -> None:
    """The next round is paused and voided."""
    night.phase("betting")
    for page, box in zip(night.players, boxes, strict=True):
        bet(page, 500, box, "main")
    night.deals("TS", "9H")
    order(night.dealer, "floor", "A card fell to the ground")
    night.shoot("paused")
    shoot(night.floor, "live/manager")
    order(night.floor, "void_round", "A card was seen by the players")
    night.shoot("void")


def seven_seat(night: Night) -> None:
    """Seven places, of which two are the viewers' own: a pair of eights each, against an ace."""
    night.phase("betting")
    night.shoot("seats")
    for page, place in zip(night.players, SEATS, strict=True):
        page.get_by_test_id(f"sit-{place}").click()
    for page, place in zip(night.players, SEATS, strict=True):
        bet(page, 500, place, "main", "perfect_pairs")
    night.shoot("betting")
    night.phase("warning")
    night.shoot("last-seconds")
    night.deals("TS", "5H", "8S", "8H", "TC", "9C", "AD", "7D", "9H")
    night.shoot("dealing")
    night.deals("8D", "8C", "7H", "2S", "down")
    night.phase("insurance")
    night.shoot("insurance")
    for page in night.players:
        press(page, "n")
    night.deals("no")
    night.phase("decisions")
    _in_turn(night)
    _trouble(night, SEATS)


def _in_turn(night: Night) -> None:
    """Seat after seat: the desk's splits, and the phone says ahead that its stands."""
    expect(night.desk.get_by_test_id("action-split")).to_be_visible(timeout=SLOW_MS)
    night.shoot("decision")
    press(night.phone, "s")
    press(night.desk, "p")
    night.deals("3H")
    night.shoot("split")
    press(night.desk, "s")
    night.deals("TH")
    press(night.desk, "s")
    night.deals("9D")  # for who doubles eleven
    night.asked("turned")
    night.shoot("dealer")
    night.deals("7C")
    night.phase("pause")
    night.shoot("result")


def open_table(night: Night) -> None:
    for page in (night.desk, night.phone):
        page.goto(f"/table/{night.table}")
        page.locator("[data-table-root]").wait_for(timeout=SLOW_MS)
    night.floor.goto(f"/staff/table/{night.table}")
    night.dealer.goto(f"/staff/table/{night.table}")
    order(night.floor, "open_table")
    night.asked("huffle")
    scan(night.dealer, *(["shuffled"] * night.dealer.locator("[data-testid^='shuffled-']").count()))


def photograph(browser: Browser, folder: Path) -> None:
    file = folder / "floor.toml"
    file.write_text(FLOOR)
    house = HouseProcess(folder / "live", words=("--floor", str(file))).start()
    floor, dealer, desk = (seat(browser, house.address, DESK) for _ in range(3))
    phone = seat(browser, house.address, PHONE)
    for page, name, role in ((floor, "Ada", "manager"), (dealer, "Ben", "dealer")):
        page.goto("/staff")
        sign_in(page, name, add(house.data, name, role))
    with crowd(house.address, GUESTS):
        for table, play in (("infinite", infinite), ("seven_seat", seven_seat)):
            night = Night(table, floor, dealer, desk, phone)
            open_table(night)
            play(night)
        _several(night)
    house.stop()


def _several(night: Night) -> None:
    """The lobby, and four tables in one window."""
    for page, where in ((night.desk, ""), (night.phone, "-phone")):
        page.goto("/")
        page.get_by_test_id("table-infinite").wait_for(timeout=SLOW_MS)
        shoot(page, f"live/lobby{where}")
        page.goto("/table/infinite+seven_seat+classic+multihand")
        page.locator("[data-table-root]:visible").first.wait_for(timeout=SLOW_MS)
        shoot(page, f"live/four-tables{where}")
