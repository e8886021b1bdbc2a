"""The driver of a round: records, restoring and refusals."""

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from croupier.equipment.cards import cards
from croupier.equipment.shoe import Shoe
from croupier.games import published_tables
from croupier.play.contract.bets import Wager
from croupier.play.contract.wants import DEALER, At, Choice, DealCard, Decision
from croupier.play.driving.dealing import DealtRound, RoundStep, parse_step, replay
from croupier.play.driving.sources import ShoeSource
from croupier.refusal import Refused

PREMIUM = published_tables()["premium"]
SHOE = ShoeSource(Shoe(cards("6H KS 5D 7C TD"), 0, 5))
RECORD = ["0.0 6H", "dealer KS", "0.0 5D", "dealer down", "dealer no", "0.0 double", "0.0 TD", "dealer 7C"]


def start(table: str = "premium") -> Any:
    return PREMIUM.game.start(published_tables()[table].rules, [Wager(0, "main", 100)])


def dealt() -> DealtRound[Any]:
    return DealtRound(start(), SHOE).deal()


def test_a_record_is_one_line_of_text_per_step() -> None:
    deal = dealt().decide(At(0), Choice("double"))
    assert list(map(str, deal.steps)) == RECORD
    assert replay(start(), RECORD) == deal.round
    assert DealtRound(start(), SHOE).restore(RECORD) == deal


@pytest.mark.parametrize("steps", range(len(RECORD)))
def test_a_round_resumes_from_any_part_of_its_record(steps: int) -> None:
    deal = DealtRound(start(), SHOE).restore(RECORD[:steps]).deal()
    if not deal.round.ended and steps < 6:
        deal = deal.decide(At(0), Choice("double"))
    assert list(map(str, deal.steps)) == RECORD
    assert deal == dealt().decide(At(0), Choice("double"))


@pytest.mark.parametrize(
    ("step", "wrong"),
    [
        (0, "0.0 1H"),
        (0, "0.0"),
        (0, ""),
        (0, "1.0 6H"),
        (0, "dealer 6H"),
        (3, "dealer 7C"),
        (3, "dealer up"),
        (4, "dealer perhaps"),
        (4, "dealer KS"),
        (5, "0.1 double"),
        (5, "0.0 double=ten"),
        (7, "dealer down"),
    ],
)
def test_a_line_that_is_not_a_step_is_refused(step: int, wrong: str) -> None:
    with pytest.raises(Refused) as refused:
        replay(start(), [*RECORD[:step], wrong])
    assert refused.value.code == "not_wanted"
    assert refused.value.args_ == {"step": wrong}


@pytest.mark.parametrize(
    ("step", "wrong", "code", "rule"),
    [(5, "0.0 split", "not_offered", "split"), (7, "dealer AC", "peeked_otherwise", "peek")],
)
def test_a_step_that_the_rules_forbid_is_refused(step: int, wrong: str, code: str, rule: str) -> None:
    with pytest.raises(Refused) as refused:
        replay(start(), [*RECORD[:step], wrong])
    assert (refused.value.code, refused.value.rule) == (code, rule)


@pytest.mark.parametrize(("step", "wrong"), [(0, "0.0 7H"), (4, "dealer yes"), (7, "dealer 8C")])
def test_a_record_of_another_shoe_is_refused(step: int, wrong: str) -> None:
    with pytest.raises(Refused) as refused:
        DealtRound(start(), SHOE).restore([*RECORD[:step], wrong])
    assert refused.value.code == "record_not_replayable"
    assert refused.value.args_ == {"step": wrong, "shoe": RECORD[step]}


def test_a_longer_record_than_the_round_is_refused() -> None:
    with pytest.raises(Refused, match="not_wanted"):
        replay(start(), [*RECORD, "dealer 2C"])


def test_a_decision_out_of_turn_is_refused() -> None:
    for place in (At(1), At(0, 1), DEALER):
        with pytest.raises(Refused) as refused:
            dealt().decide(place, Choice("hit"))
        assert refused.value.code == "not_your_turn"
        assert refused.value.args_ == {"box": place.box, "hand": place.hand}


def test_an_empty_shoe_is_refused() -> None:
    short = ShoeSource(Shoe(SHOE.shoe.cards[:4], 0, 4))
    with pytest.raises(Refused, match="shoe_empty: dealt 4"):
        DealtRound(start("classic"), short).deal().decide(At(0), Choice("hit"))


def test_the_shoe_answers_no_decision() -> None:
    deal = dealt()
    with pytest.raises(AssertionError, match="no shoe answers"):
        deal.answer_from_source(deal.round.wants()[0])


def test_rounds_are_immutable_and_can_be_forked() -> None:
    deal = dealt()
    before = hash(deal.round)
    doubled, stood = deal.decide(At(0), Choice("double")), deal.decide(At(0), Choice("stand"))
    assert doubled.round != stood.round
    assert hash(deal.round) == before
    assert deal == dealt()
    with pytest.raises(FrozenInstanceError):
        deal.round.peeked = True


def test_a_step_is_parsed_from_its_text() -> None:
    (want,) = start().wants()
    assert (
        parse_step(start(), "0.0 6H")
        == RoundStep(want, cards("6H")[0])
        == RoundStep(DealCard(At(0)), cards("6H")[0])
    )


def test_the_text_of_a_choice_includes_its_stake() -> None:
    assert str(Choice("double", 40)) == "double=40"
    assert Choice.parse("double=40") == Choice("double", 40)
    assert Choice.parse("hit") == Choice("hit")


def test_an_option_is_found_by_its_name() -> None:
    (want,) = dealt().round.wants()
    assert isinstance(want, Decision)
    found = want.option("double")
    assert found is not None
    assert (found.cost_minor, found.cost_min_minor) == (100, 100)
    assert want.option("split") is None


# --- opening a round ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wagers", "code"),
    [
        ([], "no_main_bet"),
        ([Wager(0, "any_pair", 5)], "no_main_bet"),
        ([Wager(0, "main", 5), Wager(0, "main", 5)], "placed_twice"),
        ([Wager(0, "main", 5), Wager(0, "any_pair", 5), Wager(0, "any_pair", 6)], "placed_twice"),
        ([Wager(1, "main", 5)], "no_such_box"),
        ([Wager(-1, "main", 5)], "no_such_box"),
        ([Wager(0, "main", 0)], "no_stake"),
        ([Wager(0, "main", -5)], "no_stake"),
        ([Wager(0, "main", 5), Wager(0, "any_pair", 0)], "no_stake"),
        ([Wager(0, "main", 5), Wager(0, "lottery", 5)], "no_such_bet"),
    ],
)
def test_wagers_that_open_no_round_are_refused(wagers: list[Wager], code: str) -> None:
    with pytest.raises(Refused) as refused:
        PREMIUM.game.start(published_tables()["infinite"].rules, wagers)
    assert refused.value.code == code


def test_the_order_of_wagers_does_not_matter() -> None:
    rules = published_tables()["seven_seat"].rules
    wagers = [
        Wager(5, "main", 7),
        Wager(2, "twenty_one_plus_three", 1),
        Wager(2, "main", 5),
        Wager(2, "perfect_pairs", 2),
    ]
    assert PREMIUM.game.start(rules, wagers) == PREMIUM.game.start(rules, wagers[::-1])
