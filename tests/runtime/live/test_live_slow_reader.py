"""A slow reader is disconnected and resumes; the others get everything meanwhile."""

import pytest

from croupier.protocol import wire
from croupier.protocol.connection import CLOSE_TRY_LATER, SEND_BUFFER_MAX
from tests.runtime.live.in_process import ManualServer
from tests.runtime.live.player import INFINITE
from tests.runtime.live.test_live_round import MAIN, START_MINOR, arrived

pytestmark = pytest.mark.anyio


async def test_a_slow_reader_is_disconnected_and_resumes(hands: ManualServer) -> None:
    slow, player = await arrived(hands)
    _, other = await arrived(hands)
    assert await player.bet(MAIN) == ""
    await hands.until("decisions")
    line, heard = slow.line, len(player.told)
    line.tap.owes = SEND_BUFFER_MAX + 1
    await hands.until("pause")
    await other.phase("pause")
    assert line.closed_with == CLOSE_TRY_LATER
    assert len(player.told) == heard, "nothing more is kept for the slow reader"
    await slow.hang_up()
    back = await slow.dial(wire.ResumedTable(INFINITE, 1))
    await back.until(lambda: INFINITE in back.mine)
    result = back.mine[INFINITE].result
    assert result is not None
    assert back.mine[INFINITE].balance_minor == START_MINOR - 1_000 + result.returned_minor
    assert back.states[INFINITE] == other.states[INFINITE]
