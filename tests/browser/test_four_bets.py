"""Bets on four tables at once in one window, own and live, in two currencies: each is settled correctly."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.ledger.sqlite.store import SqliteReader
from tests.browser.conftest import database_of, opened, player_of
from tests.browser.live_window import LiveWindow, play_round
from tests.browser.player import SLOW_MS, digits
from tests.browser.test_automatic import QUICK
from tests.browser.test_four_tables import FOUR, frame, open_all, wait_for_decision
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser

SPOTS = {"infinite": "spot-0-main", "seven_seat": "spot-3-main"}
"""The player's bets at the live tables."""
OWN = tuple(table for table in FOUR if table not in SPOTS)
NOTHING = re.compile(r"^(€0\.00|GC\s0)\s*$")


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[ServerProcess]:
    (tmp_path / "croupier.toml").write_text("".join(QUICK.format(table=table) for table in SPOTS))
    server = ServerProcess(tmp_path / "data", options=("--config", str(tmp_path / "croupier.toml"))).start()
    yield server
    server.stop()


def test_four_bets_at_once(chromium: Browser, quick: ServerProcess) -> None:
    with opened(chromium, quick, width=1440, height=900) as page:
        open_all(page, *FOUR)
        frame(page, "seven_seat").get_by_test_id("sit-3").click()
        for table in OWN:
            wait_for_decision(page, table)
        before = money(page, quick)
        assert before["in_play"] > 0
        window = LiveWindow(page, SPOTS, OWN)
        play_round([window], random.Random(4))
        after = money(page, quick)
        assert after["in_play"] == 0
        for currency, tables in {"GC": OWN, "EUR": tuple(SPOTS)}.items():
            assert after[currency] == before[currency] + sum(window.nets[table] for table in tables)
        for place, table in enumerate(FOUR, 1):
            page.keyboard.press(f"Alt+{place}")
            expect(page.get_by_test_id("in-play")).to_have_text(NOTHING, timeout=SLOW_MS)
            shown = digits(page.get_by_test_id("balance").text_content())
            assert shown == after["GC" if table in OWN else "EUR"]


def money(page: Page, server: ServerProcess) -> Counter[str]:
    """Return the player's totals in the ledger: everything in each currency, and the amount in play."""
    ledger = SqliteReader(database_of(server))
    me = player_of(page)
    balances = ledger.balances(me)
    ledger.close()
    found = Counter({currency: sum(accounts.values()) for currency, accounts in balances.items()})
    found["in_play"] = sum(accounts.get("in_play", 0) for accounts in balances.values())
    return found
