"""A6: guests who never played are deleted after some days, and their play money goes back to the house."""

from collections.abc import AsyncIterator
from pathlib import Path
from unittest.mock import Mock

import pytest

from croupier.accounts.responsible_gaming import Measure
from croupier.app.serve import BOOKS
from croupier.clock import now_ms
from croupier.ledger import entries
from croupier.ledger.sqlite.verify import verify
from croupier.play.contract.amounts import PLAY_MONEY
from croupier.protocol import wire
from croupier.runtime import server
from croupier.runtime.players import guests
from croupier.runtime.players.guests import DAY_MS, GuestExpiry
from croupier.runtime.server import Server
from tests.runtime.live.in_process import guest_of, server_in
from tests.runtime.live.player import INFINITE

pytestmark = pytest.mark.anyio
DAYS = 7


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Server]:
    """Its books are right in the end."""
    async with server_in(tmp_path) as found:
        yield found
    assert verify(tmp_path / BOOKS).bad is None


async def guest(of: Server) -> tuple[str, str]:
    """The token and the player of a new one."""
    token = await of.sessions.add_guest()
    player = await of.sessions.signed_in(token)
    assert player is not None
    return token, player.id


async def later(of: Server, days: float, here: tuple[str, ...] = ()) -> int:
    """How many are deleted by sweeps that come so many days later and look at everybody."""
    expiry = GuestExpiry(of.gateway, of.expiry._unused, DAYS)
    at_ms = now_ms() + int(days * DAY_MS)
    deleted = await expiry.sweep(here, at_ms)
    while expiry._after:
        deleted += await expiry.sweep(here, at_ms)
    return deleted


def cash(of: Server, owner: str) -> dict[str, int]:
    return {currency: sum(kinds.values()) for currency, kinds in of.ledger.balances(owner).items()}


async def test_who_never_played_is_deleted_and_the_money_goes_back(opened: Server) -> None:
    token, player = await guest(opened)
    assert await later(opened, DAYS - 0.1) == 0
    assert cash(opened, player) == PLAY_MONEY
    assert await later(opened, DAYS + 0.1) == 1
    assert await opened.sessions.signed_in(token) is None
    assert set(cash(opened, player).values()) == set(cash(opened, "house").values()) == {0}
    kinds = [line.kind for line in opened.ledger.statement(player)]
    assert sorted(kinds) == ["expiry"] * len(PLAY_MONEY) + ["grant"] * len(PLAY_MONEY)
    assert await later(opened, DAYS + 0.1) == 0


async def test_whoever_did_anything_stays(opened: Server) -> None:
    bettor = await guest_of(opened)
    player = await bettor.dial()
    await player.join(INFINITE)
    await player.phase("betting")
    assert await player.bet((0, "main", 100)) == ""
    await bettor.hang_up()
    _, limited = await guest(opened)
    await opened.restrictions.set_limit(limited, Measure("loss", "day", "EUR"), 100)
    _, richer = await guest(opened)
    await opened.gateway.post([entries.deposit("d", now_ms(), richer, "EUR", 1)])
    _, here = await guest(opened)
    assert await later(opened, 2 * DAYS, (here,)) == 0
    assert player.welcome is not None
    assert cash(opened, player.welcome.player)["GC"] == PLAY_MONEY["GC"], "the bettor too"
    assert [cash(opened, player) for player in (limited, here)] == [PLAY_MONEY] * 2


async def test_who_comes_back_in_this_moment_stays(opened: Server) -> None:
    """Who was found unused is looked at once more where they are deleted."""
    token, player = await guest(opened)
    at_ms = now_ms()
    deleted = opened.expiry._unused.delete((player,), at_ms - DAY_MS, at_ms)
    assert await opened.gateway.durable(deleted) == ()
    assert await opened.sessions.signed_in(token) is not None
    assert cash(opened, player) == PLAY_MONEY


async def test_who_only_chose_settings_never_played(opened: Server) -> None:
    visitor = await guest_of(opened)
    player = await visitor.dial()
    player.send(wire.SaveSettings("s", wire.Settings()))
    await player.hello()
    await visitor.hang_up()
    assert await later(opened, DAYS + 1) == 1


async def test_a_sweep_looks_at_a_portion_and_sweeps_at_everybody(
    opened: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests, "PORTION", 10)
    for _ in range(25):
        await opened.sessions.add_guest()
    expiry, at_ms = GuestExpiry(opened.gateway, opened.expiry._unused, DAYS), now_ms() + 8 * DAY_MS
    assert [await expiry.sweep((), at_ms) for _ in range(4)] == [10, 10, 5, 0]


async def test_zero_days_are_for_ever(opened: Server) -> None:
    await opened.sessions.add_guest()
    assert (
        await GuestExpiry(opened.gateway, opened.expiry._unused, 0).sweep((), now_ms() + 1_000 * DAY_MS) == 0
    )


async def test_a_house_sweeps_by_its_floor_file(opened: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    token = await opened.sessions.add_guest()
    later_ms = now_ms() + 8 * DAY_MS
    monkeypatch.setattr(server, "clock", Mock(now_ms=lambda: later_ms))
    await opened.sweep()
    monkeypatch.undo()
    assert await opened.sessions.signed_in(token) is None
