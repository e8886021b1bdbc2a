"""An idle player's session ends; at live tables it counts as a lost connection."""

import time
from unittest.mock import Mock, patch

import pytest

from croupier.protocol import wire
from croupier.runtime.players import sessions
from tests.runtime.live.in_process import Guest, ManualServer
from tests.runtime.live.player import INFINITE, Player
from tests.runtime.live.test_live_round import MAIN, arrived

pytestmark = pytest.mark.anyio

IDLE_MS = 30 * 60_000


async def sent_away(hands: ManualServer, guest: Guest) -> None:
    later_ms = time.time_ns() // 1_000_000 + IDLE_MS
    with patch.object(sessions, "clock", Mock(now_ms=lambda: later_ms)):
        await hands.house.sweep()
    assert guest.line.closed_with == 1000
    assert guest.visitor is not None
    await guest.visitor._task


def euro(hands: ManualServer, player: Player) -> wire.Balance:
    assert player.welcome is not None
    return hands.house.queries.balances(player.welcome.player, 0)[2]


async def test_open_bets_are_given_back(hands: ManualServer) -> None:
    guest, player = await arrived(hands)
    assert await player.bet(MAIN) == ""
    assert euro(hands, player).in_play_minor == MAIN[2]
    await sent_away(hands, guest)
    again = await guest.dial(wire.ResumedTable(INFINITE, 1))
    await again.until(lambda: INFINITE in again.mine)
    assert again.mine[INFINITE].stakes == ()
    assert euro(hands, player).in_play_minor == 0


async def test_closed_bets_are_played_by_the_rules(hands: ManualServer) -> None:
    guest, player = await arrived(hands)
    assert await player.bet(MAIN) == ""
    await hands.until("decisions")
    await sent_away(hands, guest)
    await hands.until("pause")
    assert (euro(hands, player).in_play_minor, euro(hands, player).session_staked_minor) == (0, MAIN[2])
    again = await guest.dial(wire.ResumedTable(INFINITE, 0, "EUR"))
    await again.until(lambda: INFINITE in again.mine)
    assert again.mine[INFINITE].result is not None
