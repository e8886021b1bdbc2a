"""A guest plays rounds at every table; balance, statement and History agree after each."""

from random import Random

import pytest

from croupier.play.contract.amounts import PLAY_MONEY
from croupier.protocol import wire
from tests.faults.expected_payout import payout
from tests.support import bot
from tests.support.browser_connection import Browser, connect_guest, deal_open_round, fetch_balances
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

TABLES = ("classic", "premium", "multihand", "double_exposure", "roulette", "american_roulette")
GRANTS_MINOR = PLAY_MONEY
ROUNDS = 12


async def test_a_guest_has_play_money_and_nothing_at_stake(browser: Browser) -> None:
    expected = tuple(wire.Balance(code, minor, 0, 0, 0) for code, minor in GRANTS_MINOR.items())
    assert await fetch_balances(browser) == expected


async def test_a_returning_guest_is_the_same_player(browser: Browser) -> None:
    known = await browser.get("/api/me", wire.Me)
    assert await browser.guest() == known
    assert await fetch_balances(browser) == tuple(
        wire.Balance(code, minor, 0, 0, 0) for code, minor in GRANTS_MINOR.items()
    )


@pytest.mark.parametrize("currency", ["GC", "SC"])
@pytest.mark.parametrize("table", TABLES)
async def test_every_round_is_paid_by_its_cards_and_the_balance_follows(
    browser: Browser, table: str, currency: str
) -> None:
    chance = Random(f"{table} {currency}")
    tables = {one.table: one for one in await browser.get("/api/tables", list[wire.LobbyTable])}
    balance = GRANTS_MINOR[currency]
    assert (await browser.join(table, currency)).code == ""
    for _ in range(ROUNDS):
        if balance < bot.max_total_stake(tables[table], currency):
            break  # too little is left; the rounds played are checked
        played = await bot.play_round(browser, tables[table], currency, chance)
        staked, returned = payout(table, played.view)
        assert (played.view.staked_minor, played.view.returned_minor) == (staked, returned)
        balance += returned - staked
        assert await _balance(browser, currency) == balance
    await _check_totals(browser, currency, balance)


async def _balance(browser: Browser, currency: str) -> int:
    return next(one.balance_minor for one in await fetch_balances(browser) if one.currency == currency)


async def _check_totals(browser: Browser, currency: str, balance_minor: int) -> None:
    """Check that the statement's movements and the history's totals add up to the balance."""
    lines = await browser.get("/api/statement", list[wire.StatementEntry], limit=100)
    assert sum(line.amount_minor for line in lines if line.currency == currency) == balance_minor
    assert next(line for line in lines if line.currency == currency).balance_minor == balance_minor
    history = await browser.get("/api/history", wire.History)
    net = history.returned_minor[currency] - history.staked_minor[currency]
    assert GRANTS_MINOR[currency] + net == balance_minor


async def test_the_pages_of_a_statement_are_consecutive(browser: Browser) -> None:
    whole = await browser.get("/api/statement", list[wire.StatementEntry], limit=100)
    first = await browser.get("/api/statement", list[wire.StatementEntry], limit=1)
    rest = await browser.get("/api/statement", list[wire.StatementEntry], before=first[-1].seq)
    assert first + rest == whole


async def test_history_shows_the_round_card_by_card(browser: Browser) -> None:
    await browser.join("classic")
    stake = wire.Stake(0, "main", 1000)
    answer = await browser.deal("classic", stake)
    did = [one for each in answer.messages if isinstance(each, wire.TableUpdate) for one in each.did]
    played = answer.state().round
    assert played is not None
    while not played.view.ended:
        answer = await browser.decide("classic", played, _ending_action(played))
        did += [one for each in answer.messages if isinstance(each, wire.TableUpdate) for one in each.did]
        played = answer.state().round
        assert played is not None
    found = await browser.get(f"/api/rounds/{played.id}", wire.HistoryRound)
    assert found.stakes == (stake,)
    assert [step.did for step in found.steps] == did[:-1]
    assert did[-1] == wire.RoundEvent("ended")
    assert found.steps[-1].view == played.view
    (line,) = (await browser.get("/api/history", wire.History)).lines
    assert found.line == line
    assert (line.round, line.number, line.status) == (played.id, played.number, "settled")


def _ending_action(played: wire.PlayedRound) -> str:
    offered = [option.action for option in played.view.turns[0].options]
    return next(
        action for action in ("stand", "decline_insurance", "decline_even_money") if action in offered
    )


async def test_history_has_pages_and_is_filtered_by_table(browser: Browser) -> None:
    tables = {one.table: one for one in await browser.get("/api/tables", list[wire.LobbyTable])}
    ids = []
    for table in ("classic", "multihand", "classic", "classic"):
        await browser.join(table, "GC")
        ids.append((await bot.play_round(browser, tables[table], "GC", Random(7))).id)
    ids.reverse()
    first = await browser.get("/api/history", wire.History, limit=3)
    rest = await browser.get("/api/history", wire.History, limit=3, before=ids[2])
    assert ([line.round for line in first.lines], first.more) == (ids[:3], True)
    assert ([line.round for line in rest.lines], rest.more) == (ids[3:], False)
    at_multihand = await browser.get("/api/history", wire.History, table="multihand")
    assert [line.round for line in at_multihand.lines] == [ids[2]]


async def test_nobody_sees_another_players_rounds(server: ServerProcess, browser: Browser) -> None:
    await browser.join("classic")
    played = await deal_open_round(browser, "classic", wire.Stake(0, "main", 1000))
    async with connect_guest(server.address) as other:
        answer = await other.http.get(f"{server.address}/api/rounds/{played.id}")
        assert (answer.status_code, answer.json()["code"]) == (404, "no_such_round")
        assert (await other.get("/api/history", wire.History)).lines == ()
        await other.join("classic")
        refused = await other.decide("classic", played, "stand")
        assert refused.code == "round_ended"
        assert await other.drain() == []
    assert (await browser.drain()) == []


async def test_an_open_round_is_money_in_play(browser: Browser) -> None:
    await browser.join("multihand", "EUR")
    played = await deal_open_round(browser, "multihand", wire.Stake(1, "main", 700))
    euro = next(one for one in await fetch_balances(browser) if one.currency == "EUR")
    history = await browser.get("/api/history", wire.History)
    net = history.returned_minor.get("EUR", 0) - history.staked_minor.get("EUR", 0)
    assert euro.in_play_minor == played.view.staked_minor
    assert euro.balance_minor == GRANTS_MINOR["EUR"] + net - euro.in_play_minor
