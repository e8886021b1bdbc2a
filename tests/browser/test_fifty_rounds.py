"""Fifty rounds on each of the tables a player has for himself, by keyboard and by mouse."""

import re

import pytest
from playwright.sync_api import Page, expect

from croupier.ledger.sqlite.store import SqliteReader
from tests.browser.conftest import books_of, player_of
from tests.browser.partly import partly
from tests.browser.player import Player
from tests.support.server_process import HouseProcess

pytestmark = pytest.mark.browser
SOME, ALL = 12, 50
HOW_MANY = partly([(SOME,), (ALL,)], [SOME])


@pytest.mark.parametrize("rounds", HOW_MANY)
@pytest.mark.parametrize(
    ("table", "currency"),
    [("classic", "GC"), ("premium", "GC"), ("multihand", "EUR"), ("double_exposure", "EUR")],
)
def test_the_balance_shown_is_the_ledgers_after_every_round(
    page: Page, house: HouseProcess, table: str, currency: str, rounds: int
) -> None:
    agrees_with_the_ledger(house, Player(page, seed=2), table, currency, rounds)


def agrees_with_the_ledger(
    house: HouseProcess, player: Player, table: str, currency: str, rounds: int
) -> None:
    page = player.page
    page.goto("/")
    page.get_by_label("Currency").select_option(currency)
    player.sit(table)
    books = SqliteReader(books_of(house))
    me = player_of(page)
    for number in range(rounds):
        player.play_round("keys" if number % 2 else "mouse")
        cash = books.balances(me)[currency]["cash"]
        expect(page.get_by_test_id("balance")).to_have_text(amount(cash))
        expect(page.get_by_test_id("in-play")).not_to_have_text(re.compile("[1-9]"))
        assert (player.balance_minor, player.in_play_minor) == (cash, 0)
    assert len(books.rounds(me, table=table, limit=100)) == rounds
    books.close()


def amount(minor: int) -> re.Pattern[str]:
    """However it is written: with a sign of the currency, commas and a point."""
    return re.compile(r"\D*" + r"\D*".join(str(minor)) + r"\D*$")
