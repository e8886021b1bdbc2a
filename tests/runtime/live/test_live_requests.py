"""Requests at a live table: none is carried out twice, however late it is sent again."""

import pytest

from croupier.protocol import wire
from tests.runtime.live.in_process import ManualServer, guest_of
from tests.runtime.live.player import INFINITE, Player

pytestmark = pytest.mark.anyio

OTHERS = 300
"""More requests than are remembered of closed rounds."""


async def seated(hands: ManualServer) -> Player:
    player = await (await guest_of(hands.house)).dial()
    assert await player.join(INFINITE) == ""
    await hands.until("betting")
    await player.phase("betting")
    return player


@pytest.mark.parametrize("others", [40, OTHERS])
async def test_an_old_bet_sent_again_is_not_carried_out_again(hands: ManualServer, others: int) -> None:
    """Only 32 requests were remembered once, and the bet was reverted."""
    player = await seated(hands)
    old = player.a_bet((0, "main", 500))
    assert await player.ask(old) == ""
    for number in range(others):
        assert await player.bet((0, "main", 600 + number)) == ""
    before = player.mine[INFINITE]
    assert await player.ask(old) == ""
    assert player.mine[INFINITE] == before


async def test_an_id_belongs_to_one_command_at_all_tables_and_connections(hands: ManualServer) -> None:
    """The first command with an id has it, be it a bet, a deal or a line of chat."""
    guest = await guest_of(hands.house)
    player = await guest.dial()
    assert await player.join(INFINITE) == ""
    assert await player.join("classic", "GC") == ""
    await hands.until("betting")
    await player.phase("betting")
    bet = player.a_bet((0, "main", 500))
    assert await player.ask(bet) == ""
    other = await guest.dial()
    for line in (player, other):
        for command in (
            wire.PlaceBet(bet.req, INFINITE, bet.round, (wire.Stake(0, "main", 600),)),
            wire.Undo(bet.req, INFINITE, bet.round),
            wire.PostChat(bet.req, INFINITE, "hello"),
            wire.Leave(bet.req, "classic"),
            wire.Join(bet.req, "premium", "GC"),
            wire.SaveSettings(bet.req, wire.Settings(sound=False)),
        ):
            if line is player or not isinstance(command, wire.PlaceBet | wire.Undo | wire.PostChat):
                assert await line.ask(command) == "key_reused", command
    assert (
        await player.ask(wire.DealRound(bet.req, "classic", (wire.Stake(0, "main", 1000),))) == "key_reused"
    )
    assert player.mine[INFINITE].held_minor == 500


async def test_a_bet_sent_again_on_a_new_connection_is_not_carried_out_again(hands: ManualServer) -> None:
    """The lost connection withdrew the bet; the bet itself had been answered."""
    guest = await guest_of(hands.house)
    player = await guest.dial()
    assert await player.join(INFINITE) == ""
    await hands.until("betting")
    await player.phase("betting")
    bet = player.a_bet((0, "main", 500))
    assert await player.ask(bet) == ""
    await guest.hang_up()
    again = await guest.dial(wire.ResumedTable(INFINITE))
    await again.until(lambda: INFINITE in again.mine)
    before = again.mine[INFINITE]
    assert await again.ask(bet) == ""
    assert again.mine[INFINITE] == before
