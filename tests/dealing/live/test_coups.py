"""Coups at live tables, from the bet to the ledger and History."""

import asyncio
from functools import partial
from pathlib import Path

import pytest

from croupier.games import published_tables
from croupier.play.coup.view import CoupView
from croupier.protocol import wire
from tests.dealing.live.player import Player
from tests.dealing.live.socket_client import PlayerClient, configured_server, connected_guest, verify
from tests.support.browser_connection import Browser
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

COUP_TABLES = [
    name
    for name, table in published_tables().items()
    if table.dealing == "live" and issubclass(table.game.view, CoupView)
]
COUPS = 4
TIMERS = """
betting_ms = 700
warning_ms = 200
pace_ms = 0
spin_ms = 0
roll_ms = 0
ball_ms = 50
pause_ms = 100
"""
CONFIG = "\n".join(f"[{name}]{TIMERS}" for name in COUP_TABLES)


async def play_coups(player: Player, table: str, bets: list[tuple[int, str, int]]) -> None:
    """Play until a number of the player's coups are settled."""
    assert await player.join(table) == ""
    while len(player.results) < COUPS:
        await player.until_phase("betting", table=table)
        code = await player.bet(*bets, table=table)
        assert code in ("", "bets_closed", "round_ended"), code
        await player.until(partial(_round_changed, player, table, player.states[table].clock.round))


def _round_changed(player: Player, table: str, round_: str) -> bool:
    return player.states[table].clock.round != round_


async def assert_history_matches(browser: Browser, player: Player, table: str) -> None:
    """Compare the results and events that the player received with the recorded rounds."""
    me = (await browser.get("/api/me", wire.Me)).player
    for result in player.results.values():
        recorded = await browser.get(f"/api/rounds/{result.round}.{me}", wire.HistoryRound)
        view = recorded.steps[-1].view
        assert view.ended
        assert (view.staked_minor, view.returned_minor) == (result.staked_minor, result.returned_minor)
        assert {(bet.bet, bet.returned_minor) for bet in view.bets} == {
            (line.bet, line.returned_minor) for line in result.lines
        }
        assert [step.did for step in recorded.steps] == _received_events(
            player, table, result, len(recorded.steps)
        )


def _received_events(
    player: Player, table: str, result: wire.PlayerResult, steps: int
) -> list[wire.RoundEvent]:
    """Return the events of that coup as all players received them."""
    messages = player.messages
    updates = [one for one in messages if isinstance(one, wire.LiveUpdate) and one.table == table]
    return [
        event
        for update in updates
        if update.state.clock.round == result.round
        for event in update.did
        if event.what in ("card", "spun", "rolled")
    ]


async def test_coups_of_two_players_are_settled_and_shown_in_history(tmp_path: Path) -> None:
    server = configured_server(tmp_path / "data", CONFIG).start()
    async with asyncio.TaskGroup() as group:
        for table in COUP_TABLES:
            group.create_task(check_coups(server, table), name=table)
    assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()
    assert "No errors" in verify(server)


async def check_coups(server: ServerProcess, table: str) -> None:
    published = published_tables()[table]
    first, *_, last = [bet.name for bet in published.game.bets(published.rules)]
    async with connected_guest(server.address) as ann, connected_guest(server.address) as bob:
        await play_coups(ann.player, table, [(0, first, 101)])
        await play_coups(bob.player, table, [(0, last, 103)])
        for client in (ann, bob):
            await assert_history_matches(client.browser, client.player, table)
            _assert_balance(client, table)


def _assert_balance(client: PlayerClient, table: str) -> None:
    results = client.player.results.values()
    net = sum(result.returned_minor - result.staked_minor for result in results)
    assert client.player.mine[table].balance_minor == 100_000 + net
