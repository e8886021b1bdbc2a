"""Coups at live tables: from the bet to the ledger and the history."""

from functools import partial
from pathlib import Path

import pytest

from croupier.games import published_tables
from croupier.play.coup.view import CoupView
from croupier.protocol import wire
from tests.runtime.live.dialled import ConnectedBrowser, dialled, live_house
from tests.runtime.live.player import Player
from tests.runtime.live.test_live_crowd import verified
from tests.support.browser_connection import Browser

pytestmark = pytest.mark.anyio

LIVE = [
    name
    for name, table in published_tables().items()
    if table.dealing == "live" and issubclass(table.game.view, CoupView)
]
COUPS = 4
WAITS = """
betting_ms = 700
warning_ms = 200
pace_ms = 0
spin_ms = 0
roll_ms = 0
ball_ms = 50
pause_ms = 100
"""
FLOOR = "\n".join(f"[{name}]{WAITS}" for name in LIVE)


async def played(player: Player, table: str, bets: list[tuple[int, str, int]]) -> None:
    """Play until a number of the player's coups are settled."""
    assert await player.join(table) == ""
    while len(player.results) < COUPS:
        await player.phase("betting", table=table)
        code = await player.bet(*bets, table=table)
        assert code in ("", "bets_closed", "round_ended"), code
        await player.until(partial(_another, player, table, player.states[table].clock.round))


def _another(player: Player, table: str, round_: str) -> bool:
    return player.states[table].clock.round != round_


async def told_again(browser: Browser, player: Player, table: str) -> None:
    """Compare the messages with the history, and with the table's view before the settlement."""
    me = (await browser.get("/api/me", wire.Me)).player
    for result in player.results.values():
        found = await browser.get(f"/api/rounds/{result.round}.{me}", wire.HistoryRound)
        view = found.steps[-1].view
        assert view.ended
        assert (view.staked_minor, view.returned_minor) == (result.staked_minor, result.returned_minor)
        assert {(bet.bet, bet.returned_minor) for bet in view.bets} == {
            (line.bet, line.returned_minor) for line in result.lines
        }
        assert [step.did for step in found.steps] == _said(player, table, result, len(found.steps))


def _said(player: Player, table: str, result: wire.PlayerResult, steps: int) -> list[wire.RoundEvent]:
    """Return the events of that coup as everyone got them."""
    events = [one for one in player.told if isinstance(one, wire.LiveUpdate) and one.table == table]
    came = [
        one
        for event in events
        if event.state.clock.round == result.round
        for one in event.did
        if one.what in ("card", "spun", "rolled")
    ]
    return came[:steps]


@pytest.mark.parametrize("table", LIVE)
async def test_coups_of_two_players_are_settled_and_shown_in_history(tmp_path: Path, table: str) -> None:
    found = published_tables()[table]
    one, other = found.game.bets(found.rules)[0].name, found.game.bets(found.rules)[-1].name
    house = live_house(tmp_path / "data", FLOOR).start()
    async with dialled(house.address) as ann, dialled(house.address) as bob:
        await played(ann.player, table, [(0, one, 101)])
        await played(bob.player, table, [(0, other, 103)])
        for line in (ann, bob):
            await told_again(line.browser, line.player, table)
            await _balance_is_right(line, table)
    assert house.stop() == 0
    assert "Traceback" not in house.log.read_text()
    assert "No errors" in verified(house)


async def _balance_is_right(line: ConnectedBrowser, table: str) -> None:
    results = line.player.results.values()
    net = sum(result.returned_minor - result.staked_minor for result in results)
    assert line.player.mine[table].balance_minor == 100_000 + net
