"""A bet that violates the table's restrictions is refused with a reason, and the previous bet stands."""

from pathlib import Path

import pytest

from croupier.protocol import wire
from tests.dealing.live.in_process import manual_server, new_guest
from tests.dealing.live.player import req

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("speculate")]
TABLE = "live_baccarat"
PLAYER, BANKER, TIE = (0, "player", 1_000), (0, "banker", 1_000), (0, "tie", 200)


async def test_exclusive_bets_are_refused_in_one_message_and_in_several(tmp_path: Path) -> None:
    async with manual_server(tmp_path, f"[{TABLE}]\npace_ms = 0\nbetting_ms = 600000\n") as manual:
        player = await (await new_guest(manual.server)).connect()
        await player.join(TABLE)
        await manual.advance_to("betting", table=TABLE)
        await player.until_phase("betting", table=TABLE)
        answer = await player.submit(player.bet_command(PLAYER, BANKER, table=TABLE))
        assert isinstance(answer, wire.No)
        assert (answer.code, answer.args) == (
            "never_together",
            {"rule": "never_together", "bets": "Player and Banker"},
        )
        assert not player.mine[TABLE].stakes
        assert await player.bet(PLAYER, TIE, table=TABLE) == ""
        assert await player.bet(PLAYER, TIE, BANKER, table=TABLE) == "never_together"
        assert await player.bet(BANKER, TIE, table=TABLE) == "", "the other side instead"
        assert await player.ask(wire.Undo(req(), TABLE, player.states[TABLE].clock.round)) == ""
        await manual.advance_to("pause", table=TABLE)
        await player.until(lambda: player.results)
        (result,) = player.results.values()
        assert {line.bet for line in result.lines} == {"player", "tie"}
        assert result.staked_minor == 1_200
