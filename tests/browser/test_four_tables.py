"""Up to four tables in one window: own and live, one balance, each independent."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import opened
from tests.browser.on_the_wire import change
from tests.browser.player import OPEN, SLOW_MS
from tests.browser.screens import resize
from tests.browser.test_everybody_can_play import check
from tests.browser.test_trouble import free_port
from tests.support.server_process import ServerProcess

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
CARD_PX_MIN, TOTAL_PX_MIN = 34, 14
ELEMENTS_MAX = 1_500
WIDTHS = "cards => cards.map(card => card.getBoundingClientRect().width)"
TEXT_SIZES = "totals => totals.map(total => parseFloat(getComputedStyle(total).fontSize))"


def server_with(config_toml: str, folder: Path, ports: tuple[int, int] = (0, 0)) -> ServerProcess:
    (folder / "croupier.toml").write_text(config_toml, encoding="utf-8")
    options = ("--config", str(folder / "croupier.toml"))
    return ServerProcess(folder / "data", ports=ports, options=options).start()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    process = server_with(QUICK, tmp_path_factory.mktemp("server"))
    yield process
    process.stop()


@pytest.fixture
def strict_server(tmp_path: Path) -> Iterator[ServerProcess]:
    process = server_with(ONE_AT_A_TIME, tmp_path)
    yield process
    process.stop()


@pytest.fixture
def server_to_kill(tmp_path: Path) -> Iterator[ServerProcess]:
    """Start a server that restarts at the same address."""
    process = server_with(QUICK, tmp_path, ports=(free_port(), free_port()))
    yield process
    process.stop()


@pytest.fixture
def desktop(kept: Page) -> Page:
    resize(kept, (1440, 900))
    return kept


@pytest.fixture
def phone(chromium: Browser, server: ServerProcess) -> Iterator[Page]:
    with opened(chromium, server, width=390, height=844) as page:
        yield page


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


def wait_for_decision(page: Page, table: str) -> None:
    """Deal at an own table with one box until its hand waits for a decision."""
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


def wait_for_live_decision(page: Page) -> None:
    """Bet at the live table and focus the own one beside it, until the live hand waits for a decision.

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


def test_tables_are_opened_beside_each_other_and_restored(desktop: Page) -> None:
    desktop.goto("/")
    desktop.get_by_test_id("table-classic").click()
    for table in ("infinite", "seven_seat", "multihand"):
        desktop.get_by_test_id("add-table").first.click()
        desktop.get_by_test_id(f"add-{table}").click()
        expect(root(desktop, table)).to_be_visible(timeout=SLOW_MS)
        assert active(desktop) == [f"frame-{table}"]
    wait_for_decision(desktop, "classic")
    assert min(desktop.locator("[data-testid^='hand-'] .card").evaluate_all(WIDTHS)) >= CARD_PX_MIN
    assert min(desktop.locator("[data-testid^='total-']").evaluate_all(TEXT_SIZES)) >= TOTAL_PX_MIN
    assert desktop.locator("*").count() <= ELEMENTS_MAX
    hands = frame(desktop, "classic").locator("[data-testid^='hand-']").all_inner_texts()
    desktop.reload()
    for table in FOUR:
        expect(root(desktop, table)).to_be_visible(timeout=SLOW_MS)
    assert active(desktop) == ["frame-classic"]
    assert frame(desktop, "classic").locator("[data-testid^='hand-']").all_inner_texts() == hands


def test_all_bets_of_four_tables_are_in_view_on_a_small_screen(desktop: Page) -> None:
    desktop.set_viewport_size({"width": 1280, "height": 800})
    open_all(desktop, *FOUR_GAMES)
    for table in FOUR_GAMES:
        assert frame(desktop, table).locator("[data-cloth]").evaluate(SCROLLS_PX) == 0, table


def test_a_table_is_left_without_touching_the_rest(desktop: Page) -> None:
    open_all(desktop, *FOUR)
    wait_for_decision(desktop, "classic")
    frame(desktop, "multihand").get_by_test_id("leave").click()
    frame(desktop, "infinite").get_by_test_id("leave").click()
    expect(frame(desktop, "multihand")).to_have_count(0)
    expect(frame(desktop, "infinite")).to_have_count(0)
    assert desktop.url.endswith("/table/seven_seat+classic")
    assert active(desktop) == ["frame-classic"]
    expect(frame(desktop, "classic").locator(OPEN).first).to_be_visible()


def test_unsent_bets_stay_while_another_table_is_opened_and_left(desktop: Page) -> None:
    open_all(desktop, "classic")
    frame(desktop, "classic").get_by_test_id("spot-0-main").click()
    desktop.get_by_test_id("add-table").click()
    desktop.get_by_test_id("add-premium").click()
    expect(root(desktop, "premium")).to_be_visible(timeout=SLOW_MS)
    expect(frame(desktop, "classic").get_by_test_id("deal")).to_be_enabled()
    frame(desktop, "premium").get_by_test_id("leave").click()
    expect(frame(desktop, "premium")).to_have_count(0)
    frame(desktop, "classic").get_by_test_id("deal").click()
    expect(root(desktop, "classic")).not_to_have_attribute("data-phase", "betting", timeout=SLOW_MS)


def test_the_same_table_is_shown_and_not_opened_twice(desktop: Page) -> None:
    open_all(desktop, "classic", "premium")
    desktop.get_by_test_id("add-table").first.click()
    desktop.get_by_test_id("table-classic").click()
    expect(root(desktop, "classic")).to_be_visible(timeout=SLOW_MS)
    assert active(desktop) == ["frame-classic"]
    assert desktop.url.endswith("/table/classic+premium")
    desktop.goto("/table/classic+classic")
    expect(frame(desktop, "classic")).to_have_count(1)


def test_a_table_that_fails_leaves_the_others_playing(page: Page) -> None:
    def malform(message: dict[str, Any]) -> None:
        if message["t"] == "event" and message["table"] == "classic" and message["state"]["round"]:
            message["state"]["round"]["view"]["boxes"] = None

    change(page, to_page=malform)
    open_all(page, *FOUR)
    frame(page, "classic").get_by_test_id("spot-0-main").click()
    frame(page, "classic").get_by_test_id("deal").click()
    expect(frame(page, "classic").get_by_role("button", name="Reload this table")).to_be_visible()
    for table in ("infinite", "seven_seat"):
        expect(root(page, table)).to_be_visible()
    wait_for_decision(page, "multihand")


def test_keys_are_the_active_tables_alone(desktop: Page) -> None:
    open_all(desktop, "classic", "premium")
    for table in ("classic", "premium"):
        frame(desktop, table).get_by_test_id("spot-0-main").click()
    desktop.keyboard.press("Alt+1")
    expect(root(desktop, "classic")).to_be_focused()
    desktop.keyboard.press("Enter")
    expect(root(desktop, "classic")).not_to_have_attribute("data-phase", "betting", timeout=SLOW_MS)
    expect(root(desktop, "premium")).to_have_attribute("data-phase", "betting")
    desktop.keyboard.press("Alt+2")
    desktop.keyboard.press("Enter")
    expect(root(desktop, "premium")).not_to_have_attribute("data-phase", "betting", timeout=SLOW_MS)


def test_a_table_that_waits_calls_the_player(desktop: Page) -> None:
    open_all(desktop, "infinite", "classic")
    live, turn = frame(desktop, "infinite"), frame(desktop, "infinite").get_by_test_id("turn")
    wait_for_live_decision(desktop)
    expect(turn).to_contain_text("Your turn")
    expect(desktop.get_by_test_id("calls")).to_contain_text("Infinite Blackjack: your turn.")
    assert desktop.title() == "Your turn: Infinite Blackjack · croupier"
    assert active(desktop) == ["frame-classic"]
    live.get_by_test_id("action-stand").click()
    expect(turn).to_be_hidden(timeout=ROUND_MS)


def test_missed_events_are_reported(chromium: Browser, server_to_kill: ServerProcess) -> None:
    with opened(chromium, server_to_kill, width=1440, height=900) as page:
        open_all(page, "infinite", "classic")
        wait_for_live_decision(page)
        server_to_kill.kill()
        expect(page.get_by_text("Live tables continue")).to_be_visible(timeout=SLOW_MS)
        server_to_kill.start()
        notice = page.get_by_role("status").filter(has_text="Reconnected.")
        expect(notice).to_contain_text("Infinite Blackjack: round #", timeout=2 * SLOW_MS)
        expect(notice).to_contain_text("Every stake was returned.")
        notice.get_by_role("button", name="Close").click()
        expect(notice).to_have_count(0)


def test_a_phone_shows_one_table_at_a_time_and_whose_turn_it_is(phone: Page) -> None:
    open_all(phone, "classic", "premium", "infinite")
    phone.get_by_test_id("tab-classic").click()
    wait_for_decision(phone, "classic")
    phone.get_by_test_id("tab-premium").click()
    expect(frame(phone, "premium")).to_be_visible()
    expect(frame(phone, "classic")).to_be_hidden()
    expect(phone.get_by_test_id("tab-classic")).to_contain_text("Your turn")
    check(phone, "tabs")
    phone.get_by_test_id("tab-classic").click()
    expect(frame(phone, "classic").locator(OPEN).first).to_be_visible()


def test_everybody_can_use_four_tables(desktop: Page) -> None:
    open_all(desktop, *FOUR)
    check(desktop, "four tables")
    desktop.get_by_test_id("add-table").first.click()
    expect(desktop.get_by_test_id("back-band")).to_be_visible(timeout=SLOW_MS)
    check(desktop, "the lobby while four are open")


def test_a_jurisdiction_may_allow_one_table_at_a_time(
    chromium: Browser, strict_server: ServerProcess
) -> None:
    with opened(chromium, strict_server, width=1440, height=900) as page:
        page.goto("/table/classic+premium")
        expect(page.get_by_text("Premium Blackjack wasn\u2019t opened")).to_be_visible(timeout=SLOW_MS)
        expect(root(page, "classic")).to_be_visible(timeout=SLOW_MS)
        expect(frame(page, "premium")).to_have_count(0)
        expect(page.get_by_test_id("add-table")).to_have_count(0)
