"""A6: guests who never played are deleted after some days, and their play money is returned."""

from collections.abc import AsyncIterator
from pathlib import Path
from unittest.mock import Mock

import pytest

from croupier.accounts.responsible_gaming import Measure
from croupier.app.serve import DATABASE
from croupier.clock import now_ms
from croupier.gateway import server
from croupier.gateway.server import Server
from croupier.ledger import entries
from croupier.ledger.sql.verify import verify
from croupier.play.contract.amounts import PLAY_MONEY
from croupier.players import guests
from croupier.players.guests import DAY_MS, GuestExpiry
from croupier.protocol import wire
from tests.dealing.live.in_process import new_guest, running_server
from tests.dealing.live.player import INFINITE

pytestmark = pytest.mark.anyio
DAYS = 7


@pytest.fixture
async def running(tmp_path: Path) -> AsyncIterator[Server]:
    """Start a server; audit its database at the end."""
    async with running_server(tmp_path) as found:
        yield found
    assert verify(tmp_path / DATABASE).bad is None


async def add_guest(of: Server) -> tuple[str, str]:
    """Add a guest; return the token and the player."""
    token = await of.sessions.add_guest()
    player = await of.sessions.signed_in(token)
    assert player is not None
    return token, player.id


async def sweep_after(of: Server, days: float, here: tuple[str, ...] = ()) -> int:
    """Sweep all players that many days later; return how many were deleted."""
    expiry = GuestExpiry(of.gateway, of.expiry._unused, DAYS)
    at_ms = now_ms() + int(days * DAY_MS)
    deleted = await expiry.sweep(here, at_ms)
    while expiry._after:
        deleted += await expiry.sweep(here, at_ms)
    return deleted


def cash(of: Server, owner: str) -> dict[str, int]:
    return {currency: sum(kinds.values()) for currency, kinds in of.ledger.balances(owner).items()}


async def test_a_guest_who_never_played_is_deleted_and_the_money_returned(running: Server) -> None:
    token, player = await add_guest(running)
    assert await sweep_after(running, DAYS - 0.1) == 0
    assert cash(running, player) == PLAY_MONEY
    assert await sweep_after(running, DAYS + 0.1) == 1
    assert await running.sessions.signed_in(token) is None
    assert set(cash(running, player).values()) == set(cash(running, "house").values()) == {0}
    kinds = [line.kind for line in running.ledger.statement(player)]
    assert sorted(kinds) == ["expiry"] * len(PLAY_MONEY) + ["grant"] * len(PLAY_MONEY)
    assert await sweep_after(running, DAYS + 0.1) == 0


async def test_a_guest_with_any_activity_stays(running: Server) -> None:
    bettor = await new_guest(running)
    player = await bettor.connect()
    await player.join(INFINITE)
    await player.until_phase("betting")
    assert await player.bet((0, "main", 100)) == ""
    await bettor.disconnect()
    _, limited = await add_guest(running)
    await running.restrictions.set_limit(limited, Measure("loss", "day", "EUR"), 100)
    _, richer = await add_guest(running)
    await running.gateway.post([entries.deposit("d", now_ms(), richer, "EUR", 1)])
    _, here = await add_guest(running)
    assert await sweep_after(running, 2 * DAYS, (here,)) == 0
    assert player.welcome is not None
    assert cash(running, player.welcome.player)["GC"] == PLAY_MONEY["GC"], "the bet was returned"
    assert [cash(running, player) for player in (limited, here)] == [PLAY_MONEY] * 2


async def test_a_guest_who_returns_during_the_sweep_stays(running: Server) -> None:
    """Unused guests are checked again when they are deleted."""
    token, player = await add_guest(running)
    at_ms = now_ms()
    deleted = running.expiry._unused.delete((player,), at_ms - DAY_MS, at_ms)
    assert await running.gateway.durable(deleted) == ()
    assert await running.sessions.signed_in(token) is not None
    assert cash(running, player) == PLAY_MONEY


async def test_a_guest_who_only_chose_settings_is_deleted(running: Server) -> None:
    guest = await new_guest(running)
    player = await guest.connect()
    player.send(wire.SaveSettings("s", wire.Settings()))
    await player.hello()
    await guest.disconnect()
    assert await sweep_after(running, DAYS + 1) == 1


async def test_a_sweep_checks_one_batch_and_later_sweeps_the_others(
    running: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests, "BATCH_SIZE", 10)
    for _ in range(25):
        await running.sessions.add_guest()
    expiry, at_ms = GuestExpiry(running.gateway, running.expiry._unused, DAYS), now_ms() + 8 * DAY_MS
    assert [await expiry.sweep((), at_ms) for _ in range(4)] == [10, 10, 5, 0]


async def test_zero_days_keep_guests_for_ever(running: Server) -> None:
    await running.sessions.add_guest()
    assert (
        await GuestExpiry(running.gateway, running.expiry._unused, 0).sweep((), now_ms() + 1_000 * DAY_MS)
        == 0
    )


async def test_the_server_sweeps_as_configured(running: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    token = await running.sessions.add_guest()
    later_ms = now_ms() + 8 * DAY_MS
    monkeypatch.setattr(server, "clock", Mock(now_ms=lambda: later_ms))
    await running.sweep()
    monkeypatch.undo()
    assert await running.sessions.signed_in(token) is None
