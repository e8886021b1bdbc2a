"""Fifty rounds at each own table, by keyboard and by mouse."""

import re

import pytest
from playwright.sync_api import Page, expect

from croupier.ledger.sqlite.store import SqliteReader
from tests.browser.conftest import database_of, player_of
from tests.browser.partly import partly
from tests.browser.player import Player
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser
SOME, ALL = 4, 50
HOW_MANY = partly([(SOME,), (ALL,)], [SOME])


@pytest.mark.parametrize("rounds", HOW_MANY)
@pytest.mark.parametrize(
    ("table", "currency"),
    partly(
        [("classic", "GC"), ("premium", "GC"), ("multihand", "EUR"), ("double_exposure", "EUR")],
        ["premium", "double_exposure"],
    ),
)
def test_the_balance_shown_is_the_ledgers_after_every_round(
    kept: Page, server: ServerProcess, table: str, currency: str, rounds: int
) -> None:
    agrees_with_the_ledger(server, Player(kept, seed=2), table, currency, rounds)


def agrees_with_the_ledger(
    server: ServerProcess, player: Player, table: str, currency: str, rounds: int
) -> None:
    page = player.page
    page.goto("/")
    page.get_by_label("Currency").select_option(currency)
    player.move(table)
    ledger = SqliteReader(database_of(server))
    me = player_of(page)
    for number in range(rounds):
        player.play_round("keys" if number % 2 else "mouse")
        cash = ledger.balances(me)[currency]["cash"]
        expect(page.get_by_test_id("balance")).to_have_text(amount(cash))
        expect(page.get_by_test_id("in-play")).not_to_have_text(re.compile("[1-9]"))
        assert (player.balance_minor, player.in_play_minor) == (cash, 0)
    assert len(ledger.rounds(me, tables=(table,), limit=100)) == rounds
    ledger.close()


def amount(minor: int) -> re.Pattern[str]:
    """Return the amount as a pattern that ignores currency symbols, commas and points."""
    return re.compile(r"\D*" + r"\D*".join(str(minor)) + r"\D*$")
