"""Faults, lost connections and stops of the server: no money is lost."""

from contextlib import AbstractContextManager, suppress
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier.refusal import Refused
from croupier.runtime.live import steps
from croupier.runtime.live.money.table_money import TableMoney
from croupier.runtime.live.speculation.round_end import RoundEndSpeculation
from croupier.tables.live import inputs, machine
from tests.runtime.live.in_process import ManualServer, manual_server
from tests.runtime.live.player import INFINITE, ROULETTE, Player
from tests.runtime.live.test_live_round import MAIN, START_MINOR, arrived

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("speculate")]


def breaking_at(kind: type) -> AbstractContextManager[object]:
    """Make the machine fail at inputs of this kind."""
    right = machine.step

    def step(state: object, given: object, now_ms: int) -> object:
        if isinstance(given, kind):
            raise RuntimeError("planted")  # noqa: TRY004
        return right(state, given, now_ms)  # type: ignore[arg-type]

    return patch.object(steps, "step", step)


async def is_void(player: Player, reason: str) -> None:
    await player.phase("pause")
    await player.until(lambda: player.mine[INFINITE].result)
    mine = player.mine[INFINITE]
    assert mine.result is not None
    assert (mine.result.void, mine.result.reason) == (True, reason)
    assert (mine.balance_minor, mine.held_minor) == (START_MINOR, 0)
    assert player.heard("voided")[-1].reason == reason


@pytest.mark.parametrize("kind", [inputs.Dealt, inputs.Ticked, inputs.HoldPlaced])
async def test_a_fault_in_the_machine_voids_the_round_and_the_table_continues(
    hands: ManualServer, kind: type, caplog: pytest.LogCaptureFixture
) -> None:
    _, player = await arrived(hands)
    _, other = await arrived(hands)
    await other.bet(MAIN)
    with breaking_at(kind):
        code = await player.bet(MAIN)
        assert code == ("malfunction" if kind is inputs.HoldPlaced else "")
        if kind is not inputs.HoldPlaced:
            with suppress(Refused):  # the ticking input is refused
                await hands.until("pause")
    await is_void(other, "malfunction")
    assert hands.house.ledger.open_rounds() == ()
    assert "planted" in caplog.text
    await hands.until("betting")
    await other.phase("betting")
    assert await other.bet(MAIN) == ""
    assert await player.bet(MAIN) == ""


async def test_a_fault_in_one_players_input_voids_no_round(
    hands: ManualServer, caplog: pytest.LogCaptureFixture
) -> None:
    _, player = await arrived(hands)
    await player.bet(MAIN)
    with breaking_at(inputs.Placed):
        assert await player.bet((0, "main", 2_000)) == "malfunction"
    assert player.mine[INFINITE].balance_minor == START_MINOR - 1_000
    assert hands.house.live[INFINITE].state.phase == "betting"
    assert "planted" in caplog.text


RESTS = """
[live_roulette]
betting_ms = 600000
spin_ms = 0
ball_ms = 600000
pause_ms = 600000
"""


@pytest.mark.parametrize("cancels", ["the manager", "the house, which closes"])
async def test_a_round_that_is_due_is_settled_although_it_is_cancelled_then(
    tmp_path: Path, cancels: str
) -> None:
    """Also where the end isn't predicted."""
    with patch.object(RoundEndSpeculation, "expect"):
        await cancelled_when_due(tmp_path, cancels)


async def cancelled_when_due(folder: Path, cancels: str) -> None:
    async with manual_server(folder, RESTS) as hands:
        live, ledger = hands.house.live[ROULETTE], hands.house.ledger
        _, player = await arrived(hands, ROULETTE)
        assert await player.bet((0, "red", 1_000), table=ROULETTE) == ""
        await hands.until("settlement", table=ROULETTE)
        assert live.state.deadline_ms
        hands.later(live.state.deadline_ms - hands.now_ms())
        if cancels == "the manager":
            with pytest.raises(Refused, match="no_round"):
                await live.execute(inputs.Voided("x"))
        else:
            await hands.house.stop()
        assert player.welcome
        (line,) = ledger.rounds(player.welcome.player)
        assert (line.status, line.staked_minor) == ("settled", 1_000)
        assert line.returned_minor in (0, 2_000)


async def test_a_settlement_that_fails_voids_the_round(
    hands: ManualServer, caplog: pytest.LogCaptureFixture
) -> None:
    _, player = await arrived(hands)
    await player.bet(MAIN)
    with patch.object(TableMoney, "post_end", side_effect=AssertionError("planted")):
        await hands.until("pause")
    await is_void(player, "malfunction")
    assert hands.house.ledger.open_rounds() == ()


async def test_a_stopping_server_voids_the_open_round(tmp_path: Path) -> None:
    async with manual_server(tmp_path) as hands:
        _, player = await arrived(hands)
        await player.bet(MAIN)
        await hands.until("decisions")
        await hands.house.stop()
        await is_void(player, "house_closes")
        assert hands.house.ledger.open_rounds() == ()
        assert await player.bet(MAIN) == "house_closed"
    async with manual_server(tmp_path) as hands:
        assert hands.house.ledger.open_rounds() == ()
