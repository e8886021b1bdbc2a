"""A client that reads too slowly is disconnected and can resume; the others are not delayed."""

import pytest

from croupier.protocol import wire
from croupier.protocol.connection import CLOSE_TRY_LATER, SEND_BUFFER_MAX
from tests.dealing.live.in_process import MAIN_BET, START_MINOR, ManualServer, join_table
from tests.dealing.live.player import INFINITE

pytestmark = pytest.mark.anyio


async def test_a_slow_reader_is_disconnected_and_resumes(manual: ManualServer) -> None:
    slow, player = await join_table(manual)
    _, other = await join_table(manual)
    assert await player.bet(MAIN_BET) == ""
    await manual.advance_to("decisions")
    connection, received = slow.connection, len(player.messages)
    connection.tap.buffered_bytes = SEND_BUFFER_MAX + 1
    await manual.advance_to("pause")
    await other.until_phase("pause")
    assert connection.close_code == CLOSE_TRY_LATER
    assert len(player.messages) == received, "no further message is buffered"
    await slow.disconnect()
    again = await slow.connect(wire.ResumedTable(INFINITE, 1))
    await again.until(lambda: INFINITE in again.mine)
    result = again.mine[INFINITE].result
    assert result is not None
    assert again.mine[INFINITE].balance_minor == START_MINOR - 1_000 + result.returned_minor
    assert again.states[INFINITE] == other.states[INFINITE]
