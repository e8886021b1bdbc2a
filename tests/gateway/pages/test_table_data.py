"""A table's paytables, limits and returns as data (GET /api/tables/{table})."""

from fractions import Fraction

import pytest

from croupier.games import published_tables
from croupier.gateway.pages.rules import exact_figures, markdown
from croupier.gateway.pages.table_data import table_data
from croupier.play.contract.game import Table
from croupier.protocol import wire
from tests.support.browser_connection import Browser
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

TABLES = published_tables()
EVERY_TABLE = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)


@EVERY_TABLE
def test_paytables_are_data(table: Table) -> None:
    data = table_data(table)
    assert {bet.bet for bet in data.bets} == set(table.bets)
    for bet in data.bets:
        for line, pay in zip(bet.pays, table.bets[bet.bet].pays, strict=True):
            assert line.outcome == pay.outcome
            assert line.wins * 1000 // line.staked == pay.odds.winnings(1000)


@EVERY_TABLE
def test_limits_are_data_in_every_currency(table: Table) -> None:
    for bet in table_data(table).bets:
        assert {one.currency for one in bet.limits} == set(table.limits)
        for one in bet.limits:
            assert (one.min_minor, one.max_minor) == table.limits_in[one.currency][bet.bet]


@EVERY_TABLE
def test_returns_are_those_of_the_rules_page(table: Table) -> None:
    data, known, page = table_data(table), exact_figures(table), markdown(table)
    assert known is not None
    for strategy, printed in zip(data.exact_strategies, known.returns, strict=True):
        assert f"{strategy.per_initial_stake:.3f}" == printed.per_initial_stake
    for bets, of_page in zip(data.exact_bets, known.bets, strict=True):
        assert f"{bets.returned:.3f} %" in page, of_page
        assert Fraction(of_page.returned) + Fraction(of_page.house_edge) == 100
    assert [f"{one.percent:.2f}" for one in data.published] == [one.percent for one in table.published]


@EVERY_TABLE
def test_a_bet_returns_a_known_figure(table: Table) -> None:
    """Every bet is covered by an exact figure, or by the strategies of a game with decisions."""
    data = table_data(table)
    covered = {bet for each in data.exact_bets for bet in each.bets}
    assert {bet.bet for bet in data.bets} - covered <= (
        {"main", "insurance"} if data.exact_strategies else set()
    )


async def test_the_server_answers_with_the_data(http_server: ServerProcess) -> None:
    async with Browser(http_server.address) as browser:
        for name, table in TABLES.items():
            assert await browser.get(f"/api/tables/{name}", wire.TableData) == table_data(table)


async def test_an_unknown_table_is_refused(http_server: ServerProcess) -> None:
    async with Browser(http_server.address) as browser:
        answer = await browser.http.get(f"{http_server.address}/api/tables/nowhere")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_table")
