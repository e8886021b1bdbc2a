"""Draining: a stop signal lets live tables finish their rounds, so nothing is void."""

import asyncio
import time
from pathlib import Path

import httpx
import pytest

from croupier.app.serve import DATABASE, SHOES_KEY
from croupier.audit.data_folder import audit
from croupier.games import published_tables
from croupier.ledger.protocol import RoundRecord
from croupier.ledger.sqlite.store import SqliteReader
from croupier.protocol import wire
from tests.support.browser_connection import Browser, connect_guest, deal_open_round, new_req
from tests.support.server_process import ServerProcess

TABLE, OWN_TABLE = "live_roulette", "double_exposure"
TABLES = [table.id for table in published_tables().values() if table.dealing == "live"]
OTHERS_CLOSED = "".join(f"[{table}]\nopened = false\n" for table in TABLES if table != TABLE)
PACE = """
[live_roulette]
betting_ms = 1500
warning_ms = 300
spin_ms = 300
ball_ms = 300
pause_ms = 300
"""
BET_WITHIN_S = 20.0


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "croupier.toml"
    file.write_text(OTHERS_CLOSED + PACE)
    return file


def server_at(folder: Path, config: Path, drain_s: int) -> ServerProcess:
    options = ("--config", str(config), "--admin-port", "0", "--drain-seconds", str(drain_s))
    return ServerProcess(folder / "data", options=options).start()


async def place_bet(player: Browser) -> None:
    """Bet as soon as the table takes bets."""
    until = time.monotonic() + BET_WITHIN_S
    while time.monotonic() < until:
        messages = [*(await player.join(TABLE, "EUR")).messages, *await player.drain()]
        (clock,) = {message.state.clock for message in messages if isinstance(message, wire.LiveSnapshot)}
        bet = wire.PlaceBet(new_req(), TABLE, clock.round, (wire.Stake(0, "red", 100),))
        if isinstance((await player.ask(bet)).reply, wire.Ok):
            return
        await asyncio.sleep(0.1)
    raise AssertionError("the table took no bet")


def rounds(server: ServerProcess, player: str) -> list[RoundRecord]:
    """Return the player's ended rounds at the live table; their own round must be open."""
    reader = SqliteReader(server.data / DATABASE)
    try:
        found = [reader.round(summary.id) for summary in reader.rounds(player)]
    finally:
        reader.close()
    assert [record.status for record in found if record and record.table == OWN_TABLE][:1] == ["open"]
    return [record for record in found if record and record.table == TABLE]


async def bet_and_stop(server: ServerProcess) -> tuple[str, int]:
    """Stop the server with a bet at the live table and an open round at an own table.

    Return the player, and the readiness meanwhile.
    """
    async with connect_guest(server.address) as player:
        me = await player.guest()
        await player.join(OWN_TABLE)
        await deal_open_round(player, OWN_TABLE, wire.Stake(0, "main", 1000))
        await place_bet(player)
        stopping = asyncio.create_task(asyncio.to_thread(server.stop))
        await asyncio.sleep(0.2)
        async with httpx.AsyncClient() as supervisor:
            try:
                ready = (await supervisor.get(server.admin + "readyz")).status_code
            except httpx.HTTPError:
                ready = 0
        assert await stopping == 0
    return me.player, ready


@pytest.mark.parametrize(("drain_s", "status"), [(30, "settled"), (0, "void")])
def test_a_drained_round_is_settled(tmp_path: Path, config: Path, drain_s: int, status: str) -> None:
    server = server_at(tmp_path, config, drain_s)
    player, ready = asyncio.run(bet_and_stop(server))
    assert [record.status for record in rounds(server, player)] == [status]
    if drain_s:
        assert ready == 503
    assert audit(server.data / DATABASE, server.data / SHOES_KEY, lambda *_: None).bad is None


def test_draining_ends_in_time(tmp_path: Path, config: Path) -> None:
    """A round that takes longer than --drain-seconds is void."""
    config.write_text(OTHERS_CLOSED + PACE.replace("betting_ms = 1500", "betting_ms = 60000"))
    server = server_at(tmp_path, config, 1)
    began = time.monotonic()
    player, _ = asyncio.run(bet_and_stop(server))
    assert time.monotonic() - began < BET_WITHIN_S
    assert [record.status for record in rounds(server, player)] == ["void"]
