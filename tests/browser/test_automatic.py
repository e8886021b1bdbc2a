"""Two browsers at each live blackjack table, against the automatic dealer: some rounds, and the money."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.ledger.sqlite.store import SqliteReader
from tests.browser.conftest import books_of, player_of
from tests.browser.dealt_by_hand import stands
from tests.browser.player import OPEN, SLOW_MS, digits
from tests.browser.test_live_coups import bets_have_opened, pair, same_result
from tests.browser.test_live_seats import sit
from tests.support.server_process import HouseProcess

pytestmark = pytest.mark.browser

QUICK = """
[{table}]
pace_ms = 50
betting_ms = 10000
warning_ms = 1000
offer_ms = 2500
decision_ms = 2500
pause_ms = 5000
"""
SEATS = {"infinite": (), "seven_seat": (1, 5)}
"""The seats of the two players; without seats everybody plays box 0."""
ROUNDS = 3


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HouseProcess]:
    folder: Path = tmp_path_factory.mktemp("quick")
    (folder / "floor.toml").write_text("".join(QUICK.format(table=table) for table in SEATS))
    house = HouseProcess(folder / "data", words=("--floor", str(folder / "floor.toml"))).start()
    yield house
    house.stop()


@pytest.mark.parametrize("table", SEATS)
def test_two_players_and_the_automatic_dealer(chromium: Browser, quick: HouseProcess, table: str) -> None:
    chance = random.Random(table)
    with pair(chromium, quick, table) as pages:
        for page, seat in zip(pages, SEATS[table], strict=False):
            sit(page, seat)
        boxes = SEATS[table] or (0, 0)
        for _ in range(ROUNDS):
            bets_have_opened(pages[0])
            before = [cash(page, quick) for page in pages]
            for page, box in zip(pages, boxes, strict=True):
                page.get_by_test_id(f"spot-{box}-main").click()
                stands(page)
            played_to_the_end(pages, chance)
            same_result(*pages)
            for page, cash_minor in zip(pages, before, strict=True):
                settled(page, quick, cash_minor)


def cash(page: Page, house: HouseProcess) -> int:
    """The player's balance in the ledger."""
    books = SqliteReader(books_of(house))
    me = player_of(page)
    minor = books.balances(me)["EUR"]["cash"]
    books.close()
    return minor


def played_to_the_end(pages: tuple[Page, Page], chance: random.Random) -> None:
    """Let each player take any offered action until both see their result."""
    for _ in range(1_000):
        if all(page.get_by_test_id("result").is_visible() for page in pages):
            return
        for page in pages:
            decided(page, chance)
        pages[0].wait_for_timeout(50)
    raise AssertionError("a round without an end")


def decided(page: Page, chance: random.Random) -> None:
    """Time may be up before the click is through: then the table has decided."""
    offered = page.evaluate(
        "open => [...document.querySelectorAll(open)].map((one) => one.dataset.testid)", OPEN
    )
    if offered:
        choice = chance.choice(offered)
        page.evaluate("id => document.querySelector(`[data-testid='${id}']`)?.click()", choice)


def settled(page: Page, house: HouseProcess, before_minor: int) -> None:
    """The result equals the ledger's entries, and the balance on screen is the ledger's."""
    result = page.get_by_test_id("result")
    expect(result).to_have_attribute("data-net", re.compile("^-?[0-9]+$"))
    after_minor = cash(page, house)
    assert after_minor == before_minor + int(result.get_attribute("data-net") or 0)
    expect(page.get_by_test_id("in-play")).to_have_text("€0.00", timeout=SLOW_MS)
    assert digits(page.get_by_test_id("balance").text_content()) == after_minor
