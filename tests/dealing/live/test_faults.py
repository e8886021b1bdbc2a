"""Faults in the table, and a stopping server, lose no money."""

import asyncio
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier.action_log import ASKED
from croupier.dealing.live import steps
from croupier.dealing.live.malfunctions import UNSETTLED
from croupier.dealing.live.money.table_money import TableMoney
from croupier.dealing.live.speculation.round_end import RoundEndSpeculation
from croupier.refusal import Refused
from croupier.tables.live import inputs, machine
from tests.dealing.live.in_process import (
    MAIN_BET,
    START_MINOR,
    ManualServer,
    join_table,
    manual_server,
    new_guest,
    stop,
)
from tests.dealing.live.player import INFINITE, ROULETTE, Player

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("speculate")]


def failing_at(kind: type) -> AbstractContextManager[object]:
    """Make the state machine fail at inputs of this type."""
    original = machine.step

    def step(state: object, given: object, now_ms: int) -> object:
        if isinstance(given, kind):
            raise RuntimeError("planted")  # noqa: TRY004
        return original(state, given, now_ms)  # type: ignore[arg-type]

    return patch.object(steps, "step", step)


async def assert_void(player: Player, reason: str) -> None:
    await player.until_phase("pause")
    await player.until(lambda: player.mine[INFINITE].result)
    mine = player.mine[INFINITE]
    assert mine.result is not None
    assert (mine.result.void, mine.result.reason) == (True, reason)
    assert (mine.balance_minor, mine.held_minor) == (START_MINOR, 0)
    assert player.events("voided")[-1].reason == reason


@pytest.mark.parametrize("kind", [inputs.Dealt, inputs.Ticked, inputs.HoldPlaced])
async def test_a_fault_in_the_machine_voids_the_round_and_the_table_continues(
    manual: ManualServer, kind: type, caplog: pytest.LogCaptureFixture
) -> None:
    _, player = await join_table(manual)
    _, other = await join_table(manual)
    await other.bet(MAIN_BET)
    with failing_at(kind):
        code = await player.bet(MAIN_BET)
        assert code == ("malfunction" if kind is inputs.HoldPlaced else "")
        if kind is not inputs.HoldPlaced:
            with suppress(Refused):  # the tick is refused
                await manual.advance_to("pause")
    await assert_void(other, "malfunction")
    assert manual.server.ledger.open_rounds() == ()
    assert "planted" in caplog.text
    await manual.advance_to("betting")
    await other.until_phase("betting")
    assert await other.bet(MAIN_BET) == ""
    assert await player.bet(MAIN_BET) == ""


async def test_a_fault_at_one_players_input_voids_no_round(
    manual: ManualServer, caplog: pytest.LogCaptureFixture
) -> None:
    _, player = await join_table(manual)
    await player.bet(MAIN_BET)
    with failing_at(inputs.Placed):
        assert await player.bet((0, "main", 2_000)) == "malfunction"
    assert player.mine[INFINITE].balance_minor == START_MINOR - 1_000
    assert manual.server.live[INFINITE].state.phase == "betting"
    assert "planted" in caplog.text


LONG_TIMERS = """
[live_roulette]
betting_ms = 600000
spin_ms = 0
ball_ms = 600000
pause_ms = 600000
"""


@pytest.mark.parametrize("cause", ["a void by the manager", "a stopping server"])
async def test_a_round_is_settled_if_it_is_cancelled_when_its_end_is_due(tmp_path: Path, cause: str) -> None:
    """The end isn't predicted."""
    with patch.object(RoundEndSpeculation, "expect"):
        await cancel_when_due(tmp_path, cause)


async def cancel_when_due(folder: Path, cause: str) -> None:
    async with manual_server(folder, LONG_TIMERS) as manual:
        live, ledger = manual.server.live[ROULETTE], manual.server.ledger
        _, player = await join_table(manual, ROULETTE)
        assert await player.bet((0, "red", 1_000), table=ROULETTE) == ""
        await manual.advance_to("settlement", table=ROULETTE)
        assert live.state.deadline_ms
        manual.advance_clock(live.state.deadline_ms - manual.now_ms())
        if cause == "a void by the manager":
            with pytest.raises(Refused, match="no_round"):
                await live.execute(inputs.Voided("x"))
        else:
            await manual.server.stop()
        assert player.welcome
        (line,) = ledger.rounds(player.welcome.player)
        assert (line.status, line.staked_minor) == ("settled", 1_000)
        assert line.returned_minor in (0, 2_000)


@pytest.mark.parametrize("ending", ["resumed", "voided"])
async def test_a_round_that_cannot_be_settled_stays_open_and_is_shown_settled_to_nobody(
    manual: ManualServer, ending: str, caplog: pytest.LogCaptureFixture
) -> None:
    live, ledger = manual.server.live[INFINITE], manual.server.ledger
    _, player = await join_table(manual)
    _, other = await join_table(manual)
    for each in (player, other):
        assert await each.bet(MAIN_BET) == ""
    with patch.object(TableMoney, "post_end", side_effect=ValueError("planted")):
        playing = asyncio.create_task(manual.advance_to("pause"))
        await player.until(lambda: player.events("paused"))
        await stop(playing)
    late = await (await new_guest(manual.server)).connect()
    assert await late.join(INFINITE) == ""
    await other.until(lambda: other.events("paused"))
    for each in (player, other, late):
        assert each.mine[INFINITE].result is None
        assert not each.events("settled")
    assert [event.reason for event in player.events("paused")] == [UNSETTLED]
    assert live.state.paused == UNSETTLED
    assert len(ledger.open_rounds()) == 2
    assert player.mine[INFINITE].balance_minor == START_MINOR - 1_000
    assert manual.server.table_services.measurements.unsettled == {INFINITE: 1}
    (note,) = ledger.notes(ASKED)
    assert (note.table, note.round, note.body["what"]) == (INFINITE, live.state.round, "unsettled")
    assert "planted" in str(note.body)
    assert "can't be settled and stays open" in caplog.text
    if ending == "voided":
        await live.execute(inputs.Voided("planted"))
        await assert_void(player, "planted")
    else:
        await live.execute(inputs.Resumed())
        await manual.advance_to("pause")
        await player.until(lambda: player.mine[INFINITE].result)
    assert ledger.open_rounds() == ()


async def test_a_stopping_server_voids_the_open_round(tmp_path: Path) -> None:
    async with manual_server(tmp_path) as manual:
        _, player = await join_table(manual)
        await player.bet(MAIN_BET)
        await manual.advance_to("decisions")
        await manual.server.stop()
        await assert_void(player, "house_closes")
        assert manual.server.ledger.open_rounds() == ()
        assert await player.bet(MAIN_BET) == "server_unavailable"
    async with manual_server(tmp_path) as manual:
        assert manual.server.ledger.open_rounds() == ()
