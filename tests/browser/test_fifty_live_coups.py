"""Fifty coups at each live coup table, by one player who places bets and then repeats them."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.ledger.sqlite.store import SqliteReader
from tests.browser.conftest import database_of, opened, player_of
from tests.browser.coup_player import place_chips
from tests.browser.dealt_by_hand import DESKTOP
from tests.browser.player import SLOW_MS
from tests.browser.test_fifty_rounds import ALL, amount
from tests.browser.test_live_coups import LIVE, TOGETHER
from tests.support.server_process import ServerProcess

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
def brisk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("brisk")
    config_file = folder / "croupier.toml"
    config_file.write_text("".join(BRISK.format(table=table) for table in LIVE), encoding="utf-8")
    server = ServerProcess(folder / "data", options=("--config", str(config_file))).start()
    yield server
    server.stop()


@pytest.fixture
def ann(chromium: Browser, brisk: ServerProcess) -> Iterator[Page]:
    with opened(chromium, brisk, width=DESKTOP[0], height=DESKTOP[1]) as page:
        yield page


@pytest.mark.parametrize("table", LIVE)
def test_the_balance_shown_is_the_ledgers_after_every_coup(
    ann: Page, brisk: ServerProcess, table: str
) -> None:
    ann.goto(f"/table/{table}")
    ann.get_by_test_id("light").wait_for(timeout=SLOW_MS)
    ledger = SqliteReader(database_of(brisk))
    me = player_of(ann)
    for coup in range(ALL):
        expect(ann.get_by_test_id("light")).to_have_attribute("data-light", "green", timeout=SLOW_MS)
        if coup:
            ann.keyboard.press("Space")
        else:
            place_chips(ann, *TOGETHER[table])
        expect(ann.get_by_test_id("result")).to_be_visible(timeout=SLOW_MS)
        expect(ann.get_by_test_id("balance")).to_have_text(amount(ledger.balances(me)["EUR"]["cash"]))
        expect(ann.get_by_test_id("result")).to_be_hidden(timeout=SLOW_MS)
    assert len(ledger.rounds(me, tables=(table,), limit=100)) == ALL
    ledger.close()
