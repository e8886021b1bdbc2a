"""More Games and Multi-Game Play (003): the lobby is browsed while the tables go on."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import OPEN, SLOW_MS, follow
from tests.browser.screens import resize
from tests.browser.test_everybody_can_play import check
from tests.browser.test_four_tables import (
    FOUR,
    QUICK,
    active,
    frame,
    open_all,
    root,
    stand_to_the_end,
    wait_for_decision,
)
from tests.browser.test_trouble import hands
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser

ALONE = """
[alone]
game = "baccarat"
title = "Baccarat Alone"
line = "Played without others beside it"
limits = { GC = "100-50000" }
multi_play = false
"""
PAGES = ("history", "cashier", "safer-play", "settings")
CARD_PX_MIN, TOTAL_PX_MIN = 34, 14
ELEMENTS_MAX = 1_500
WIDTHS = "cards => cards.map(card => card.getBoundingClientRect().width)"
TEXT_SIZES = "totals => totals.map(total => parseFloat(getComputedStyle(total).fontSize))"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("operator")
    words = []
    for name, text in (("tables", ALONE), ("config", QUICK)):
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
        words += [f"--{name}", str(folder / f"{name}.toml")]
    process = ServerProcess(folder / "data", options=tuple(words)).start()
    yield process
    process.stop()


@pytest.fixture
def desktop(kept: Page) -> Page:
    resize(kept, (1440, 900))
    return kept


def to_lobby(page: Page) -> None:
    follow(page, "/")
    expect(page.get_by_role("heading", name="Tables", level=1)).to_be_visible(timeout=SLOW_MS)


def hand_waits(page: Page, table: str = "classic") -> None:
    expect(frame(page, table).locator(OPEN).first).to_be_visible(timeout=SLOW_MS)


def add(page: Page, table: str) -> None:
    """Open one more table beside the others, from the lobby."""
    page.get_by_test_id("add-table").first.click()
    page.get_by_test_id(f"add-{table}").click()
    expect(root(page, table)).to_be_visible(timeout=SLOW_MS)
    assert active(page) == [f"frame-{table}"]


def test_003_a_phone_shows_one_table_at_a_time_and_the_lobby_while_still_playing(kept: Page) -> None:
    """Not removed from the game until the new table has actually been selected."""
    phone = kept
    resize(phone, (390, 844))
    open_all(phone, "infinite", "classic", "premium")
    phone.get_by_test_id("tab-classic").click()
    wait_for_decision(phone, "classic")
    phone.get_by_test_id("tab-premium").click()
    expect(frame(phone, "premium")).to_be_visible()
    expect(frame(phone, "classic")).to_be_hidden()
    expect(phone.get_by_test_id("tab-classic")).to_contain_text("Your turn")
    check(phone, "tabs")
    phone.get_by_test_id("tab-classic").click()
    hand_waits(phone)

    to_lobby(phone)
    behind = phone.get_by_test_id("back-band")
    expect(behind.get_by_test_id("back-classic")).to_contain_text("Your turn")
    expect(behind.get_by_test_id("back-infinite")).to_contain_text("Infinite Blackjack")
    expect(behind.get_by_test_id("back-infinite")).to_contain_text(" s", timeout=SLOW_MS)
    check(phone, "the lobby while playing")
    phone.get_by_test_id("table-roulette").scroll_into_view_if_needed()
    expect(behind).to_be_in_viewport()
    behind.get_by_test_id("back-classic").click()
    hand_waits(phone)
    assert phone.url.endswith("/table/infinite+classic+premium")
    expect(root(phone, "infinite")).to_be_attached()
    expect(behind).to_have_count(0)


def test_003_plus_table_joins_up_to_four_in_one_window_and_each_is_left_alone(desktop: Page) -> None:
    desktop.goto("/")
    expect(desktop.get_by_test_id("add-classic")).to_have_count(0)
    desktop.get_by_test_id("table-classic").click()
    for table in ("infinite", "seven_seat", "multihand"):
        add(desktop, table)
    assert desktop.url.endswith("/table/classic+infinite+seven_seat+multihand")
    _look_at_the_lobby_and_switch_one_of_four(desktop)
    _read_cards_of_four_tables(desktop)
    check(desktop, "four tables")
    shown = hands(frame(desktop, "classic"))

    # a reload restores the four
    desktop.reload()
    for table in FOUR:
        expect(root(desktop, table)).to_be_visible(timeout=SLOW_MS)
    assert active(desktop) == ["frame-classic"]
    assert hands(frame(desktop, "classic")) == shown

    # a table is left without touching the rest
    for table in ("multihand", "seven_seat"):
        frame(desktop, table).get_by_test_id("leave").click()
        expect(frame(desktop, table)).to_have_count(0)
    assert desktop.url.endswith("/table/classic+infinite")
    assert active(desktop) == ["frame-classic"]
    hand_waits(desktop)
    _leave_from_other_pages_which_are_reloaded(desktop)
    assert desktop.url.endswith("/table/classic")
    assert hands(frame(desktop, "classic")) == shown

    # the last one is left by its menu; the lobby offers its unfinished round, and the hand goes on
    desktop.get_by_test_id("table-menu").click()
    desktop.get_by_test_id("menu-leave").click()
    expect(desktop.get_by_test_id("back-band")).to_have_count(0)
    desktop.get_by_test_id("resume-classic").click(timeout=SLOW_MS)
    hand_waits(desktop)
    assert hands(frame(desktop, "classic")) == shown
    stand_to_the_end(desktop, "classic")


def _look_at_the_lobby_and_switch_one_of_four(page: Page) -> None:
    """Of several tables the active one is switched, and the others stay."""
    balances = {table: frame(page, table).get_by_test_id("table-balance") for table in FOUR}
    expect(balances["classic"]).to_contain_text("GC 5,000,000")
    expect(balances["infinite"]).to_contain_text("\u20ac1,000.00")
    to_lobby(page)
    expect(page.get_by_test_id("switch-hint")).to_contain_text("Leave one to open another")
    expect(page.get_by_test_id("add-premium")).to_have_count(0)
    expect(page.get_by_test_id("back-band")).to_be_visible()
    check(page, "the lobby while four are open")
    for table in ("premium", "multihand"):
        page.get_by_test_id(f"table-{table}").click()
        expect(root(page, table)).to_be_visible(timeout=SLOW_MS)
        assert page.url.endswith(f"/table/classic+infinite+seven_seat+{table}")
        if table == "premium":
            to_lobby(page)


def _read_cards_of_four_tables(page: Page) -> None:
    wait_for_decision(page, "classic")
    assert min(page.locator("[data-testid^='hand-'] .card").evaluate_all(WIDTHS)) >= CARD_PX_MIN
    assert min(page.locator("[data-testid^='total-']").evaluate_all(TEXT_SIZES)) >= TOTAL_PX_MIN
    assert page.locator("*").count() <= ELEMENTS_MAX


def _leave_from_other_pages_which_are_reloaded(page: Page) -> None:
    """The reload of another page leaves no table, though its address names none; its close button does."""
    to_lobby(page)
    page.reload()
    behind = page.get_by_test_id("back-band")
    expect(behind.get_by_test_id("back-classic")).to_contain_text("Your turn", timeout=SLOW_MS)
    expect(behind.get_by_test_id("back-infinite")).to_contain_text(" s", timeout=SLOW_MS)
    behind.get_by_test_id("leave-infinite").click()
    expect(behind.get_by_test_id("back-infinite")).to_have_count(0)
    expect(behind.get_by_test_id("back-classic")).to_contain_text("Your turn")
    follow(page, "/history")
    page.reload()
    expect(behind.get_by_test_id("back-classic")).to_contain_text("Your turn", timeout=SLOW_MS)
    expect(behind.get_by_test_id("back-infinite")).to_have_count(0)
    behind.get_by_test_id("back-to-tables").click()
    hand_waits(page)


def test_003_some_tables_are_unavailable_for_multi_game_play_but_each_can_be_switched(desktop: Page) -> None:
    desktop.goto("/")
    desktop.get_by_test_id("table-alone").click()
    expect(root(desktop, "alone")).to_be_visible(timeout=SLOW_MS)
    assert desktop.url.endswith("/table/alone")
    to_lobby(desktop)
    expect(desktop.get_by_test_id("back-alone")).to_be_visible(timeout=SLOW_MS)
    expect(desktop.get_by_test_id("add-premium")).to_have_count(0)

    # a click on the table itself switches
    desktop.get_by_test_id("table-premium").click()
    expect(root(desktop, "premium")).to_be_visible(timeout=SLOW_MS)
    assert desktop.url.endswith("/table/premium")
    expect(frame(desktop, "alone")).to_have_count(0)
    to_lobby(desktop)
    expect(desktop.get_by_test_id("add-classic")).to_be_visible()
    expect(desktop.get_by_test_id("add-alone")).to_have_count(0)
    desktop.get_by_test_id("table-classic").click()
    expect(root(desktop, "classic")).to_be_visible(timeout=SLOW_MS)
    wait_for_decision(desktop, "classic")
    _going_back_leaves_no_table(desktop)

    desktop.goto("/table/classic+alone")
    refused = frame(desktop, "alone").get_by_text(
        "Baccarat Alone can\u2019t be played alongside other tables"
    )
    expect(refused).to_be_visible(timeout=SLOW_MS)


def _going_back_leaves_no_table(page: Page) -> None:
    """Nor does opening a page."""
    for name in PAGES:
        follow(page, f"/{name}")
        expect(page.get_by_test_id("back-classic")).to_contain_text("Your turn", timeout=SLOW_MS)
    for _ in (*PAGES[1:], "classic"):
        page.go_back()
    hand_waits(page)
    # the lobby, then the address of a table that was switched: the hand is still the one that is shown
    page.go_back()
    expect(page.get_by_test_id("back-classic")).to_contain_text("Your turn", timeout=SLOW_MS)
    page.go_back()
    hand_waits(page)
    assert page.url.endswith("/table/classic")


def test_choosing_a_currency_shows_which_tables_take_it(desktop: Page) -> None:
    desktop.goto("/")
    desktop.get_by_label("Currency").select_option("EUR")
    exception = "except Classic Blackjack"
    said = desktop.get_by_role("status").filter(has_text=exception)
    expect(said).to_be_visible(timeout=SLOW_MS)
    follow(desktop, "/settings")
    expect(desktop.locator("main").get_by_text(exception)).to_be_visible(timeout=SLOW_MS)
    to_lobby(desktop)
    desktop.get_by_test_id("table-infinite").click()
    expect(root(desktop, "infinite")).to_be_visible(timeout=SLOW_MS)
    coins = desktop.get_by_label("Currency").locator("option", has_text="Gold Coins")
    expect(coins).to_have_text("Gold Coins: not taken at this table")
    expect(coins).to_be_disabled()
    desktop.get_by_label("Currency").select_option("USD")
    expect(desktop.get_by_test_id("balance")).to_have_text("$1,000.00", timeout=SLOW_MS)
