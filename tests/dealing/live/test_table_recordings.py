"""The recording of a live round, and when it is posted."""

from collections import Counter
from typing import cast
from unittest.mock import patch

import pytest

from croupier.admission.ledger_gateway import LedgerGateway
from croupier.dealing.live.money.round_recording import SHARED_COMMIT_LINES, RoundRecording
from croupier.dealing.live.steps import TableStep
from croupier.play.contract.bets import Wager
from croupier.tables.live import inputs
from croupier.tables.live.record import replay
from tests.dealing.live.in_process import (
    MAIN_BET,
    ManualServer,
    finish_round,
    join_table,
)
from tests.dealing.live.player import INFINITE

pytestmark = pytest.mark.anyio


async def test_the_recording_of_a_round_replays_to_the_same_state(manual: ManualServer) -> None:
    """Each input keeps its own time, also within a batch."""
    _, player = await join_table(manual)
    assert await player.bet(MAIN_BET) == ""
    await finish_round(manual, player)
    live, steps = manual.server.live[INFINITE], list[TableStep]()
    with patch.object(RoundRecording, "add", autospec=True, side_effect=RoundRecording.add) as added:
        await manual.advance_to("betting")
        await manual.advance_to("warning")
        ((name, _),) = live.state.players.items()
        assert live.state.deadline_ms is not None
        manual.advance_clock(live.state.deadline_ms - manual.now_ms() - 20)
        live.submit(inputs.Placed(name, (Wager(*MAIN_BET),)))
        manual.advance_clock(100)  # the deadline has passed
        live.submit(inputs.Left("p_absent"))
        await finish_round(manual, player)
        steps += [call.args[1] for call in added.call_args_list]
    (first,) = [step for step in steps if isinstance(step.given, inputs.RoundNamed)]
    (last,) = [step for step in steps if step.settles]
    notes = reversed(manual.server.ledger.notes(f"{last.before.round}:record:"))
    lines = [str(line) for note in notes for line in cast("list[str]", note.body["record"])]
    assert replay(first.before, lines) == last.after


@pytest.mark.parametrize("others", range(3), ids=lambda others: f"{others} more lines")
async def test_a_long_recording_is_posted_with_the_stakes(manual: ManualServer, others: int) -> None:
    """Otherwise the round's end would wait for all of it, or a bet for an extra commit."""
    await join_table(manual)
    live = manual.server.live[INFINITE]
    ((name, _),) = live.state.players.items()
    for other in range(others):
        await live.execute(inputs.Joined(f"p_{other}", "device", "EUR"))
    with patch.object(
        LedgerGateway, "post_each", autospec=True, side_effect=LedgerGateway.post_each
    ) as posted:
        for change in range(SHARED_COMMIT_LINES):
            await live.execute(inputs.Placed(name, (Wager(0, "main", 500 + 100 * (change % 2)),)))
    kinds = Counter(tuple(entry.kind for entry in call.args[1]) for call in posted.call_args_list)
    assert live.state.phase == "betting"
    assert set(kinds) == {("stakes",), ("stakes", "note")}
    assert sum(kinds.values()) == SHARED_COMMIT_LINES
    notes = manual.server.ledger.notes(f"{live.state.round}:record:")
    assert [len(cast("list[str]", note.body["record"])) >= SHARED_COMMIT_LINES for note in notes] == [True]
