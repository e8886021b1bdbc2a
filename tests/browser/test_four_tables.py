"""Up to four tables in one window: own and live, one balance, each independent."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import opened
from tests.browser.on_the_wire import change
from tests.browser.player import OPEN, SLOW_MS, Player
from tests.browser.screens import resize
from tests.browser.test_trouble import free_port, hands
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
ROUND_MS = 20_000


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
def server_to_kill(tmp_path: Path) -> Iterator[ServerProcess]:
    """Start a server that restarts at the same address."""
    process = server_with(QUICK, tmp_path, ports=(free_port(), free_port()))
    yield process
    process.stop()


@pytest.fixture
def desktop(kept: Page) -> Page:
    resize(kept, (1440, 900))
    return kept


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


def test_all_bets_of_four_tables_are_in_view_on_a_small_screen(desktop: Page) -> None:
    desktop.set_viewport_size({"width": 1280, "height": 800})
    open_all(desktop, *FOUR_GAMES)
    for table in FOUR_GAMES:
        assert frame(desktop, table).locator("[data-cloth]").evaluate(SCROLLS_PX) == 0, table


def test_unsent_bets_and_keys_belong_to_one_of_two_tables(desktop: Page) -> None:
    open_all(desktop, "classic")
    frame(desktop, "classic").get_by_test_id("spot-0-main").click()

    # unsent bets stay while another table is opened and left
    for leaving in (True, False):
        desktop.get_by_test_id("add-table").click()
        desktop.get_by_test_id("add-premium").click()
        expect(root(desktop, "premium")).to_be_visible(timeout=SLOW_MS)
        expect(frame(desktop, "classic").get_by_test_id("deal")).to_be_enabled()
        if leaving:
            frame(desktop, "premium").get_by_test_id("leave").click()
            expect(frame(desktop, "premium")).to_have_count(0)

    # the lobby shows a table that is open, and doesn't open it twice
    desktop.get_by_test_id("add-table").first.click()
    desktop.get_by_test_id("table-classic").click()
    expect(root(desktop, "classic")).to_be_visible(timeout=SLOW_MS)
    assert active(desktop) == ["frame-classic"]
    assert desktop.url.endswith("/table/classic+premium")

    # keys are the active table's alone
    frame(desktop, "premium").get_by_test_id("spot-0-main").click()
    desktop.keyboard.press("Alt+1")
    expect(root(desktop, "classic")).to_be_focused()
    desktop.keyboard.press("Enter")
    expect(root(desktop, "classic")).not_to_have_attribute("data-phase", "betting", timeout=SLOW_MS)
    expect(root(desktop, "premium")).to_have_attribute("data-phase", "betting")
    desktop.keyboard.press("Alt+2")
    desktop.keyboard.press("Enter")
    expect(root(desktop, "premium")).not_to_have_attribute("data-phase", "betting", timeout=SLOW_MS)

    desktop.goto("/table/classic+classic")
    expect(frame(desktop, "classic")).to_have_count(1)


def test_a_table_that_fails_leaves_the_others_playing_and_is_restored(page: Page) -> None:
    def malform(message: dict[str, Any]) -> None:
        if message["t"] == "event" and message["table"] == "classic" and message["state"]["round"]:
            message["state"]["round"]["view"]["boxes"] = None

    change(page, to_page=malform)
    open_all(page, *FOUR)
    classic = frame(page, "classic")
    classic.get_by_test_id("spot-0-main").click()
    classic.get_by_test_id("deal").click()
    again = classic.get_by_role("button", name="Reload this table")
    expect(again).to_be_visible()
    expect(page.get_by_test_id("balance")).to_be_visible()
    for table in ("infinite", "seven_seat"):
        expect(root(page, table)).to_be_visible()
    wait_for_decision(page, "multihand")
    again.click()
    expect(classic.get_by_test_id("hand-0-0")).to_be_visible(timeout=SLOW_MS)


def test_a_waiting_table_calls_the_player_and_a_restarted_server_continues_the_same_hand(
    chromium: Browser, server_to_kill: ServerProcess
) -> None:
    """Beside the hand of an own table, the live round that was cancelled is reported."""
    with opened(chromium, server_to_kill, width=1440, height=900) as page:
        open_all(page, "infinite", "classic")
        turn = frame(page, "infinite").get_by_test_id("turn")
        wait_for_live_decision(page)
        expect(turn).to_contain_text("Your turn")
        expect(page.get_by_test_id("calls")).to_contain_text("Infinite Blackjack: your turn.")
        assert page.title() == "Your turn: Infinite Blackjack \u00b7 croupier"
        assert active(page) == ["frame-classic"]
        frame(page, "infinite").get_by_test_id("action-stand").click()
        expect(turn).to_be_hidden(timeout=ROUND_MS)

        # the server stops in a round of each table
        wait_for_decision(page, "classic")
        wait_for_live_decision(page)
        player = Player(page, seed=8)
        before, balance = hands(frame(page, "classic")), player.balance_minor
        server_to_kill.kill()
        expect(page.get_by_text("Live tables continue")).to_be_visible(timeout=SLOW_MS)
        expect(page.get_by_text("Connection lost").first).to_be_visible(timeout=SLOW_MS)
        server_to_kill.start()
        notice = page.get_by_role("status").filter(has_text="Reconnected.")
        expect(notice).to_contain_text("Infinite Blackjack: round #", timeout=2 * SLOW_MS)
        expect(notice).to_contain_text("Every stake was returned.")
        notice.get_by_role("button", name="Close").click()
        expect(notice).to_have_count(0)
        expect(page.get_by_text("Connection lost").first).to_be_hidden(timeout=2 * SLOW_MS)
        assert (hands(frame(page, "classic")), player.balance_minor) == (before, balance)
        stand_to_the_end(page, "classic")


def stand_to_the_end(page: Page, table: str) -> None:
    """Refuse every offer at an own table, and stand."""
    here = frame(page, table)
    way = here.locator(OPEN).and_(here.locator("[data-testid*=decline], [data-testid=action-stand]")).first
    ended = root(page, table).and_(page.locator("[data-phase=ended]"))
    while not ended.count():
        way.or_(ended).first.wait_for(timeout=SLOW_MS)
        if way.count():
            way.click()
