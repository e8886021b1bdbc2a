"""Up to four tables in one window: own and live, one balance, each on its own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import opened
from tests.browser.on_the_wire import change
from tests.browser.player import OPEN, SLOW_MS
from tests.browser.test_everybody_can_play import check
from tests.browser.test_trouble import free_port
from tests.support.server_process import HouseProcess

pytestmark = pytest.mark.browser

FOUR = ("infinite", "seven_seat", "classic", "multihand")
FOUR_GAMES = ("roulette", "sic_bo", "baccarat", "double_exposure")
SCROLLS_PX = "cloth => cloth.scrollHeight - cloth.clientHeight"
QUICK = """
[infinite]
pace_ms = 50
betting_ms = 3000
warning_ms = 1000
decision_ms = 15000
pause_ms = 2000
"""
ONE_AT_A_TIME = """
[profile]
tables_max = 1
"""
ROUND_MS = 20_000
LEAST_CARD_PX, LEAST_TOTAL_PX = 34, 14
MOST_ELEMENTS = 1_500
WIDTHS = "cards => cards.map(card => card.getBoundingClientRect().width)"
TEXT_SIZES = "totals => totals.map(total => parseFloat(getComputedStyle(total).fontSize))"


def house_with(floor: str, folder: Path) -> HouseProcess:
    (folder / "floor.toml").write_text(floor, encoding="utf-8")
    return HouseProcess(folder / "data", words=("--floor", str(folder / "floor.toml"))).start()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HouseProcess]:
    process = house_with(QUICK, tmp_path_factory.mktemp("house"))
    yield process
    process.stop()


@pytest.fixture
def strict_house(tmp_path: Path) -> Iterator[HouseProcess]:
    process = house_with(ONE_AT_A_TIME, tmp_path)
    yield process
    process.stop()


@pytest.fixture
def house_to_kill(tmp_path: Path) -> Iterator[HouseProcess]:
    """It comes back at the same address."""
    process = HouseProcess(tmp_path / "data", ports=(free_port(), free_port())).start()
    yield process
    process.stop()


@pytest.fixture
def desk(chromium: Browser, house: HouseProcess) -> Iterator[Page]:
    yield from opened(chromium, house, width=1440, height=900)


@pytest.fixture
def phone(chromium: Browser, house: HouseProcess) -> Iterator[Page]:
    yield from opened(chromium, house, width=390, height=844)


def frame(page: Page, table: str) -> Locator:
    return page.get_by_test_id(f"frame-{table}")


def root(page: Page, table: str) -> Locator:
    return frame(page, table).locator("[data-table-root]")


def open_all(page: Page, *tables: str) -> None:
    page.goto(f"/table/{'+'.join(tables)}")
    for table in tables:
        expect(root(page, table)).to_be_attached(timeout=3 * SLOW_MS)


def active(page: Page) -> list[str | None]:
    return [one.get_attribute("data-testid") for one in page.locator("[data-active=true]").all()]


def wait_in(page: Page, table: str) -> None:
    """Deals at an own table of one box until its hand waits for a decision."""
    here = frame(page, table)
    for _ in range(20):
        if here.get_by_test_id("new-bet").is_visible():
            here.get_by_test_id("new-bet").click()
        here.get_by_test_id("spot-0-main").click()
        here.get_by_test_id("deal").click()
        here.locator(f"[data-phase='ended'], {OPEN}").first.wait_for(timeout=SLOW_MS)
        if here.locator(OPEN).count():
            return
    raise AssertionError("twenty rounds without a decision")


def wait_live(page: Page) -> None:
    """Bets at the live table, and turns to the own one beside it until the hand waits for a decision.

    A blackjack has nothing to decide.
    """
    here = frame(page, "infinite")
    for _ in range(6):
        here.locator("[data-phase=betting]").wait_for(timeout=2 * ROUND_MS)
        here.get_by_test_id("spot-0-main").click()
        root(page, "classic").focus()
        over = "[data-phase=settlement], [data-phase=pause]"
        here.locator(f"[data-phase=decisions], {over}").wait_for(timeout=3 * ROUND_MS)
        if here.locator("[data-phase=decisions]").count():
            return
    raise AssertionError("six rounds without a decision")


def test_tables_are_opened_beside_each_other_and_come_back(desk: Page) -> None:
    desk.goto("/")
    desk.get_by_test_id("table-classic").click()
    for table in ("infinite", "seven_seat", "multihand"):
        desk.get_by_test_id("add-table").first.click()
        desk.get_by_test_id(f"add-{table}").click()
        expect(root(desk, table)).to_be_visible(timeout=SLOW_MS)
        assert active(desk) == [f"frame-{table}"]
    wait_in(desk, "classic")
    assert min(desk.locator("[data-testid^='hand-'] .card").evaluate_all(WIDTHS)) >= LEAST_CARD_PX
    assert min(desk.locator("[data-testid^='total-']").evaluate_all(TEXT_SIZES)) >= LEAST_TOTAL_PX
    assert desk.locator("*").count() <= MOST_ELEMENTS
    hands = frame(desk, "classic").locator("[data-testid^='hand-']").all_inner_texts()
    desk.reload()
    for table in FOUR:
        expect(root(desk, table)).to_be_visible(timeout=SLOW_MS)
    assert active(desk) == ["frame-classic"]
    assert frame(desk, "classic").locator("[data-testid^='hand-']").all_inner_texts() == hands


def test_all_bets_of_four_tables_are_in_view_on_a_small_desk(desk: Page) -> None:
    desk.set_viewport_size({"width": 1280, "height": 800})
    open_all(desk, *FOUR_GAMES)
    for table in FOUR_GAMES:
        assert frame(desk, table).locator("[data-cloth]").evaluate(SCROLLS_PX) == 0, table


def test_a_table_is_left_without_touching_the_rest(desk: Page) -> None:
    open_all(desk, *FOUR)
    wait_in(desk, "classic")
    frame(desk, "multihand").get_by_test_id("leave").click()
    frame(desk, "infinite").get_by_test_id("leave").click()
    expect(frame(desk, "multihand")).to_have_count(0)
    expect(frame(desk, "infinite")).to_have_count(0)
    assert desk.url.endswith("/table/seven_seat+classic")
    assert active(desk) == ["frame-classic"]
    expect(frame(desk, "classic").locator(OPEN).first).to_be_visible()


def test_unsent_bets_stay_while_another_table_is_opened_and_left(desk: Page) -> None:
    open_all(desk, "classic")
    frame(desk, "classic").get_by_test_id("spot-0-main").click()
    desk.get_by_test_id("add-table").click()
    desk.get_by_test_id("add-premium").click()
    expect(root(desk, "premium")).to_be_visible(timeout=SLOW_MS)
    expect(frame(desk, "classic").get_by_test_id("deal")).to_be_enabled()
    frame(desk, "premium").get_by_test_id("leave").click()
    expect(frame(desk, "premium")).to_have_count(0)
    frame(desk, "classic").get_by_test_id("deal").click()
    expect(root(desk, "classic")).not_to_have_attribute("data-phase", "betting", timeout=SLOW_MS)


def test_the_same_table_is_shown_and_not_opened_twice(desk: Page) -> None:
    open_all(desk, "classic", "premium")
    desk.get_by_test_id("add-table").first.click()
    desk.get_by_test_id("table-classic").click()
    expect(root(desk, "classic")).to_be_visible(timeout=SLOW_MS)
    assert active(desk) == ["frame-classic"]
    assert desk.url.endswith("/table/classic+premium")
    desk.goto("/table/classic+classic")
    expect(frame(desk, "classic")).to_have_count(1)


def test_a_table_that_breaks_leaves_the_others_playing(desk: Page) -> None:
    def torn(message: dict[str, Any]) -> None:
        if message["t"] == "event" and message["table"] == "classic" and message["state"]["round"]:
            message["state"]["round"]["view"]["boxes"] = None

    change(desk, to_page=torn)
    open_all(desk, *FOUR)
    frame(desk, "classic").get_by_test_id("spot-0-main").click()
    frame(desk, "classic").get_by_test_id("deal").click()
    expect(frame(desk, "classic").get_by_role("button", name="Reload this table")).to_be_visible()
    for table in ("infinite", "seven_seat"):
        expect(root(desk, table)).to_be_visible()
    wait_in(desk, "multihand")


def test_keys_are_the_active_tables_alone(desk: Page) -> None:
    open_all(desk, "classic", "premium")
    for table in ("classic", "premium"):
        frame(desk, table).get_by_test_id("spot-0-main").click()
    desk.keyboard.press("Alt+1")
    expect(root(desk, "classic")).to_be_focused()
    desk.keyboard.press("Enter")
    expect(root(desk, "classic")).not_to_have_attribute("data-phase", "betting", timeout=SLOW_MS)
    expect(root(desk, "premium")).to_have_attribute("data-phase", "betting")
    desk.keyboard.press("Alt+2")
    desk.keyboard.press("Enter")
    expect(root(desk, "premium")).not_to_have_attribute("data-phase", "betting", timeout=SLOW_MS)


def test_a_table_that_waits_calls(desk: Page) -> None:
    open_all(desk, "infinite", "classic")
    live, turn = frame(desk, "infinite"), frame(desk, "infinite").get_by_test_id("turn")
    wait_live(desk)
    expect(turn).to_contain_text("Your turn")
    expect(desk.get_by_test_id("calls")).to_contain_text("Infinite Blackjack: your turn.")
    assert desk.title() == "Your turn: Infinite Blackjack · croupier"
    assert active(desk) == ["frame-classic"]
    live.get_by_test_id("action-stand").click()
    expect(turn).to_be_hidden(timeout=ROUND_MS)


def test_missed_events_are_reported(chromium: Browser, house_to_kill: HouseProcess) -> None:
    for page in opened(chromium, house_to_kill, width=1440, height=900):
        open_all(page, "infinite", "classic")
        wait_live(page)
        house_to_kill.kill()
        expect(page.get_by_text("Live tables continue")).to_be_visible(timeout=SLOW_MS)
        house_to_kill.start()
        told = page.get_by_role("status").filter(has_text="Reconnected.")
        expect(told).to_contain_text("Infinite Blackjack: round #", timeout=2 * SLOW_MS)
        expect(told).to_contain_text("Every stake was returned.")
        told.get_by_role("button", name="Close").click()
        expect(told).to_have_count(0)


def test_a_phone_shows_one_table_at_a_time_and_whose_turn_it_is(phone: Page) -> None:
    open_all(phone, "classic", "premium", "infinite")
    phone.get_by_test_id("tab-classic").click()
    wait_in(phone, "classic")
    phone.get_by_test_id("tab-premium").click()
    expect(frame(phone, "premium")).to_be_visible()
    expect(frame(phone, "classic")).to_be_hidden()
    expect(phone.get_by_test_id("tab-classic")).to_contain_text("Your turn")
    check(phone, "tabs")
    phone.get_by_test_id("tab-classic").click()
    expect(frame(phone, "classic").locator(OPEN).first).to_be_visible()


def test_everybody_can_use_four_tables(desk: Page) -> None:
    open_all(desk, *FOUR)
    check(desk, "four tables")
    desk.get_by_test_id("add-table").first.click()
    expect(desk.get_by_test_id("back-band")).to_be_visible(timeout=SLOW_MS)
    check(desk, "the lobby while four are open")


def test_a_jurisdiction_may_allow_one_table_at_a_time(chromium: Browser, strict_house: HouseProcess) -> None:
    for page in opened(chromium, strict_house, width=1440, height=900):
        page.goto("/table/classic+premium")
        expect(page.get_by_text("Premium Blackjack wasn\u2019t opened")).to_be_visible(timeout=SLOW_MS)
        expect(root(page, "classic")).to_be_visible(timeout=SLOW_MS)
        expect(frame(page, "premium")).to_have_count(0)
        expect(page.get_by_test_id("add-table")).to_have_count(0)
