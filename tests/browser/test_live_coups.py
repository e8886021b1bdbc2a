"""Two browsers at each live table of coups: timer, bets, results and money."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.games import published_tables
from croupier.ledger.sqlite.store import SqliteReader
from croupier.play.coup.view import CoupView
from tests.browser.conftest import database_of, opened, player_of
from tests.browser.coup_player import place_chips
from tests.browser.dealt_by_hand import DESKTOP, PHONE, expect_accepted_bet
from tests.browser.partly import partly
from tests.browser.player import SLOW_MS, digits
from tests.browser.screens import PHONES, assert_layout
from tests.browser.test_everybody_can_play import check, fits
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser(long=True)

LIVE = [
    name
    for name, table in published_tables().items()
    if table.dealing == "live" and issubclass(table.game.view, CoupView)
]
QUICK = """
[{table}]
betting_ms = 15000
warning_ms = 1000
pace_ms = 50
spin_ms = 200
roll_ms = 200
ball_ms = 200
pause_ms = 10000
"""
NOW = ("live_roulette",)
# Bets that every table of the game takes from one player together.
TOGETHER = {
    "live_baccarat": ("player", "tie"),
    "live_dragon_tiger": ("dragon", "tie"),
    "live_football_studio": ("home", "draw"),
    "live_roulette": (
        "red",
        "straight_17",
        "straight_0",
        "split_17_20",
        "street_1_2_3",
        "corner_17_18_20_21",
        "six_line_31_32_33_34_35_36",
        "column_2",
    ),
    "live_sic_bo": ("big", "total_10"),
}
FORBIDDEN = {
    "live_baccarat": (("player", "banker"), "Player and Banker can\u2019t be bet on in the same round."),
    "live_roulette": (
        ("red", "black"),
        "These bets cover 36 of 37 outcomes. You may cover at most 34 (92 %).",
    ),
}


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("quick")
    (folder / "croupier.toml").write_text("".join(QUICK.format(table=table) for table in LIVE))
    server = ServerProcess(folder / "data", options=("--config", str(folder / "croupier.toml"))).start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def players(chromium: Browser, quick: ServerProcess) -> Iterator[tuple[Page, Page]]:
    with both_pages(chromium, quick) as pages:
        yield pages


@contextmanager
def both_pages(chromium: Browser, server: ServerProcess) -> Iterator[tuple[Page, Page]]:
    """Open two players' pages: one on a desktop, one on a phone."""
    with ExitStack() as open_:
        ann, bob = (
            open_.enter_context(opened(chromium, server, width=wide, height=high))
            for wide, high in (DESKTOP, PHONE)
        )
        yield ann, bob


@contextmanager
def pair(chromium: Browser, server: ServerProcess, table: str) -> Iterator[tuple[Page, Page]]:
    """Open a table on two players' pages."""
    with both_pages(chromium, server) as pages:
        for page in pages:
            show_table(page, table)
        yield pages


def show_table(page: Page, table: str) -> None:
    path = f"/table/{table}"
    if not page.url.endswith(path):
        page.goto(path)


def wait_for_betting_time(page: Page, seconds: str = r"[89]|1\d") -> None:
    """Wait until bets are open for at least eight more seconds, or other `seconds`, a pattern."""
    expect(page.get_by_test_id("seconds")).to_have_text(re.compile(rf"^({seconds})"), timeout=3 * SLOW_MS)
    expect(page.get_by_test_id("light")).to_have_attribute("data-light", "green", timeout=SLOW_MS)


def check_balance(page: Page, server: ServerProcess) -> None:
    ledger = SqliteReader(database_of(server))
    me = player_of(page)
    cash = ledger.balances(me)["EUR"]["cash"]
    ledger.close()
    assert digits(page.get_by_test_id("balance").text_content()) == cash


@pytest.mark.parametrize("table", partly([(table,) for table in LIVE], NOW))
def test_two_players_bet_on_one_coup(players: tuple[Page, Page], quick: ServerProcess, table: str) -> None:
    ann, bob = players
    for page in players:
        show_table(page, table)
    both_bet(ann, bob, table)
    check(ann, "bets are placed")
    for page in players:
        expect(page.get_by_test_id("result")).to_be_visible(timeout=3 * SLOW_MS)
    check_same_game(ann, bob)
    check_balance(ann, quick)
    check_balance(bob, quick)
    assert_layout(bob, "result", PHONES)
    fits(ann, "result")
    check(bob, "result")


def both_bet(ann: Page, bob: Page, table: str) -> None:
    bets = TOGETHER[table]
    wait_for_betting_time(ann, "1[0-5]")
    # each as soon as possible: on a busy machine, nine chips take half of the time
    place_chips(ann, *bets[:2])
    expect_accepted_bet(ann)
    place_chips(bob, *bets[1:])
    expect_accepted_bet(bob)


def check_same_game(ann: Page, bob: Page) -> None:
    number = ann.get_by_test_id("game-number").text_content()
    expect(bob.get_by_test_id("game-number")).to_have_text(number or "")


@pytest.mark.parametrize("table", partly([(table,) for table in FORBIDDEN], NOW))
def test_a_forbidden_bet_is_refused_on_the_screen(players: tuple[Page, Page], table: str) -> None:
    bets, words = FORBIDDEN[table]
    ann, _bob = players
    show_table(ann, table)
    wait_for_betting_time(ann)
    # the second before the first has been sent to the server
    place_chips(ann, *bets)
    expect(ann.get_by_test_id("message")).to_have_text(words, timeout=SLOW_MS)
    expect(ann.get_by_test_id(f"bet-{bets[1]}")).not_to_have_class("laid")
    expect_accepted_bet(ann)
    check(ann, "refused")
