"""Speculation on the end of a round: the result is the same, and nobody gets it sooner."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from croupier import clock
from croupier.app.serve import BOOKS, KEY
from croupier.audit.data_folder import audit
from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.ledger.sqlite.speculation import SpeculativeTransaction
from croupier.protocol import wire
from croupier.runtime.live.money import coup_entries
from croupier.runtime.live.speculation.entries import PredictedEntries, Prediction
from croupier.runtime.live.speculation.messages import PredictedMessages
from croupier.runtime.live.speculation.round_end import RoundEndSpeculation
from croupier.tables.live import inputs
from croupier.tables.live.effects import Settle
from tests.runtime.live.in_process import SLOW, ManualServer, guest_of, manual_server
from tests.runtime.live.player import INFINITE, ROULETTE, Player, req
from tests.runtime.live.speculation.test_prerendered import held_against_the_present
from tests.runtime.live.test_live_round import MAIN, START_MINOR, arrived

pytestmark = pytest.mark.anyio

PACED = SLOW.replace("pace_ms = 0", "pace_ms = 120") + "[live_roulette]\nspin_ms = 0\nball_ms = 120\n"


@pytest.fixture
async def paced(tmp_path: Path) -> AsyncIterator[ManualServer]:
    """A server with time between two cards."""
    async with manual_server(tmp_path, PACED) as hands:
        yield hands


@contextmanager
def completed() -> Iterator[list[bool]]:
    """For each posted coup, whether it was prepared in the database."""
    every, complete = list[bool](), SpeculativeTransaction.complete

    def completes(self: SpeculativeTransaction, sequence: Sequence[Entry]) -> Any:
        answer = complete(self, sequence)
        if sequence and sequence[0].kind == "coup":
            every.append(answer is not None)
        return answer

    with patch.object(SpeculativeTransaction, "complete", completes):
        yield every


@contextmanager
def counted() -> Iterator[list[str]]:
    """List each assembly of the entries of a round's end."""
    made, put_together = list[str](), coup_entries.coup_entries

    def counts(*args: Any, **named: Any) -> Any:
        made.append("coup")
        return put_together(*args, **named)

    with patch.object(coup_entries, "coup_entries", counts):
        yield made


def speculation_of(hands: ManualServer, table: str = INFINITE) -> RoundEndSpeculation:
    speculation = hands.house.live[table]._speculation
    assert isinstance(speculation, RoundEndSpeculation)
    return speculation


async def predicted(hands: ManualServer, table: str = INFINITE) -> Prediction:
    """Wait until the end of the round is predicted, with its entries and all messages."""
    live, speculation = hands.house.live[table], speculation_of(hands, table)
    async with asyncio.timeout(10):
        while not (coup := speculation._entries.prediction) or (
            len(speculation._messages.messages) < len(coup.ended)
        ):
            assert live.state.phase != "pause", "the round ended without a prediction"
            await asyncio.sleep(0.001)
    return coup


async def played(hands: ManualServer, table: str = INFINITE) -> Player:
    """Return a player who has bet and then decides nothing."""
    _, player = await arrived(hands, table)
    bet = (0, "red", 1_000) if table == ROULETTE else MAIN
    assert await player.bet(bet, table=table) == ""
    if table == INFINITE:
        await hands.until("decisions")
        await hands.until("dealer")
    else:
        await hands.until("no_more_bets", "dealing", "settlement", table=table)
    return player


def result_of(player: Player, table: str = INFINITE) -> wire.PlayerResult:
    result = player.mine[table].result
    assert result is not None
    return result


@pytest.mark.parametrize("table", [INFINITE, ROULETTE])
async def test_predicted_entries_are_posted_and_predicted_messages_sent(
    paced: ManualServer, table: str
) -> None:
    player = await played(paced, table)
    with counted() as made, held_against_the_present() as told:
        coup = await predicted(paced, table)
        await player.phase("pause", table=table)
        assert (made, told["ahead"]) == (["coup"], 1)
    (end,) = coup.ended
    record = paced.house.ledger.round(coup_entries.round_id(end.round, end.player))
    assert record is not None
    result = result_of(player, table)
    assert (record.staked_minor, record.returned_minor) == (result.staked_minor, result.returned_minor)
    assert player.mine[table].balance_minor == START_MINOR - result.staked_minor + result.returned_minor


@pytest.mark.parametrize("table", [INFINITE, ROULETTE])
async def test_predicted_entries_are_prepared_in_the_ledger(
    paced: ManualServer, tmp_path: Path, table: str
) -> None:
    """The posted coup is the same, with its time: it counts from when the card was due."""
    with completed() as every:
        player = await played(paced, table)
        await predicted(paced, table)
        await player.phase("pause", table=table)
    assert every == [True]
    assert result_of(player, table).staked_minor == 1_000
    assert audit(tmp_path / BOOKS, tmp_path / KEY, lambda *_: None).bad is None


@pytest.mark.parametrize(("late_ms", "same"), [(-1, True), (20, True), (80, False)])
@pytest.mark.parametrize("table", [INFINITE, ROULETTE])
async def test_a_timer_counts_from_its_deadline_unless_it_is_late(
    paced: ManualServer, table: str, late_ms: int, same: bool
) -> None:
    """Timers are early by a fraction of a millisecond, or late while the loop is busy."""
    with completed() as every:
        player = await played(paced, table)
        await predicted(paced, table)
        paced.later(late_ms)
        await player.phase("pause", table=table)
    assert every == [same]
    assert result_of(player, table).staked_minor == 1_000


async def test_a_predicted_step_is_reused_where_nothing_has_changed(paced: ManualServer) -> None:
    await played(paced)
    await predicted(paced)
    speculation = speculation_of(paced)
    step = speculation._steps[-1]
    assert speculation.step(step.before, step.given, step.at_ms) is step
    for changed in (
        speculation.step(step.before, step.given, step.at_ms + 1),
        speculation.step(replace(step.before), step.given, step.at_ms),
    ):
        assert changed is not step
        assert changed.ended == step.ended
        assert changed.after.play is step.after.play, "the cards are known all the same"


async def test_nothing_is_sent_or_posted_before_the_input_arrives(paced: ManualServer) -> None:
    player = await played(paced)
    await predicted(paced)
    assert player.mine[INFINITE].result is None
    (record,) = paced.house.ledger.open_rounds()
    assert (record.status, record.returned_minor) == ("open", 0)


async def test_a_player_who_joins_meanwhile_changes_nothing(paced: ManualServer) -> None:
    player = await played(paced)
    with counted() as made, held_against_the_present() as told:
        await predicted(paced)
        other = await (await guest_of(paced.house)).dial()
        assert await other.join(INFINITE) == ""
        await player.phase("pause")
        assert (made, told["ahead"]) == (["coup"], 1)
    assert other.mine[INFINITE].result is None
    assert result_of(player).staked_minor == 1_000


async def test_the_message_of_a_player_who_acts_meanwhile_is_rendered_again(paced: ManualServer) -> None:
    player = await played(paced)
    with held_against_the_present() as told:
        (end,) = (await predicted(paced)).ended
        messages = speculation_of(paced)._messages.messages
        messages[end.player] = messages[end.player]._replace(message=b"what was so before")
        assert await player.ask(wire.Leave(req(), INFINITE)) == ""
        assert await player.join(INFINITE) == ""
        await player.phase("pause")
    assert told, "it is held against the present"
    assert result_of(player).staked_minor == 1_000


async def test_money_that_arrives_meanwhile_is_in_the_message(paced: ManualServer) -> None:
    player = await played(paced)
    (name,) = [name for name, _ in paced.house.live[INFINITE].state.players.items()]
    with held_against_the_present() as told:
        await predicted(paced)
        grant = entries.grant("gift", clock.now_ms(), name, "EUR", 5_000, "a gift")
        await paced.house.gateway.post([grant])
        await player.phase("pause")
        assert told["ahead"] == 0
    result = result_of(player)
    assert player.mine[INFINITE].balance_minor == START_MINOR - 1_000 + result.returned_minor + 5_000


async def test_a_void_instead_gives_every_stake_back(paced: ManualServer) -> None:
    player = await played(paced)
    await predicted(paced)
    await paced.feed(inputs.Voided("dealer_error"))
    await player.phase("pause")
    assert (result_of(player).void, result_of(player).returned_minor) == (True, 1_000)
    assert player.mine[INFINITE].balance_minor == START_MINOR


async def test_a_pause_meanwhile_and_then_the_same_card(paced: ManualServer) -> None:
    player = await played(paced)
    coup = await predicted(paced)
    await paced.feed(inputs.Paused("a spilled drink"))
    await asyncio.sleep(0.2)
    assert player.mine[INFINITE].result is None
    await paced.feed(inputs.Resumed())
    await player.phase("pause")
    (end,) = coup.ended
    assert isinstance(end, Settle)
    assert result_of(player).returned_minor == end.returned_minor


@pytest.mark.parametrize("broken", [(PredictedEntries, "predict"), (PredictedMessages, "predict")])
async def test_a_fault_in_the_prediction_voids_no_round(
    paced: ManualServer, broken: tuple[type, str], caplog: pytest.LogCaptureFixture
) -> None:
    player = await played(paced)
    with patch.object(*broken, side_effect=AssertionError("planted")):
        await player.phase("pause")
    assert not result_of(player).void
    assert "couldn't be predicted" in caplog.text
