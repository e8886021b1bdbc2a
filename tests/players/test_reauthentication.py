"""An account that was inactive for the configured time has to sign in again; guests never do."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from croupier import clock
from croupier.accounts.devices import PlayerDevice
from croupier.accounts.identity import Identity, IdentityKind, NewGuest, Player
from croupier.accounts.repository import Arrival
from croupier.config import DEFAULT_CONFIG, AccountsConfig, InactivityConfig, ServerConfig
from croupier.gateway.server import Server
from croupier.ledger import entries
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.players.accounts import Caller
from croupier.protocol import wire
from croupier.refusal import Refused
from croupier.storage.sql.external_players import SqlExternalPlayers
from tests.dealing.waiting_round import (
    HOUR_MS,
    MINUTE_MS,
    assert_ledger_valid,
    clock_at,
    received,
    record_close_codes,
    sweep,
)
from tests.support.in_process import InProcessClient, server_dealing

pytestmark = pytest.mark.anyio

HELLO = wire.Hello(wire.PROTOCOL)
MINUTES = 30
LIMIT_MS = MINUTES * MINUTE_MS
PASSWORD = "correct horse"
NEVER_IDLE = InactivityConfig(idle_minutes=0)
IDLE = wire.No("", "signed_out", {"why": "idle"})


def config_of(minutes: int) -> ServerConfig:
    return DEFAULT_CONFIG._replace(accounts=AccountsConfig(minutes), inactivity=NEVER_IDLE)


@asynccontextmanager
async def connected_account(
    folder: Path, minutes: int = MINUTES
) -> AsyncIterator[tuple[Server, Player, InProcessClient]]:
    """Start a server with a connected player who has an account; audit the ledger at the end."""
    with server_dealing(folder, (), config_of(minutes)) as server:
        await server.start()
        token = await server.sessions.add_guest()
        guest = await server.sessions.signed_in(token)
        assert guest is not None
        begun = await server.accounts.create(Caller(token, "", ""), guest, "ada", PASSWORD)
        client = InProcessClient(server, begun.token)
        await client.request(HELLO, wire.Ping())
        yield server, guest, client
    assert_ledger_valid(folder)


async def devices(server: Server, player: Player) -> tuple[PlayerDevice, ...]:
    return await server.devices.list(player.id)


async def act(client: InProcessClient, at_ms: int) -> None:
    """Change a setting at this time."""
    with clock_at(at_ms):
        await client.request(wire.SaveSettings(f"save{at_ms}", wire.Settings()))


async def play_until(server: Server, client: InProcessClient, until_ms: int) -> int:
    """Let a connected player act for two hours, while the server runs its sweeps; return the end."""
    for at_ms in range(until_ms - 2 * HOUR_MS, until_ms + 1, 10 * MINUTE_MS):
        await act(client, at_ms)
        assert await sweep(server, at_ms) == []
    return until_ms


async def test_a_connected_player_who_does_nothing_is_signed_out(tmp_path: Path) -> None:
    async with connected_account(tmp_path) as (server, player, client):
        acted_ms = clock.now_ms()
        assert await sweep(server, acted_ms + LIMIT_MS - 100) == []
        assert await sweep(server, acted_ms + LIMIT_MS) == [1000]
        assert received(client)[-1] == IDLE
        assert await devices(server, player) == ()
        again = client.another_client(server)
        with record_close_codes():
            await again.request(HELLO)
        assert again.answer == wire.No("", "signed_out", {"why": "ended"})
        assert await server.sessions.signed_in(client.token) is None


async def test_commands_on_one_device_keep_all_devices_signed_in(tmp_path: Path) -> None:
    async with connected_account(tmp_path) as (server, player, client):
        other = await server.accounts.sign_in(Caller("", "", ""), "ada", PASSWORD)
        acted_ms = clock.now_ms()
        for nth in range(1, 5):
            await act(client, acted_ms + nth * (LIMIT_MS - MINUTE_MS))
            assert await sweep(server, acted_ms + nth * (LIMIT_MS - MINUTE_MS) + 100) == []
        assert len(await devices(server, player)) == 2
        assert other.player == player.id


async def test_a_player_who_went_away_has_to_sign_in_again_after_the_time(tmp_path: Path) -> None:
    async with connected_account(tmp_path) as (server, player, client):
        left_ms = await play_until(server, client, clock.now_ms() + 2 * HOUR_MS)
        with clock_at(left_ms):
            client.disconnect()
        await sweep(server, left_ms + LIMIT_MS - MINUTE_MS)
        assert len(await devices(server, player)) == 1
        await sweep(server, left_ms + LIMIT_MS + MINUTE_MS)
        assert await devices(server, player) == ()


async def test_a_player_who_ends_a_long_session_may_come_back_soon(tmp_path: Path) -> None:
    async with connected_account(tmp_path) as (server, player, client):
        ended_ms = await play_until(server, client, clock.now_ms() + 2 * HOUR_MS)
        with clock_at(ended_ms), record_close_codes():
            client.send(wire.EndSession("enough"))
            await client.wait_until_finished()
        await sweep(server, ended_ms + MINUTE_MS)
        assert len(await devices(server, player)) == 1


async def test_a_withdrawal_needs_a_recent_sign_in_on_the_same_device(tmp_path: Path) -> None:
    """GLI-19 2.5.6(a): a withdrawal asks who the player is. Activity doesn't answer it."""
    async with connected_account(tmp_path) as (server, guest, client):
        began_ms = clock.now_ms()
        player = guest._replace(identity=Identity("account", "ada"))
        check = server.reauthentication.check_recent
        with clock_at(began_ms + LIMIT_MS - MINUTE_MS):
            await check(player, client.token)
        await act(client, began_ms + LIMIT_MS)
        with clock_at(began_ms + LIMIT_MS):
            other = await server.accounts.sign_in(Caller("", "", ""), "ada", PASSWORD)
            with pytest.raises(Refused, match="sign_in_again: minutes 30"):
                await check(player, client.token)
            await check(player, other.token)
            await check(player._replace(identity=Identity("operator", "ada")), client.token)


async def test_without_the_setting_an_old_sign_in_is_enough(tmp_path: Path) -> None:
    async with connected_account(tmp_path, minutes=0) as (server, guest, client):
        player = guest._replace(identity=Identity("account", "ada"))
        with clock_at(clock.now_ms() + 20 * HOUR_MS):
            await server.reauthentication.check_recent(player, client.token)


async def test_a_guest_is_never_signed_out(tmp_path: Path) -> None:
    with server_dealing(tmp_path, (), config_of(MINUTES)) as server:
        guest = await InProcessClient.connect(server)
        assert await sweep(server, clock.now_ms() + 20 * HOUR_MS) == []
        guest.disconnect()
        await sweep(server, clock.now_ms() + 20 * HOUR_MS)
        assert await server.sessions.signed_in(guest.token) is not None


async def test_an_account_stays_signed_in_unless_configured_otherwise(tmp_path: Path) -> None:
    async with connected_account(tmp_path, minutes=0) as (server, player, _):
        assert await sweep(server, clock.now_ms() + 20 * HOUR_MS) == []
        assert len(await devices(server, player)) == 1


async def test_a_server_that_was_stopped_meanwhile_signs_out_at_its_start(tmp_path: Path) -> None:
    async with connected_account(tmp_path) as (server, player, client):
        client.disconnect()
        with clock_at(clock.now_ms() + HOUR_MS):
            await server.start()
        assert await devices(server, player) == ()


@pytest.mark.parametrize(("kind", "ends"), [("oidc", True), ("operator", False)])
async def test_players_whom_another_site_identifies_sign_in_again_if_they_can(
    tmp_path: Path, kind: IdentityKind, ends: bool
) -> None:
    """The identity server's button is on this site; a launch begins on another one."""
    async with connected_account(tmp_path) as (server, _, _):
        now = clock.now_ms()
        arrival = Arrival(Identity(kind, "ada"), entries.note("arrival", now, {}))
        assert isinstance(server.ledger, SqliteLedger)
        begun = SqlExternalPlayers(server.ledger).begin(
            arrival, NewGuest("p_ada", "Ada", "token"), "", (), now
        )
        await server.gateway.durable(begun)
        await sweep(server, now + LIMIT_MS + MINUTE_MS)
        assert (await server.sessions.signed_in("token") is None) == ends
