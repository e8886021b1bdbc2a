"""Bets that an own table doesn't accept together are refused when placed, not when the round is dealt."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.coup_player import place_chips
from tests.browser.player import SLOW_MS
from tests.browser.test_everybody_can_play import check
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser

TABLES = """
[apart]
game = "baccarat"
title = "Apart"
line = "Player or Banker"
limits = { GC = "100-50000" }
never_together = [["player", "banker"]]

[uncovered]
game = "roulette"
title = "Uncovered"
line = "Three pockets stay free"
limits = { GC = "100-50000" }
covers_at_most_percent = 92
"""
TOGETHER = {
    "apart": (("player", "banker"), "Player and Banker can\u2019t be bet on in the same round."),
    "uncovered": (
        ("red", "black"),
        "These bets cover 36 of 37 outcomes. You may cover at most 34 (92 %).",
    ),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("operator")
    (folder / "tables.toml").write_text(TABLES)
    server = ServerProcess(folder / "data", options=("--tables", str(folder / "tables.toml"))).start()
    yield server
    server.stop()


@pytest.mark.parametrize("table", TOGETHER)
def test_the_chip_is_refused_and_the_earlier_bets_are_dealt(kept: Page, table: str) -> None:
    (first, second), words = TOGETHER[table]
    kept.goto(f"/table/{table}")
    place_chips(kept, first)
    placed = kept.get_by_test_id("placed").inner_text()
    place_chips(kept, second)
    expect(kept.get_by_test_id("message")).to_have_text(words, timeout=SLOW_MS)
    expect(kept.get_by_test_id("placed")).to_have_text(placed)
    check(kept, "refused")
    kept.get_by_test_id("deal").click()
    expect(kept.get_by_test_id("message")).to_have_count(0, timeout=SLOW_MS)
    expect(kept.get_by_test_id("new-bet")).to_be_visible(timeout=SLOW_MS)
