"""Speculation on the end of a round: the result is the same, and no player gets it sooner."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from croupier import clock
from croupier.app.serve import DATABASE, SHOES_KEY
from croupier.audit.data_folder import audit
from croupier.dealing.live.money import coup_entries
from croupier.dealing.live.speculation.entries import PredictedEntries, Prediction
from croupier.dealing.live.speculation.messages import PredictedMessages
from croupier.dealing.live.speculation.round_end import RoundEndSpeculation
from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.ledger.sqlite.speculation import SpeculativeTransaction
from croupier.protocol import wire
from croupier.tables.live import inputs
from croupier.tables.live.effects import Settle
from tests.dealing.live.in_process import (
    MAIN_BET,
    SLOW,
    START_MINOR,
    ManualServer,
    join_table,
    manual_server,
    new_guest,
)
from tests.dealing.live.player import INFINITE, ROULETTE, Player, req
from tests.dealing.live.speculation.test_prerendered import compare_with_current_rendering

pytestmark = pytest.mark.anyio

PACED = SLOW.replace("pace_ms = 0", "pace_ms = 120") + "[live_roulette]\nspin_ms = 0\nball_ms = 120\n"


@pytest.fixture
async def paced(tmp_path: Path) -> AsyncIterator[ManualServer]:
    """A server that waits between two cards."""
    async with manual_server(tmp_path, PACED) as manual:
        yield manual


@contextmanager
def record_completions() -> Iterator[list[bool]]:
    """Record for each posted coup whether it was prepared in the database."""
    completions, original = list[bool](), SpeculativeTransaction.complete

    def complete(self: SpeculativeTransaction, sequence: Sequence[Entry]) -> Any:
        answer = original(self, sequence)
        if sequence and sequence[0].kind == "coup":
            completions.append(answer is not None)
        return answer

    with patch.object(SpeculativeTransaction, "complete", complete):
        yield completions


@contextmanager
def record_assemblies() -> Iterator[list[str]]:
    """Record each assembly of the entries of a round's end."""
    assemblies, original = list[str](), coup_entries.coup_entries

    def assemble(*args: Any, **named: Any) -> Any:
        assemblies.append("coup")
        return original(*args, **named)

    with patch.object(coup_entries, "coup_entries", assemble):
        yield assemblies


def speculation_of(manual: ManualServer, table: str = INFINITE) -> RoundEndSpeculation:
    speculation = manual.server.live[table]._speculation
    assert isinstance(speculation, RoundEndSpeculation)
    return speculation


async def wait_for_prediction(manual: ManualServer, table: str = INFINITE) -> Prediction:
    """Wait until the round's end is predicted with its entries and all its messages."""
    live, speculation = manual.server.live[table], speculation_of(manual, table)
    async with asyncio.timeout(10):
        while not (coup := speculation._entries.prediction) or (
            len(speculation._messages.messages) < len(coup.ended)
        ):
            assert live.state.phase != "pause", "the round ended without a prediction"
            await asyncio.sleep(0.001)
    return coup


async def bet_and_wait(manual: ManualServer, table: str = INFINITE) -> Player:
    """Bet, and advance to just before the round's end; return the player, who decides nothing."""
    _, player = await join_table(manual, table)
    bet = (0, "red", 1_000) if table == ROULETTE else MAIN_BET
    assert await player.bet(bet, table=table) == ""
    if table == INFINITE:
        await manual.advance_to("decisions")
        await manual.advance_to("dealer")
    else:
        await manual.advance_to("no_more_bets", "dealing", "settlement", table=table)
    return player


def result_of(player: Player, table: str = INFINITE) -> wire.PlayerResult:
    result = player.mine[table].result
    assert result is not None
    return result


@pytest.mark.parametrize("table", [INFINITE, ROULETTE])
async def test_predicted_entries_are_posted_and_predicted_messages_sent(
    paced: ManualServer, table: str
) -> None:
    player = await bet_and_wait(paced, table)
    with record_assemblies() as assemblies, compare_with_current_rendering() as counts:
        coup = await wait_for_prediction(paced, table)
        await player.until_phase("pause", table=table)
        assert (assemblies, counts["prerendered"]) == (["coup"], 1)
    (end,) = coup.ended
    record = paced.server.ledger.round(coup_entries.round_id(end.round, end.player))
    assert record is not None
    result = result_of(player, table)
    assert (record.staked_minor, record.returned_minor) == (result.staked_minor, result.returned_minor)
    assert player.mine[table].balance_minor == START_MINOR - result.staked_minor + result.returned_minor


@pytest.mark.parametrize("table", [INFINITE, ROULETTE])
async def test_predicted_entries_are_prepared_in_the_ledger(
    paced: ManualServer, tmp_path: Path, table: str
) -> None:
    """The posted coup has the predicted time: the one at which the card was due."""
    with record_completions() as completions:
        player = await bet_and_wait(paced, table)
        await wait_for_prediction(paced, table)
        await player.until_phase("pause", table=table)
    assert completions == [True]
    assert result_of(player, table).staked_minor == 1_000
    assert audit(tmp_path / DATABASE, tmp_path / SHOES_KEY, lambda *_: None).bad is None


@pytest.mark.parametrize(("late_ms", "same"), [(-1, True), (20, True), (80, False)])
@pytest.mark.parametrize("table", [INFINITE, ROULETTE])
async def test_a_timer_counts_from_its_deadline_unless_it_is_late(
    paced: ManualServer, table: str, late_ms: int, same: bool
) -> None:
    """A timer may fire a fraction of a millisecond early, and late if the event loop is busy."""
    with record_completions() as completions:
        player = await bet_and_wait(paced, table)
        await wait_for_prediction(paced, table)
        paced.advance_clock(late_ms)
        await player.until_phase("pause", table=table)
    assert completions == [same]
    assert result_of(player, table).staked_minor == 1_000


async def test_a_predicted_play_is_reused(paced: ManualServer) -> None:
    await bet_and_wait(paced)
    await wait_for_prediction(paced)
    speculation = speculation_of(paced)
    step = speculation._steps[-1]
    for again in (
        speculation.step(step.before, step.given, step.at_ms),
        speculation.step(step.before, step.given, step.at_ms + 1),
        speculation.step(replace(step.before), step.given, step.at_ms),
    ):
        assert again.ended == step.ended
        assert again.after.play is step.after.play, "the play is reused"


async def test_nothing_is_sent_or_posted_before_the_card_is_due(paced: ManualServer) -> None:
    player = await bet_and_wait(paced)
    await wait_for_prediction(paced)
    assert player.mine[INFINITE].result is None
    (record,) = paced.server.ledger.open_rounds()
    assert (record.status, record.returned_minor) == ("open", 0)


async def test_a_player_who_joins_after_the_prediction_changes_nothing(paced: ManualServer) -> None:
    player = await bet_and_wait(paced)
    with record_assemblies() as assemblies, compare_with_current_rendering() as counts:
        await wait_for_prediction(paced)
        other = await (await new_guest(paced.server)).connect()
        assert await other.join(INFINITE) == ""
        await player.until_phase("pause")
        assert (assemblies, counts["prerendered"]) == (["coup"], 1)
    assert other.mine[INFINITE].result is None
    assert result_of(player).staked_minor == 1_000


async def test_the_message_of_a_player_who_acts_after_the_prediction_is_rendered_again(
    paced: ManualServer,
) -> None:
    player = await bet_and_wait(paced)
    with compare_with_current_rendering() as counts:
        (end,) = (await wait_for_prediction(paced)).ended
        messages = speculation_of(paced)._messages.messages
        messages[end.player] = messages[end.player]._replace(message=b"outdated")
        assert await player.ask(wire.Leave(req(), INFINITE)) == ""
        assert await player.join(INFINITE) == ""
        await player.until_phase("pause")
    assert counts, "the message was compared"
    assert result_of(player).staked_minor == 1_000


async def test_a_grant_after_the_prediction_is_in_the_message(paced: ManualServer) -> None:
    player = await bet_and_wait(paced)
    (name,) = [name for name, _ in paced.server.live[INFINITE].state.players.items()]
    with compare_with_current_rendering() as counts:
        await wait_for_prediction(paced)
        grant = entries.grant("grant", clock.now_ms(), name, "EUR", 5_000, "a grant")
        await paced.server.gateway.post([grant])
        await player.until_phase("pause")
        assert counts["prerendered"] == 0
    result = result_of(player)
    assert player.mine[INFINITE].balance_minor == START_MINOR - 1_000 + result.returned_minor + 5_000


async def test_a_void_instead_of_the_predicted_end_returns_every_stake(paced: ManualServer) -> None:
    player = await bet_and_wait(paced)
    await wait_for_prediction(paced)
    await paced.execute(inputs.Voided("dealer_error"))
    await player.until_phase("pause")
    assert (result_of(player).void, result_of(player).returned_minor) == (True, 1_000)
    assert player.mine[INFINITE].balance_minor == START_MINOR


async def test_a_pause_postpones_the_predicted_end(paced: ManualServer) -> None:
    player = await bet_and_wait(paced)
    coup = await wait_for_prediction(paced)
    await paced.execute(inputs.Paused("a spilled drink"))
    await asyncio.sleep(0.2)
    assert player.mine[INFINITE].result is None
    await paced.execute(inputs.Resumed())
    await player.until_phase("pause")
    (end,) = coup.ended
    assert isinstance(end, Settle)
    assert result_of(player).returned_minor == end.returned_minor


@pytest.mark.parametrize("broken", [(PredictedEntries, "predict"), (PredictedMessages, "predict")])
async def test_a_fault_in_the_prediction_voids_no_round(
    paced: ManualServer, broken: tuple[type, str], caplog: pytest.LogCaptureFixture
) -> None:
    player = await bet_and_wait(paced)
    with patch.object(*broken, side_effect=AssertionError("planted")):
        await player.until_phase("pause")
    assert not result_of(player).void
    assert "couldn't be predicted" in caplog.text
