"""Fifty coups at each own table of coups, by keyboard and by mouse."""

import pytest
from playwright.sync_api import Page

from tests.browser.coup_player import CoupPlayer
from tests.browser.partly import partly
from tests.browser.test_fifty_rounds import HOW_MANY, agrees_with_the_ledger
from tests.dealing.own.test_coups import OWN
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser
NOW = ("baccarat", "roulette", "sic_bo")
"""One table of each layout; the campaign plays the others."""


@pytest.mark.parametrize("rounds", HOW_MANY)
@pytest.mark.parametrize("table", partly([(table,) for table in OWN], NOW))
def test_the_balance_shown_is_the_ledgers_after_every_coup(
    kept: Page, server: ServerProcess, table: str, rounds: int
) -> None:
    agrees_with_the_ledger(server, CoupPlayer(kept, seed=5), table, "GC", rounds)
