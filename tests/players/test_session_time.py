"""The session limit and reality checks count the time played: neither restarts on request."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from croupier.accounts.responsible_gaming import MINUTE_MS, SESSION
from croupier.app.serve import DATABASE
from croupier.gateway.server import Server
from croupier.protocol import wire
from tests.dealing.live.in_process import (
    MAIN_BET,
    SLOW,
    Guest,
    ManualServer,
    join_table,
    manual_server,
    running_server,
)
from tests.dealing.live.player import INFINITE, Player, req
from tests.dealing.live.test_player_limits import id_of

pytestmark = pytest.mark.anyio

SECOND_MS = 1_000


@pytest.fixture
async def manual(tmp_path: Path, speculate: None) -> AsyncIterator[ManualServer]:
    async with manual_server(tmp_path, SLOW) as manual:
        yield manual


async def limit(manual: ManualServer, player: Player, minutes: int) -> None:
    await manual.server.restrictions.set_limit(id_of(player), SESSION, minutes)


async def end_and_return(guest: Guest, player: Player) -> Player:
    """End the session, as the button does, and come back with the same cookie."""
    player.send(wire.EndSession(req()))
    await player.until(lambda: isinstance(player.messages[-1], wire.No))
    return await guest.connect()


async def test_ending_the_session_restarts_no_limit_of_session_time(manual: ManualServer) -> None:
    guest, player = await join_table(manual)
    await limit(manual, player, 1)
    manual.advance_clock(48 * SECOND_MS)
    again = await end_and_return(guest, player)
    assert await again.join(INFINITE) == ""
    manual.advance_clock(11 * SECOND_MS)
    assert await again.bet(MAIN_BET) == ""
    await manual.server.sweep()
    assert guest.connection.close_code == 0
    manual.advance_clock(1 * SECOND_MS)
    assert await again.bet((0, "main", 2_000)) == "barred", "also before the next sweep"
    await manual.server.sweep()
    assert guest.connection.close_code == 1000
    back = await guest.connect()
    assert await back.join(INFINITE) == "barred"


async def test_an_absence_is_no_play_and_a_break_restarts_the_limit(manual: ManualServer) -> None:
    guest, player = await join_table(manual)
    await limit(manual, player, 60)
    manual.advance_clock(50 * MINUTE_MS)
    await guest.disconnect()
    manual.advance_clock(29 * MINUTE_MS)
    player = await guest.connect()
    assert await manual.server.sessions.played_ms(id_of(player)) // MINUTE_MS == 50
    manual.advance_clock(9 * MINUTE_MS)
    await guest.disconnect()
    assert await manual.server.sessions.played_ms(id_of(player)) // MINUTE_MS == 59
    manual.advance_clock(30 * MINUTE_MS)
    assert await manual.server.sessions.played_ms(id_of(player)) == 0
    player = await guest.connect()
    manual.advance_clock(59 * MINUTE_MS)
    await manual.server.restrictions.end_long_sessions()
    assert guest.connection.close_code == 0


async def test_the_break_that_a_session_limit_imposes_restarts_it(manual: ManualServer) -> None:
    guest, player = await join_table(manual)
    await limit(manual, player, 60)
    manual.advance_clock(60 * MINUTE_MS)
    await manual.server.restrictions.end_long_sessions()
    assert guest.connection.close_code == 1000
    manual.advance_clock(30 * MINUTE_MS)
    again = await guest.connect()
    assert await again.join(INFINITE) == ""
    await manual.server.restrictions.end_long_sessions()
    assert guest.connection.close_code == 0


async def test_reality_checks_restart_neither(manual: ManualServer) -> None:
    guest, player = await join_table(manual)
    settings = wire.Settings(reminder_minutes=30, currency="EUR")
    assert await player.ask(wire.SaveSettings(req(), settings)) == ""
    manual.advance_clock(29 * MINUTE_MS)
    again = await end_and_return(guest, player)
    assert await again.join(INFINITE) == ""
    assert again.welcome is not None
    assert again.welcome.reminded_ms < again.welcome.session_started_ms
    manual.advance_clock(1 * MINUTE_MS)
    assert await again.bet(MAIN_BET) == "reminder_due"
    assert await again.ask(wire.AnswerReminder(req())) == ""
    assert await again.bet(MAIN_BET) == "bets_closed", "by the clock, which the table follows"


async def test_time_played_survives_a_restart(tmp_path: Path, speculate: None) -> None:
    async with manual_server(tmp_path, SLOW) as manual:
        guest, player = await join_table(manual)
        await limit(manual, player, 60)
        manual.advance_clock(50 * MINUTE_MS)
        await guest.disconnect()
        assert (tmp_path / DATABASE).exists()
    async with running_server(tmp_path, SLOW) as server:
        assert await played_minutes(server, id_of(player)) == 50


async def test_a_kill_loses_at_most_a_minute_of_a_limited_player(manual: ManualServer) -> None:
    """A kill loses the time since it was last stored, which happens each minute."""
    _, player = await join_table(manual)
    await limit(manual, player, 60)
    for _ in range(50):
        manual.advance_clock(1 * MINUTE_MS)
        await manual.server.sessions.mark_seen()
    manual.advance_clock(59 * SECOND_MS)
    stored = manual.server.sessions._accounts.play_time(id_of(player)).result()
    ((began_ms, ended_ms),) = stored
    assert (ended_ms - began_ms) // MINUTE_MS == 50


async def played_minutes(server: Server, player: str) -> int:
    """Return the time played as a server knows it that isn't connected with the player."""
    stretches = server.sessions._accounts.play_time(player).result()
    return sum(stretch.ended_ms - stretch.began_ms for stretch in stretches) // MINUTE_MS
