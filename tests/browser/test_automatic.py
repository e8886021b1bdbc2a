"""Two browsers at each live blackjack table, against the automatic dealer: some rounds, and the money."""

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.ledger.sqlite.store import SqliteReader
from tests.browser.conftest import database_of, player_of
from tests.browser.dealt_by_hand import expect_accepted_bet, sit
from tests.browser.partly import partly
from tests.browser.player import OPEN, SLOW_MS, digits, follow
from tests.browser.test_live_coups import check_same_game, pair, wait_for_betting_time
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser(long=True)

QUICK = """
[{table}]
pace_ms = 50
betting_ms = 8000
warning_ms = 1000
offer_ms = 2500
decision_ms = 2500
pause_ms = 5000
"""
SEATS = {"infinite": (), "seven_seat": (1, 5)}
"""The seats of the two players; without seats everybody plays box 0."""
SOME, ALL = 1, 5
POLLING_MS, ATTEMPTS = 200, 250
"""A decision is open for 2,500 ms."""


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder: Path = tmp_path_factory.mktemp("quick")
    (folder / "croupier.toml").write_text("".join(QUICK.format(table=table) for table in SEATS))
    server = ServerProcess(folder / "data", options=("--config", str(folder / "croupier.toml"))).start()
    yield server
    server.stop()


@pytest.mark.parametrize("rounds", partly([(SOME,), (ALL,)], [SOME]))
def test_two_players_and_the_automatic_dealer(chromium: Browser, quick: ServerProcess, rounds: int) -> None:
    """The players play at one table after the other."""
    first, second = SEATS
    with pair(chromium, quick, first) as pages:
        play_rounds(pages, quick, first, rounds)
        for page in pages:
            follow(page, "/")
            page.get_by_test_id(f"table-{second}").click()
            expect(page.get_by_test_id(f"frame-{first}")).to_have_count(0)
        play_rounds(pages, quick, second, rounds)


def play_rounds(pages: tuple[Page, Page], server: ServerProcess, table: str, rounds: int) -> None:
    chance = random.Random(table)
    for page, seat in zip(pages, SEATS[table], strict=False):
        sit(page, seat)
    boxes = SEATS[table] or (0, 0)
    for _ in range(rounds):
        wait_for_betting_time(pages[0], "[5-8]")
        before = [cash(page, server) for page in pages]
        for page, box in zip(pages, boxes, strict=True):
            page.get_by_test_id(f"spot-{box}-main").click()
            expect_accepted_bet(page)
        play_to_the_end(pages, chance)
        check_same_game(*pages)
        for page, cash_minor in zip(pages, before, strict=True):
            check_settled(page, server, cash_minor)


def cash(page: Page, server: ServerProcess) -> int:
    """Return the player's balance in the ledger."""
    ledger = SqliteReader(database_of(server))
    me = player_of(page)
    minor = ledger.balances(me)["EUR"]["cash"]
    ledger.close()
    return minor


def play_to_the_end(pages: Sequence[Page], chance: random.Random) -> None:
    """Let each player take any offered action until both see their result."""
    for _ in range(ATTEMPTS):
        if all(page.get_by_test_id("result").is_visible() for page in pages):
            return
        for page in pages:
            decide_once(page, chance)
        pages[0].wait_for_timeout(POLLING_MS)
    raise AssertionError("a round without an end")


def decide_once(page: Page, chance: random.Random) -> None:
    """Click an action; the table may have decided before the click arrives."""
    offered = page.evaluate(
        "open => [...document.querySelectorAll(open)].map((one) => one.dataset.testid)", OPEN
    )
    if offered:
        choice = chance.choice(offered)
        page.evaluate("id => document.querySelector(`[data-testid='${id}']`)?.click()", choice)


def check_settled(page: Page, server: ServerProcess, before_minor: int) -> None:
    """Check that result and balance on the page equal those of the ledger."""
    result = page.get_by_test_id("result")
    expect(result).to_have_attribute("data-net", re.compile("^-?[0-9]+$"))
    after_minor = cash(page, server)
    assert after_minor == before_minor + int(result.get_attribute("data-net") or 0)
    expect(page.get_by_test_id("in-play")).to_have_text("€0.00", timeout=SLOW_MS)
    assert digits(page.get_by_test_id("balance").text_content()) == after_minor
