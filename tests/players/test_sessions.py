"""A session ends when its player ends it or is idle for too long; an open round waits."""

from pathlib import Path

import pytest

from croupier import clock
from croupier.config import InactivityConfig
from croupier.protocol import wire
from croupier.protocol.connection import CLOSE_TRY_LATER
from tests.dealing.waiting_round import (
    HOUR_MS,
    MINUTE_MS,
    TABLE,
    clock_at,
    received,
    record_close_codes,
    sweep,
    waiting_round,
)
from tests.support.in_process import InProcessClient

pytestmark = pytest.mark.anyio

HELLO = wire.Hello(wire.PROTOCOL)


def welcomes(player: InProcessClient) -> list[wire.Welcome]:
    return [message for message in received(player) if isinstance(message, wire.Welcome)]


async def test_a_player_ends_the_session_on_all_devices_and_the_round_waits(tmp_path: Path) -> None:
    """*Leave* in a reality check does this."""
    async with waiting_round(tmp_path) as (server, player, played):
        started_ms = welcomes(player)[-1].session_started_ms
        other = player.another_client(server)
        await other.request(HELLO, wire.Ping())
        with record_close_codes() as codes:
            player.send(wire.EndSession("enough"))
            await player.wait_until_finished()
        assert codes == [1000, 1000]
        for device in (player, other):
            assert received(device)[-1] == wire.No("", "session_ended", {"minutes": 0})
        again = player.another_client(server)
        await again.request(wire.Hello(wire.PROTOCOL, (wire.ResumedTable(TABLE),)), wire.Ping())
        assert again.round_id == played.id
        welcome = welcomes(again)[0]
        assert welcome.session_started_ms > started_ms
        assert welcome.played_from_ms == 0


async def test_an_idle_session_ends_and_the_round_waits(tmp_path: Path) -> None:
    async with waiting_round(tmp_path) as (server, player, played):
        started_ms = welcomes(player)[-1].session_started_ms
        acted_ms = clock.now_ms()
        assert await sweep(server, acted_ms + 30 * MINUTE_MS - 100) == []
        assert await sweep(server, acted_ms + 30 * MINUTE_MS) == [1000]
        assert received(player)[-1] == wire.No("", "session_ended", {"minutes": 30})
        frames = len(player.connection.frames)
        player.send(wire.Ping(), wire.Decide("late", TABLE, played.id, played.turn, 0, 0, "stand"))
        await player.wait_until_finished()
        assert len(player.connection.frames) == frames

        with clock_at(acted_ms + 31 * MINUTE_MS):
            again = player.another_client(server)
            await again.request(wire.Hello(wire.PROTOCOL, (wire.ResumedTable(TABLE),)), wire.Ping())
        welcome = received(again)[0]
        assert isinstance(welcome, wire.Welcome)
        assert welcome.session_started_ms == acted_ms + 31 * MINUTE_MS > started_ms
        assert welcome.open_tables == (TABLE,)
        assert again.state.round == played
        player.disconnect()  # the end of the first connection changes nothing
        assert server.balances.cash(welcome.player, "GC") == welcome.balances[0].balance_minor
        await again.request(wire.Decide("stand", TABLE, played.id, played.turn, 0, 0, "stand"))
        assert again.answer == wire.Ok("stand")


async def test_messages_that_a_page_sends_by_itself_are_not_activity(tmp_path: Path) -> None:
    async with waiting_round(tmp_path) as (server, player, _):
        acted_ms = clock.now_ms()
        with clock_at(acted_ms + 29 * MINUTE_MS):
            await player.request(wire.Ping())
            await player.request(HELLO, wire.Ping())
        assert await sweep(server, acted_ms + 30 * MINUTE_MS) == [1000]


async def test_activity_in_any_browser_keeps_all_of_the_players_connections(tmp_path: Path) -> None:
    async with waiting_round(tmp_path) as (server, player, _):
        second = player.another_client(server)
        await second.request(HELLO, wire.Ping())
        acted_ms = clock.now_ms()
        with clock_at(acted_ms + 29 * MINUTE_MS):
            await second.request(wire.SaveSettings("save", wire.Settings(sound=False)))
        assert await sweep(server, acted_ms + 58 * MINUTE_MS) == []
        with clock_at(acted_ms + 58 * MINUTE_MS):
            await server.sessions.signed_in(player.token)  # as an HTTP request for History does
        assert await sweep(server, acted_ms + 87 * MINUTE_MS) == []
        assert await sweep(server, acted_ms + 88 * MINUTE_MS) == [1000, 1000]


async def test_idle_sessions_can_be_kept_by_configuration(tmp_path: Path) -> None:
    async with waiting_round(tmp_path, InactivityConfig(idle_minutes=0)) as (server, player, _):
        assert await sweep(server, clock.now_ms() + 20 * HOUR_MS) == []
        await player.request(wire.Leave("leave", TABLE))
        assert player.answer == wire.Ok("leave")


async def test_a_hello_that_fails_closes_the_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_: object) -> None:
        raise ConnectionError("the database is away")

    async with waiting_round(tmp_path) as (server, player, _):
        monkeypatch.setattr(type(server.sessions), "arrive", fail)
        other = player.another_client(server)
        with record_close_codes() as codes:
            other.send(HELLO)
            await other.wait_until_finished()
    assert codes == [CLOSE_TRY_LATER]
    assert "the database is away" in caplog.text
