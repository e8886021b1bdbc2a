"""The session of an idle player ends; live tables treat that as a lost connection."""

import time
from unittest.mock import Mock, patch

import pytest

from croupier.players import sessions
from croupier.protocol import wire
from tests.dealing.live.in_process import MAIN_BET, Guest, ManualServer, join_table
from tests.dealing.live.player import INFINITE, Player
from tests.support.in_process import served

pytestmark = pytest.mark.anyio

IDLE_MS = 30 * 60_000


async def end_idle_session(manual: ManualServer, guest: Guest) -> None:
    later_ms = time.time_ns() // 1_000_000 + IDLE_MS
    with patch.object(sessions, "clock", Mock(now_ms=lambda: later_ms)):
        await manual.server.sweep()
    assert guest.connection.close_code == 1000
    assert guest.session is not None
    await served(guest.session)


def euro_balance(manual: ManualServer, player: Player) -> wire.Balance:
    assert player.welcome is not None
    return manual.server.queries.balances(player.welcome.player, 0)[2]


async def test_open_bets_are_returned(manual: ManualServer) -> None:
    guest, player = await join_table(manual)
    assert await player.bet(MAIN_BET) == ""
    assert euro_balance(manual, player).in_play_minor == MAIN_BET[2]
    await end_idle_session(manual, guest)
    again = await guest.connect(wire.ResumedTable(INFINITE, 1))
    await again.until(lambda: INFINITE in again.mine)
    assert again.mine[INFINITE].stakes == ()
    assert euro_balance(manual, player).in_play_minor == 0


async def test_closed_bets_are_played_by_the_rules(manual: ManualServer) -> None:
    guest, player = await join_table(manual)
    assert await player.bet(MAIN_BET) == ""
    await manual.advance_to("decisions")
    await end_idle_session(manual, guest)
    await manual.advance_to("pause")
    assert (
        euro_balance(manual, player).in_play_minor,
        euro_balance(manual, player).session_staked_minor,
    ) == (0, MAIN_BET[2])
    again = await guest.connect(wire.ResumedTable(INFINITE, 0, "EUR"))
    await again.until(lambda: INFINITE in again.mine)
    assert again.mine[INFINITE].result is not None
