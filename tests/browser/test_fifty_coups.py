"""Fifty coups on each of the tables of coups that a player has for himself, by keyboard and by mouse."""

import pytest
from playwright.sync_api import Page

from tests.browser.coup_player import CoupPlayer
from tests.browser.test_fifty_rounds import HOW_MANY, agrees_with_the_ledger
from tests.runtime.own.test_coups import OWN
from tests.support.server_process import HouseProcess

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("rounds", HOW_MANY)
@pytest.mark.parametrize("table", OWN)
def test_the_balance_shown_is_the_ledgers_after_every_coup(
    page: Page, house: HouseProcess, table: str, rounds: int
) -> None:
    agrees_with_the_ledger(house, CoupPlayer(page, seed=5), table, "GC", rounds)
