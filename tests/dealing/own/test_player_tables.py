"""A round at an own table that its player doesn't finish ends as the operator configured."""

from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

from croupier.config import InactivityConfig
from croupier.games import published_tables
from croupier.gateway.pages.history import history_round
from croupier.protocol import wire
from croupier.tables.own import OwnRound
from tests.dealing.waiting_round import (
    DEAL,
    HOUR_MS,
    STAKE_MINOR,
    TABLE,
    assert_ledger_valid,
    clock_at,
    configured_server,
    sweep,
    waiting_round,
)
from tests.gateway.test_hidden import SERVED, dealt, decided

pytestmark = pytest.mark.anyio

NEVER_IDLE = InactivityConfig(idle_minutes=0)


async def test_an_unfinished_round_is_played_out_after_the_configured_time(tmp_path: Path) -> None:
    """The player has twelve: the hand stands, as at a live table."""
    async with waiting_round(tmp_path, NEVER_IDLE) as (server, player, played):
        await sweep(server, played.started_ms + 24 * HOUR_MS - 1)
        assert player.state.round == played
        await sweep(server, played.started_ms + 24 * HOUR_MS)
        assert player.state.round is not None
        assert player.state.round.view.ended
        record = server.ledger.round(played.id)
        assert record is not None
        assert (record.status, record.staked_minor) == ("settled", STAKE_MINOR)
        history = history_round(server.ledger, server.tables, record)
        assert [step.did.by for step in history.steps if step.did.what == "decided"] == ["time_out"]
        await player.request(wire.Decide("late", TABLE, played.id, played.turn, 0, 0, "stand"))
        assert player.answer == wire.No("late", "round_ended", {"round": played.id})


async def test_an_unfinished_round_can_be_refunded(tmp_path: Path) -> None:
    async with waiting_round(tmp_path, InactivityConfig(0, 1, "refund")) as (server, player, played):
        await sweep(server, played.started_ms + HOUR_MS)
        assert player.state.round is None
        record = server.ledger.round(played.id)
        assert record is not None
        assert (record.status, record.returned_minor) == ("void", STAKE_MINOR)


async def test_an_unfinished_round_can_wait_forever(tmp_path: Path) -> None:
    async with waiting_round(tmp_path, InactivityConfig(0, 0)) as (server, player, played):
        await sweep(server, played.started_ms + 10_000 * HOUR_MS)
        assert player.state.round == played


@pytest.mark.parametrize(("unfinished", "status"), [("play", "settled"), ("refund", "void")])
async def test_a_server_that_starts_late_ends_overdue_rounds(
    tmp_path: Path, unfinished: str, status: str
) -> None:
    async with waiting_round(tmp_path) as (_, _, played):
        pass
    inactivity = InactivityConfig(unfinished=unfinished)  # type: ignore[arg-type]
    with configured_server(tmp_path, inactivity) as restarted:
        with clock_at(played.started_ms + 24 * HOUR_MS):
            await restarted.start()
        record = restarted.ledger.round(played.id)
        assert record is not None
        assert record.status == status
        assert await restarted.player_tables.unfinished(record.player) == ()
    assert_ledger_valid(tmp_path)


async def test_a_round_that_cant_be_played_out_is_void(tmp_path: Path) -> None:
    async with waiting_round(tmp_path, NEVER_IDLE) as (server, player, played):
        with patch.object(OwnRound, "played_out", side_effect=RuntimeError("planted")):
            await sweep(server, played.started_ms + 24 * HOUR_MS)
        record = server.ledger.round(played.id)
        assert record is not None
        assert record.status == "void"
        await player.request(wire.DealRound("another", TABLE, DEAL.stakes))
        assert player.answer == wire.Ok("another")


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("name", SERVED)
def test_a_round_can_be_played_out_at_any_decision_without_a_further_stake(name: str, seed: int) -> None:
    table, rng = published_tables()[name], Random(f"{name} {seed}")
    for deal in decided(dealt(table, rng), rng):
        played = OwnRound("r", table, "GC", 0, (), deal)
        ended = played.played_out()
        assert ended.ended
        assert ended.staked_minor == played.staked_minor
        assert ended.deal.steps[: len(deal.steps)] == deal.steps
