"""Fifty coups at each live coup table, by one player who places bets and then repeats them: long."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.ledger.sqlite.store import SqliteReader
from tests.browser.conftest import books_of, opened, player_of
from tests.browser.coup_player import lay
from tests.browser.dealt_by_hand import DESK
from tests.browser.player import SLOW_MS
from tests.browser.test_fifty_rounds import ALL, amount
from tests.browser.test_live_coups import LIVE, TOGETHER
from tests.support.server_process import HouseProcess

pytestmark = [pytest.mark.browser, pytest.mark.campaign, pytest.mark.timeout(1800)]

BRISK = """
[{table}]
betting_ms = 4000
warning_ms = 500
pace_ms = 20
spin_ms = 50
roll_ms = 50
ball_ms = 50
pause_ms = 2500
"""


@pytest.fixture(scope="module")
def brisk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HouseProcess]:
    folder = tmp_path_factory.mktemp("brisk")
    floor = folder / "floor.toml"
    floor.write_text("".join(BRISK.format(table=table) for table in LIVE), encoding="utf-8")
    house = HouseProcess(folder / "data", words=("--floor", str(floor))).start()
    yield house
    house.stop()


@pytest.fixture
def ann(chromium: Browser, brisk: HouseProcess) -> Iterator[Page]:
    yield from opened(chromium, brisk, width=DESK[0], height=DESK[1])


@pytest.mark.parametrize("table", LIVE)
def test_the_balance_shown_is_the_ledgers_after_every_coup(
    ann: Page, brisk: HouseProcess, table: str
) -> None:
    ann.goto(f"/table/{table}")
    ann.get_by_test_id("light").wait_for(timeout=SLOW_MS)
    books = SqliteReader(books_of(brisk))
    me = player_of(ann)
    for coup in range(ALL):
        expect(ann.get_by_test_id("light")).to_have_attribute("data-light", "green", timeout=SLOW_MS)
        if coup:
            ann.keyboard.press("Space")
        else:
            lay(ann, *TOGETHER[table])
        expect(ann.get_by_test_id("result")).to_be_visible(timeout=SLOW_MS)
        expect(ann.get_by_test_id("balance")).to_have_text(amount(books.balances(me)["EUR"]["cash"]))
        expect(ann.get_by_test_id("result")).to_be_hidden(timeout=SLOW_MS)
    assert len(books.rounds(me, table=table, limit=100)) == ALL
    books.close()
