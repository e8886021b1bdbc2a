"""Chance sources: shoes, wheels and dice answer wants, and give the same answers after a restart."""

from typing import Any

import pytest

from croupier.equipment.wheel import SINGLE_ZERO
from croupier.games import published_tables
from croupier.play.contract.bets import Wager
from croupier.play.contract.wants import At, DealCard, Pocket, Roll, RollDice, SpinWheel
from croupier.play.driving.dealing import DealtRound, replay
from croupier.play.driving.sources import ChanceSource, PredrawnSource, ShoeSource, draw, fresh_source
from croupier.refusal import Refused
from tests.equipment.random_sources import SeededRandomSource

SPIN, ROLL = SpinWheel(SINGLE_ZERO), RollDice(3)
OWN = [name for name, table in published_tables().items() if table.dealing == "own"]


def undealt_round(name: str) -> DealtRound[Any]:
    table = published_tables()[name]
    bet = table.game.bets(table.rules)[0].name
    round_ = table.game.start(table.rules, [Wager(0, bet, 1_000)])
    source = fresh_source(round_.wants(), table.game.decks(table.rules), SeededRandomSource(7))
    return DealtRound(round_, source)


def test_predrawn_results_come_in_order() -> None:
    source: ChanceSource = PredrawnSource(("17", "0"))
    first, source = source.answer(SPIN)
    second, source = source.answer(SPIN)
    assert (first, second) == (Pocket("17"), Pocket("0"))
    assert PredrawnSource(("1-3-6",)).answer(ROLL)[0] == Roll((1, 3, 6))
    with pytest.raises(AssertionError, match="wasn't drawn beforehand"):
        source.answer(SPIN)


def test_a_source_answers_no_want_of_another_kind() -> None:
    with pytest.raises(AssertionError, match="neither wheel nor dice"):
        PredrawnSource(("KS",)).answer(DealCard(At(0)))
    with pytest.raises(AssertionError, match="neither wheel nor dice"):
        draw(DealCard(At(0)), SeededRandomSource(1))
    with pytest.raises(AssertionError, match="no shoe"):
        fresh_source((), 1, SeededRandomSource(1)).answer(SPIN)


def test_a_fresh_source_is_a_shoe_if_the_game_has_decks() -> None:
    shoe = fresh_source((DealCard(At(0)),), 2, SeededRandomSource(1))
    assert isinstance(shoe, ShoeSource)
    assert len(shoe.shoe.cards) == 104
    assert fresh_source((SPIN,), 0, SeededRandomSource(1)) == fresh_source((SPIN,), 0, SeededRandomSource(1))


def test_every_pocket_and_every_roll_can_be_drawn() -> None:
    source = SeededRandomSource(3)
    assert {str(draw(SPIN, source)) for _ in range(2_000)} == set(SINGLE_ZERO)
    assert len({str(draw(ROLL, source)) for _ in range(6_000)}) == 216


@pytest.mark.parametrize("name", OWN)
def test_a_round_is_dealt_again_from_its_source_and_from_its_record(name: str) -> None:
    start = undealt_round(name)
    deal = start.deal()
    record = [str(step) for step in deal.steps]
    assert start.restore(record) == deal
    assert replay(start.round, record) == deal.round


@pytest.mark.parametrize(("name", "step"), [("roulette", "wheel 17"), ("sic_bo", "dice 1-3-6")])
def test_a_record_of_another_source_is_refused(name: str, step: str) -> None:
    start = undealt_round(name)
    right = str(start.deal().steps[0])
    assert right != step
    with pytest.raises(Refused) as refused:
        start.restore([step])
    assert (refused.value.code, refused.value.args_) == (
        "record_not_replayable",
        {"step": step, "shoe": right},
    )
