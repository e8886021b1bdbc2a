"""Requests at a live table: none is executed twice, however late it is sent again."""

import pytest

from croupier.protocol import wire
from tests.dealing.live.in_process import ManualServer, new_guest
from tests.dealing.live.player import INFINITE, Player

pytestmark = pytest.mark.anyio

OTHERS = 300
"""More requests than the register keeps for closed rounds."""


async def join_while_betting(manual: ManualServer) -> Player:
    player = await (await new_guest(manual.server)).connect()
    assert await player.join(INFINITE) == ""
    await manual.advance_to("betting")
    await player.until_phase("betting")
    return player


@pytest.mark.parametrize("others", [40, OTHERS])
async def test_an_old_bet_sent_again_is_not_executed_again(manual: ManualServer, others: int) -> None:
    """A register that keeps too few requests would let the old bet replace the new one."""
    player = await join_while_betting(manual)
    old = player.bet_command((0, "main", 500))
    assert await player.ask(old) == ""
    for number in range(others):
        assert await player.bet((0, "main", 600 + number)) == ""
    before = player.mine[INFINITE]
    assert await player.ask(old) == ""
    assert player.mine[INFINITE] == before


async def test_an_id_is_unique_across_tables_and_connections(manual: ManualServer) -> None:
    """Any later command with the same id is refused, whatever its type."""
    guest = await new_guest(manual.server)
    player = await guest.connect()
    assert await player.join(INFINITE) == ""
    assert await player.join("classic", "GC") == ""
    await manual.advance_to("betting")
    await player.until_phase("betting")
    bet = player.bet_command((0, "main", 500))
    assert await player.ask(bet) == ""
    other = await guest.connect()
    for connection in (player, other):
        for command in (
            wire.PlaceBet(bet.req, INFINITE, bet.round, (wire.Stake(0, "main", 600),)),
            wire.Undo(bet.req, INFINITE, bet.round),
            wire.PostChat(bet.req, INFINITE, "hello"),
            wire.Leave(bet.req, "classic"),
            wire.Join(bet.req, "premium", "GC"),
            wire.SaveSettings(bet.req, wire.Settings(sound=False)),
        ):
            if connection is player or not isinstance(command, wire.PlaceBet | wire.Undo | wire.PostChat):
                assert await connection.ask(command) == "key_reused", command
    assert (
        await player.ask(wire.DealRound(bet.req, "classic", (wire.Stake(0, "main", 1000),))) == "key_reused"
    )
    assert player.mine[INFINITE].held_minor == 500


async def test_a_bet_sent_again_on_a_new_connection_is_not_executed_again(manual: ManualServer) -> None:
    """The lost connection withdrew the bet after it was answered."""
    guest = await new_guest(manual.server)
    player = await guest.connect()
    assert await player.join(INFINITE) == ""
    await manual.advance_to("betting")
    await player.until_phase("betting")
    bet = player.bet_command((0, "main", 500))
    assert await player.ask(bet) == ""
    await guest.disconnect()
    again = await guest.connect(wire.ResumedTable(INFINITE))
    await again.until(lambda: INFINITE in again.mine)
    before = again.mine[INFINITE]
    assert await again.ask(bet) == ""
    assert again.mine[INFINITE] == before
