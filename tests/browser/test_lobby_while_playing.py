"""More Games and Multi-Game Play (003): the lobby is browsed while the tables go on."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import opened
from tests.browser.player import OPEN, SLOW_MS
from tests.browser.screens import resize
from tests.browser.test_everybody_can_play import check
from tests.browser.test_four_tables import QUICK, active, frame, open_all, root, wait_for_decision
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


@pytest.fixture
def phone(chromium: Browser, server: ServerProcess) -> Iterator[Page]:
    with opened(chromium, server, width=390, height=844) as page:
        yield page


def to_lobby(page: Page) -> None:
    """Use the link; on a phone it is in a menu."""
    page.evaluate("() => document.querySelector(`header a[href='/']`).click()")
    expect(page.get_by_role("heading", name="Tables", level=1)).to_be_visible(timeout=SLOW_MS)


def hand_waits(page: Page, table: str = "classic") -> None:
    expect(frame(page, table).locator(OPEN).first).to_be_visible(timeout=SLOW_MS)


def test_003_the_lobby_is_browsed_while_still_playing(phone: Page) -> None:
    """Not removed from the game until the new table has actually been selected."""
    open_all(phone, "infinite", "classic")
    wait_for_decision(phone, "classic")
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
    assert phone.url.endswith("/table/infinite+classic")
    expect(root(phone, "infinite")).to_be_attached()
    expect(behind).to_have_count(0)


def test_003_a_click_on_the_table_itself_switches(desktop: Page) -> None:
    open_all(desktop, "premium")
    to_lobby(desktop)
    desktop.get_by_test_id("table-multihand").click()
    expect(root(desktop, "multihand")).to_be_visible(timeout=SLOW_MS)
    assert desktop.url.endswith("/table/multihand")
    expect(frame(desktop, "premium")).to_have_count(0)


def test_003_plus_table_joins_up_to_four_in_one_window(desktop: Page) -> None:
    desktop.goto("/")
    expect(desktop.get_by_test_id("add-premium")).to_have_count(0)
    desktop.get_by_test_id("table-classic").click()
    for table in ("premium", "infinite", "roulette"):
        desktop.get_by_test_id("add-table").first.click()
        desktop.get_by_test_id(f"add-{table}").click()
        expect(root(desktop, table)).to_be_visible(timeout=SLOW_MS)
        assert active(desktop) == [f"frame-{table}"]
    assert desktop.url.endswith("/table/classic+premium+infinite+roulette")
    balances = {
        table: frame(desktop, table).get_by_test_id("table-balance") for table in ("classic", "infinite")
    }
    expect(balances["classic"]).to_contain_text("GC 5,000,000")
    expect(balances["infinite"]).to_contain_text("€1,000.00")
    to_lobby(desktop)
    expect(desktop.get_by_test_id("switch-hint")).to_contain_text("Leave one to open another")
    expect(desktop.get_by_test_id("add-multihand")).to_have_count(0)
    # of several tables the active one is switched, and the others stay
    desktop.get_by_test_id("table-multihand").click()
    expect(root(desktop, "multihand")).to_be_visible(timeout=SLOW_MS)
    assert desktop.url.endswith("/table/classic+premium+infinite+multihand")


def test_003_some_tables_are_unavailable_for_multi_game_play(desktop: Page) -> None:
    open_all(desktop, "classic")
    to_lobby(desktop)
    expect(desktop.get_by_test_id("add-premium")).to_be_visible()
    expect(desktop.get_by_test_id("add-alone")).to_have_count(0)
    desktop.get_by_test_id("table-alone").click()
    expect(root(desktop, "alone")).to_be_visible(timeout=SLOW_MS)
    assert desktop.url.endswith("/table/alone")
    to_lobby(desktop)
    expect(desktop.get_by_test_id("back-alone")).to_be_visible(timeout=SLOW_MS)
    expect(desktop.get_by_test_id("add-premium")).to_have_count(0)
    desktop.goto("/table/classic+alone")
    refused = frame(desktop, "alone").get_by_text(
        "Baccarat Alone can\u2019t be played alongside other tables"
    )
    expect(refused).to_be_visible(timeout=SLOW_MS)


def test_003_any_table_is_exited_without_affecting_the_others(desktop: Page) -> None:
    open_all(desktop, "classic", "premium", "multihand")
    wait_for_decision(desktop, "classic")
    frame(desktop, "multihand").get_by_test_id("leave").click()
    expect(frame(desktop, "multihand")).to_have_count(0)
    to_lobby(desktop)
    desktop.get_by_test_id("leave-premium").click()
    expect(desktop.get_by_test_id("back-premium")).to_have_count(0)
    expect(desktop.get_by_test_id("back-classic")).to_contain_text("Your turn")
    desktop.get_by_test_id("back-to-tables").click()
    hand_waits(desktop)
    assert desktop.url.endswith("/table/classic")
    desktop.get_by_test_id("table-menu").click()
    desktop.get_by_test_id("menu-leave").click()
    expect(desktop.get_by_test_id("resume-classic")).to_be_visible(timeout=SLOW_MS)
    expect(desktop.get_by_test_id("back-band")).to_have_count(0)


def test_going_back_or_opening_a_page_leaves_no_table(desktop: Page) -> None:
    desktop.goto("/")
    desktop.get_by_test_id("table-premium").click()
    expect(root(desktop, "premium")).to_be_visible(timeout=SLOW_MS)
    to_lobby(desktop)
    desktop.get_by_test_id("table-classic").click()
    expect(root(desktop, "classic")).to_be_visible(timeout=SLOW_MS)
    wait_for_decision(desktop, "classic")
    for name in PAGES:
        desktop.locator(f"header a[href='/{name}']").click()
        expect(desktop.get_by_test_id("back-classic")).to_contain_text("Your turn", timeout=SLOW_MS)
    for _ in (*PAGES[1:], "classic"):
        desktop.go_back()
    hand_waits(desktop)
    # the lobby, then the address of a table that was switched: the hand is still the one that is shown
    desktop.go_back()
    expect(desktop.get_by_test_id("back-classic")).to_contain_text("Your turn", timeout=SLOW_MS)
    desktop.go_back()
    hand_waits(desktop)
    assert desktop.url.endswith("/table/classic")


def test_a_reload_of_another_page_leaves_no_table(desktop: Page) -> None:
    """The address of the page names none of them."""
    open_all(desktop, "infinite", "classic")
    wait_for_decision(desktop, "classic")
    hands = frame(desktop, "classic").locator("[data-testid^='hand-']").all_inner_texts()
    to_lobby(desktop)
    desktop.reload()
    behind = desktop.get_by_test_id("back-band")
    expect(behind.get_by_test_id("back-classic")).to_contain_text("Your turn", timeout=SLOW_MS)
    expect(behind.get_by_test_id("back-infinite")).to_contain_text(" s", timeout=SLOW_MS)
    behind.get_by_test_id("leave-infinite").click()
    desktop.locator("header a[href='/history']").click()
    desktop.reload()
    expect(behind.get_by_test_id("back-classic")).to_contain_text("Your turn", timeout=SLOW_MS)
    expect(behind.get_by_test_id("back-infinite")).to_have_count(0)
    behind.get_by_test_id("back-to-tables").click()
    hand_waits(desktop)
    assert desktop.url.endswith("/table/classic")
    assert frame(desktop, "classic").locator("[data-testid^='hand-']").all_inner_texts() == hands


def test_choosing_a_currency_shows_which_tables_take_it(desktop: Page) -> None:
    desktop.goto("/")
    desktop.get_by_label("Currency").select_option("EUR")
    exception = "except Classic Blackjack"
    expect(desktop.get_by_role("status").filter(has_text=exception)).to_be_visible(timeout=SLOW_MS)
    desktop.goto("/settings")
    expect(desktop.get_by_text(exception)).to_be_visible(timeout=SLOW_MS)
    open_all(desktop, "infinite")
    coins = desktop.get_by_label("Currency").locator("option", has_text="Gold Coins")
    expect(coins).to_have_text("Gold Coins: not taken at this table")
    expect(coins).to_be_disabled()
    desktop.get_by_label("Currency").select_option("USD")
    expect(desktop.get_by_test_id("balance")).to_have_text("$1,000.00", timeout=SLOW_MS)
