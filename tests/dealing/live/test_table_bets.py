"""Bets at a live table: holds, changes, undo and refusals."""

from typing import Any

import pytest

from croupier.protocol import wire
from tests.dealing.live.in_process import (
    MAIN_BET,
    START_MINOR,
    ManualServer,
    join_table,
)
from tests.dealing.live.player import INFINITE, req

pytestmark = pytest.mark.anyio


async def test_a_bet_is_answered_once_its_hold_is_in_the_ledger(manual: ManualServer) -> None:
    _, player = await join_table(manual)
    assert await player.bet(MAIN_BET, (0, "any_pair", 200)) == ""
    mine = player.mine[INFINITE]
    assert mine.stakes == (wire.Stake(*MAIN_BET), wire.Stake(0, "any_pair", 200))
    assert (mine.held_minor, mine.balance_minor, mine.can_undo) == (1_200, START_MINOR - 1_200, True)
    (record,) = manual.server.ledger.open_rounds()
    assert record.staked_minor == 1_200


async def test_a_smaller_bet_releases_the_difference_and_undo_reverts_the_last_change(
    manual: ManualServer,
) -> None:
    _, player = await join_table(manual)
    for minor, balance in ((3_000, 97_000), (1_000, 99_000)):
        assert await player.bet((0, "main", minor)) == ""
        assert player.mine[INFINITE].balance_minor == balance
    round_ = player.states[INFINITE].clock.round
    for balance in (97_000, 100_000):
        assert await player.ask(wire.Undo(req(), INFINITE, round_)) == ""
        assert player.mine[INFINITE].balance_minor == balance
    assert await player.ask(wire.Undo(req(), INFINITE, round_)) == "nothing_to_undo"


@pytest.mark.parametrize("again", [(MAIN_BET, (0, "any_pair", 200)), ((0, "any_pair", 200), MAIN_BET)])
async def test_the_same_bet_again_is_no_change_to_undo(manual: ManualServer, again: tuple[Any, ...]) -> None:
    _, player = await join_table(manual)
    assert await player.bet((0, "main", 500)) == ""
    for stakes in ((MAIN_BET, (0, "any_pair", 200)), again, again):
        assert await player.bet(*stakes) == ""
    undo = wire.Undo(req(), INFINITE, player.states[INFINITE].clock.round)
    assert await player.ask(undo) == ""
    assert player.mine[INFINITE].stakes == (wire.Stake(0, "main", 500),)


async def test_the_last_of_many_rapid_bets_stands_and_all_are_answered(manual: ManualServer) -> None:
    _, player = await join_table(manual)
    answers = [player.submit(player.bet_command((0, "main", 100 * chips))) for chips in range(1, 21)]
    await player.until(lambda: all(answer.done() for answer in answers))
    assert {type(answer.result()) for answer in answers} == {wire.Ok}
    mine = player.mine[INFINITE]
    assert (mine.stakes, mine.balance_minor) == ((wire.Stake(0, "main", 2_000),), START_MINOR - 2_000)
    (record,) = manual.server.ledger.open_rounds()
    assert len(record.keys) < 20, "replaced bets cause no entry"


async def test_a_bet_that_the_balance_does_not_cover_is_refused(manual: ManualServer) -> None:
    _, player = await join_table(manual)
    assert await player.bet((0, "main", 10**9)) == "not_covered"
    assert player.mine[INFINITE].balance_minor == START_MINOR
    assert player.mine[INFINITE].stakes == ()


async def test_a_player_who_withdrew_a_bet_may_bet_in_the_next_round(manual: ManualServer) -> None:
    _, player = await join_table(manual)
    for _ in range(3):
        await player.until_phase("betting")
        assert await player.bet(MAIN_BET) == ""
        assert await player.bet() == ""
        assert player.mine[INFINITE].balance_minor == START_MINOR
        await manual.advance_to("warning")
        await manual.advance_to("betting")
    assert manual.server.ledger.open_rounds() == ()


REFUSED_BETS = [
    ([(0, "main", 99)], "under_minimum"),
    ([MAIN_BET, (0, "jackpot", 1_000)], "no_such_bet"),
    ([(1, "main", 1_000)], "no_such_box"),
    ([(0, "main", 1_000), (0, "main", 1_000)], "placed_twice"),
    ([(0, "any_pair", 1_000)], "no_main_bet"),
]


@pytest.mark.parametrize(("stakes", "code"), REFUSED_BETS, ids=[code for _, code in REFUSED_BETS])
async def test_a_refused_bet_leaves_the_previous_one(
    manual: ManualServer, stakes: list[Any], code: str
) -> None:
    _, player = await join_table(manual)
    await player.bet(MAIN_BET)
    assert await player.bet(*stakes) == code
    assert player.mine[INFINITE].stakes == (wire.Stake(*MAIN_BET),)


async def test_bets_are_refused_while_the_light_is_red(manual: ManualServer) -> None:
    _, player = await join_table(manual)
    await player.bet(MAIN_BET)
    await manual.advance_to("decisions")
    assert await player.bet((0, "main", 2_000)) == "bets_closed"
    assert player.mine[INFINITE].stakes == (wire.Stake(*MAIN_BET),)
