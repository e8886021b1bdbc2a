"""Coups of a tiny game: a wheel of four pockets, with a bet that pushes and one that loses half."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.play.contract.bets import Bet, Pay, Settled, Wager
from croupier.play.contract.odds import HALF_BACK, PUSH, Odds
from croupier.play.contract.wants import Answer, At, DealCard, Pocket, Roll, SpinWheel
from croupier.play.coup.coup import Coup, CoupDefinition, CoupSteps, lines_hit, settle, start
from croupier.play.coup.shared import share, unit_stake
from croupier.play.coup.view import BetView, CoupView, coup_fields
from croupier.refusal import Refused

POCKETS = ("a", "b", "c", "d")
BETS = (
    Bet("on_a", main=True, pays=(Pay("a", Odds(3, 1)), Pay("d", PUSH))),
    Bet("on_b", main=True, pays=(Pay("b", Odds(19, 20)), Pay("d", HALF_BACK))),
    Bet("on_c", main=True, pays=(Pay("c", Odds(6, 5)),)),
)


def outcome(_rules: None, bet: str, dealt: CoupSteps) -> str | None:
    came = str(dealt[0].answer)
    (pays,) = (offered.pays for offered in BETS if offered.name == bet)
    return came if any(pay.outcome == came for pay in pays) else None


TELLING = CoupDefinition(
    bets=lambda _rules: BETS,
    wanted=lambda _rules, dealt: None if dealt else SpinWheel(POCKETS),
    outcome=outcome,
    result=lambda _rules, dealt: str(dealt[0].answer),
)
WAGERS = (Wager(0, "on_a", 100), Wager(0, "on_b", 101), Wager(0, "on_c", 33))


def ended(pocket: str, wagers: Sequence[Wager] = WAGERS) -> Coup:
    return start(TELLING, None, wagers).answer(SpinWheel(POCKETS), Pocket(pocket))


@pytest.mark.parametrize(
    ("pocket", "lines"),
    [
        ("a", [("on_a", 400, "a"), ("on_b", 0, "lost"), ("on_c", 0, "lost")]),
        ("b", [("on_a", 0, "lost"), ("on_b", 101 + 95, "b"), ("on_c", 0, "lost")]),
        ("c", [("on_a", 0, "lost"), ("on_b", 0, "lost"), ("on_c", 33 + 39, "c")]),
        ("d", [("on_a", 100, "d"), ("on_b", 50, "d"), ("on_c", 0, "lost")]),
    ],
)
def test_each_bet_goes_by_the_line_that_came_up(pocket: str, lines: list[tuple[str, int, str]]) -> None:
    """Winnings are rounded down; so is what comes back of a stake of which half is lost."""
    found = [(line.bet, line.returned_minor, line.outcome) for line in settle(ended(pocket))]
    assert found == lines


@pytest.mark.parametrize(
    ("wagers", "code"),
    [
        ([], "no_bet"),
        ([Wager(0, "on_e", 1)], "no_such_bet"),
        ([Wager(1, "on_a", 1)], "no_such_box"),
        ([Wager(0, "on_a", 1), Wager(0, "on_a", 1)], "placed_twice"),
        ([Wager(0, "on_a", 0)], "no_stake"),
    ],
)
def test_what_is_no_bet_of_the_table_is_refused(wagers: list[Wager], code: str) -> None:
    with pytest.raises(Refused) as refused:
        start(TELLING, None, wagers)
    assert refused.value.code == code


@pytest.mark.parametrize("answer", [Pocket("e"), Roll((1,)), None, True])
def test_an_answer_that_doesnt_fit_changes_nothing(answer: Answer) -> None:
    coup = start(TELLING, None, WAGERS)
    with pytest.raises(Refused, match="wrong_answer"):
        coup.answer(SpinWheel(POCKETS), answer)
    with pytest.raises(Refused, match="not_wanted"):
        coup.answer(DealCard(At(0)), answer)
    assert coup == start(TELLING, None, WAGERS)
    with pytest.raises(Refused, match="not_wanted"):
        ended("a").answer(SpinWheel(POCKETS), Pocket("a"))


def test_the_view_tells_what_was_laid_and_in_the_end_all_that_won() -> None:
    before = CoupView(*coup_fields(start(TELLING, None, WAGERS[:1])))
    assert before == CoupView((BetView("on_a", 100, None, None),), False, 100, 0, (), "")
    after = CoupView(*coup_fields(ended("b", WAGERS[:1])))
    assert after == CoupView((BetView("on_a", 100, 0, "lost"),), True, 100, 0, ("on_b",), "b")
    pushed = CoupView(*coup_fields(ended("d")))
    assert (pushed.won, pushed.returned_minor) == ((), 150), "a push and a half wins nothing"


def test_what_comes_back_is_told_of_every_bet_of_the_table() -> None:
    assert [(bet, pay.outcome) for bet, pay in lines_hit(ended("d", WAGERS[2:]))] == [
        ("on_a", "d"),
        ("on_b", "d"),
    ]


@given(
    st.sampled_from(POCKETS),
    st.dictionaries(st.sampled_from([bet.name for bet in BETS]), st.integers(1, 10**9), min_size=1),
)
def test_where_everybody_shares_a_coup_a_stake_is_paid_as_alone(pocket: str, stakes: dict[str, int]) -> None:
    assert unit_stake(BETS) == 20
    wagers = tuple(Wager(0, bet, stake) for bet, stake in stakes.items())
    shared = share(TELLING, None, WAGERS).answer(Pocket(pocket))
    parts = {bet: line for bet, (line,) in shared.unit_settlement(()).items()}
    found = tuple(
        Settled(0, 0, bet, stake, stake * parts[bet].returned_minor // parts[bet].stake_minor, line.outcome)
        for bet, stake in stakes.items()
        for line in (parts[bet],)
    )
    assert found == settle(ended(pocket, wagers)) == settle(shared.round_for((), wagers))


def test_what_all_see_of_a_shared_coup_is_only_what_comes_back() -> None:
    shared = share(TELLING, None, WAGERS[:1])
    assert shared.round_at_stake((), 100).wagers == ()
    after = shared.answer(Pocket("d"))
    assert after.next_to_deal is None
    assert after.round_at_stake((), 100).wagers == (Wager(0, "on_a", 100), Wager(0, "on_b", 100))
