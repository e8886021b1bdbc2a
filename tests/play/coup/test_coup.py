"""Coups of a small game: a wheel of four pockets, with a bet that pushes and one that loses half."""

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
    pocket = str(dealt[0].answer)
    (pays,) = (offered.pays for offered in BETS if offered.name == bet)
    return pocket if any(pay.outcome == pocket for pay in pays) else None


GAME = CoupDefinition(
    bets=lambda _rules: BETS,
    wanted=lambda _rules, dealt: None if dealt else SpinWheel(POCKETS),
    outcome=outcome,
    result=lambda _rules, dealt: str(dealt[0].answer),
)
WAGERS = (Wager(0, "on_a", 100), Wager(0, "on_b", 101), Wager(0, "on_c", 33))


def ended_coup(pocket: str, wagers: Sequence[Wager] = WAGERS) -> Coup:
    return start(GAME, None, wagers).answer(SpinWheel(POCKETS), Pocket(pocket))


@pytest.mark.parametrize(
    ("pocket", "lines"),
    [
        ("a", [("on_a", 400, "a"), ("on_b", 0, "lost"), ("on_c", 0, "lost")]),
        ("b", [("on_a", 0, "lost"), ("on_b", 101 + 95, "b"), ("on_c", 0, "lost")]),
        ("c", [("on_a", 0, "lost"), ("on_b", 0, "lost"), ("on_c", 33 + 39, "c")]),
        ("d", [("on_a", 100, "d"), ("on_b", 50, "d"), ("on_c", 0, "lost")]),
    ],
)
def test_each_bet_pays_the_line_that_came_up(pocket: str, lines: list[tuple[str, int, str]]) -> None:
    """Winnings are rounded down, and so is the half of a stake that is returned."""
    found = [(line.bet, line.returned_minor, line.outcome) for line in settle(ended_coup(pocket))]
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
def test_an_invalid_bet_is_refused(wagers: list[Wager], code: str) -> None:
    with pytest.raises(Refused) as refused:
        start(GAME, None, wagers)
    assert refused.value.code == code


@pytest.mark.parametrize("answer", [Pocket("e"), Roll((1,)), None, True])
def test_a_wrong_answer_changes_nothing(answer: Answer) -> None:
    coup = start(GAME, None, WAGERS)
    with pytest.raises(Refused, match="wrong_answer"):
        coup.answer(SpinWheel(POCKETS), answer)
    with pytest.raises(Refused, match="not_wanted"):
        coup.answer(DealCard(At(0)), answer)
    assert coup == start(GAME, None, WAGERS)
    with pytest.raises(Refused, match="not_wanted"):
        ended_coup("a").answer(SpinWheel(POCKETS), Pocket("a"))


def test_the_view_shows_the_stakes_and_at_the_end_the_winning_bets() -> None:
    before = CoupView(*coup_fields(start(GAME, None, WAGERS[:1])))
    assert before == CoupView((BetView("on_a", 100, None, None),), False, 100, 0, (), "")
    after = CoupView(*coup_fields(ended_coup("b", WAGERS[:1])))
    assert after == CoupView((BetView("on_a", 100, 0, "lost"),), True, 100, 0, ("on_b",), "b")
    pushed = CoupView(*coup_fields(ended_coup("d")))
    assert (pushed.won, pushed.returned_minor) == ((), 150), "a push and half a stake returned are not wins"


def test_the_lines_hit_include_bets_that_nobody_placed() -> None:
    assert [(bet, pay.outcome) for bet, pay in lines_hit(ended_coup("d", WAGERS[2:]))] == [
        ("on_a", "d"),
        ("on_b", "d"),
    ]


@given(
    st.sampled_from(POCKETS),
    st.dictionaries(st.sampled_from([bet.name for bet in BETS]), st.integers(1, 10**9), min_size=1),
)
def test_a_shared_coup_pays_each_stake_like_a_coup_of_its_own(pocket: str, stakes: dict[str, int]) -> None:
    assert unit_stake(BETS) == 20
    wagers = tuple(Wager(0, bet, stake) for bet, stake in stakes.items())
    shared = share(GAME, None, WAGERS).answer(Pocket(pocket))
    units = {bet: line for bet, (line,) in shared.unit_settlement(()).items()}
    scaled = tuple(
        Settled(0, 0, bet, stake, stake * unit.returned_minor // unit.stake_minor, unit.outcome)
        for bet, stake in stakes.items()
        for unit in (units[bet],)
    )
    assert scaled == settle(ended_coup(pocket, wagers)) == settle(shared.round_for((), wagers))


def test_the_shared_view_has_only_bets_that_return_something() -> None:
    shared = share(GAME, None, WAGERS[:1])
    assert shared.round_at_stake((), 100).wagers == ()
    after = shared.answer(Pocket("d"))
    assert after.next_to_deal is None
    assert after.round_at_stake((), 100).wagers == (Wager(0, "on_a", 100), Wager(0, "on_b", 100))
