"""What bets cover, and bets that a table doesn't take together, whatever the game."""

from collections.abc import Iterable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.games import published_tables
from croupier.play.contract.bets import Bet, Pay, Wager
from croupier.play.contract.coverage import Coverage, coverage
from croupier.play.contract.game import Table
from croupier.play.contract.odds import HALF_BACK, PUSH, Odds
from croupier.play.contract.wants import At, DealCard, Pocket, RollDice, SpinWheel, Want
from croupier.play.coup.coup import CoupDefinition, CoupSteps
from croupier.play.tables.restrictions import (
    Restrictions,
    check_bets,
    covered_most,
    restriction_errors,
    restriction_notes,
)
from croupier.refusal import Refused

TABLES = published_tables()
ROULETTE = TABLES["live_roulette"]
POCKETS = 37
MOST = 34

BETS = (
    Bet("left", main=True, pays=(Pay("won", Odds(1, 1)), Pay("back", PUSH))),
    Bet("right", main=True, pays=(Pay("won", Odds(1, 1)), Pay("back", HALF_BACK))),
)
WORDS = {"left": "Left", "right": "Right", "middle": "Middle"}


def outcome(_rules: object, bet: str, dealt: CoupSteps) -> str | None:
    """Of four pockets `a` and `b` are left, `c` is right, and `d` gives stakes back."""
    pocket = str(dealt[0].answer)
    return "back" if pocket == "d" else "won" if (pocket in "ab") == (bet == "left") else None


def telling(*wants: Want) -> CoupDefinition:
    """These wants one after another."""
    return CoupDefinition(
        bets=lambda _rules: BETS,
        wanted=lambda _rules, dealt: wants[len(dealt)] if len(dealt) < len(wants) else None,
        outcome=outcome,
        result=lambda _rules, dealt: str(dealt[0].answer),
    )


SPIN = SpinWheel(("a", "b", "c", "d"))
FOUR = coverage(telling(SPIN), None)


def refused(restrictions: Restrictions, coverage: Coverage | None, *bets: str) -> Refused | None:
    try:
        check_bets(restrictions, coverage, bets, WORDS)
    except Refused as no:
        return no
    return None


def test_a_bet_covers_what_it_wins_on_and_not_what_gives_it_back() -> None:
    assert Coverage(4, {"left": frozenset("ab"), "right": frozenset("c")}) == FOUR
    assert FOUR.covered(["left"]) == 2
    assert FOUR.covered(["left", "right", "left"]) == 3
    assert FOUR.covered([]) == 0


def test_every_roll_counts_as_likely_as_another() -> None:
    rolls = TABLES["sic_bo"].coverage
    assert rolls is not None
    assert rolls.outcomes == 6**3
    assert len(rolls.of["any_triple"]) == 6
    assert len(rolls.of["big"]) == len(rolls.of["small"]) == 105


@pytest.mark.parametrize("wants", [(DealCard(At(0)),), (SPIN, SPIN), (RollDice(2), DealCard(At(0))), ()])
def test_cards_and_several_spins_cannot_be_counted(wants: tuple[Want, ...]) -> None:
    assert coverage(telling(*wants), None) is None


@pytest.mark.parametrize("name", [name for name, table in TABLES.items() if table.coverage is None])
def test_a_game_of_cards_covers_nothing_that_is_counted(name: str) -> None:
    assert TABLES[name].game.decks(TABLES[name].rules), "only cards can't be counted"


def test_bets_are_refused_only_all_of_a_line_together() -> None:
    three = Restrictions((("left", "right", "middle"), ("left", "right")))
    assert refused(three, None, "left", "middle") is None
    assert refused(three, None) is None
    no = refused(three, None, "right", "middle", "left")
    assert no is not None
    assert (no.code, no.rule, no.args_["bets"]) == (
        "never_together",
        "never_together",
        "Left, Right and Middle",
    )


@pytest.mark.parametrize(("percent", "most"), [(100, 4), (99, 3), (75, 3), (74, 2), (50, 2), (24, 0)])
def test_so_many_percent_are_rounded_down(percent: int, most: int) -> None:
    assert FOUR is not None
    restrictions = Restrictions((), percent)
    assert covered_most(restrictions, FOUR) == most
    assert (refused(restrictions, FOUR, "left", "right") is None) == (most >= 3)


STRAIGHTS = [bet for bet in ROULETTE.game.bets(ROULETTE.rules) if bet.kind == "straight"]
EVERY_BET = [bet.name for bet in ROULETTE.game.bets(ROULETTE.rules)]


def takes(table: Table, *bets: str) -> bool:
    try:
        check_bets(table.restrictions, table.coverage, bets, table.game.labels)
    except Refused as no:
        assert no.code == "covers_too_much"
        return False
    return True


def test_a_roulette_bet_covers_the_pockets_of_its_name() -> None:
    """Each kind by its size on the layout, and inside bets by the numbers in their names."""
    found = ROULETTE.coverage
    assert found is not None
    assert found.outcomes == POCKETS
    sizes = {"straight": 1, "split": 2, "street": 3, "corner": 4, "six_line": 6}
    for bet in ROULETTE.game.bets(ROULETTE.rules):
        covered = found.of[bet.name]
        if bet.kind in sizes:
            assert covered == set(bet.name.removeprefix(bet.kind).strip("_").split("_"))
            assert len(covered) == sizes[bet.kind]
        else:
            assert len(covered) == {"even_chance": 18}.get(bet.kind, 12)


@given(st.lists(st.sampled_from(STRAIGHTS), min_size=POCKETS - 3, max_size=POCKETS, unique=True))
def test_34_straights_pass_whichever_they_are_and_35_do_not(bets: list[Bet]) -> None:
    assert takes(ROULETTE, *(bet.name for bet in bets)) == (len(bets) <= MOST)


def pockets_won(bets: Iterable[str]) -> int:
    """The slow twin: every pocket is spun once, and counted where any of the bets wins."""
    start = ROULETTE.game.start(ROULETTE.rules, [Wager(0, bet, 100) for bet in bets])
    (want,) = start.wants()
    spun = [start.answer(want, Pocket(pocket)) for pocket in want.pockets]
    return sum(any(line.returned_minor > 100 for line in ROULETTE.game.settle(coup)) for coup in spun)


INSIDE = [bet.name for bet in ROULETTE.game.bets(ROULETTE.rules) if bet.kind not in ("even_chance", "dozen")]


@given(st.sets(st.sampled_from(EVERY_BET), min_size=1) | st.sets(st.sampled_from(INSIDE), min_size=15))
def test_bets_of_every_kind_pass_where_they_win_on_34_pockets_or_fewer(bets: set[str]) -> None:
    assert takes(ROULETTE, *bets) == (pockets_won(bets) <= MOST)


@pytest.mark.parametrize("bets", [*combinations(("red", "black", "straight_0"), 2)])
def test_two_even_chances_are_too_many(bets: tuple[str, ...]) -> None:
    assert takes(ROULETTE, *bets) == (bets != ("red", "black"))


def test_a_table_without_restrictions_takes_everything() -> None:
    own = TABLES["roulette"]
    assert takes(own, *EVERY_BET)
    assert restriction_notes(own.restrictions, own.coverage, own.game.labels) == ()


def test_restrictions_are_told_by_what_people_call_the_bets() -> None:
    both = Restrictions((("left", "right"),), 50)
    assert restriction_notes(both, FOUR, WORDS) == (
        "Left and Right can't be bet on in the same round.",
        "All your bets in a round may cover at most 50 % of the outcomes: 2 of 4.",
    )


@pytest.mark.parametrize(
    ("restrictions", "coverage", "field", "why"),
    [
        (Restrictions((("left",),)), None, "never_together", "at least two different bets"),
        (Restrictions((("left", "left"),)), None, "never_together", "at least two different bets"),
        (
            Restrictions((("left", "rigth"),)),
            None,
            "never_together",
            "no bet 'rigth'; allowed are: left",
        ),
        (Restrictions((), 92), None, "covers_at_most_percent", "allowed is: 100"),
    ],
)
def test_a_restriction_that_cannot_be_is_named(
    restrictions: Restrictions, coverage: Coverage | None, field: str, why: str
) -> None:
    found = list(restriction_errors(restrictions, coverage, ["left", "right"]))
    assert [each for each, _ in found] == [field]
    assert why in found[0][1]


def test_what_can_be_is_no_flaw() -> None:
    assert not list(restriction_errors(Restrictions((("left", "right"),), 92), FOUR, ["left", "right"]))


@pytest.mark.parametrize(
    ("table", "restrictions"),
    [
        ("live_roulette", Restrictions((), 92)),
        ("live_baccarat", Restrictions((("player", "banker"),))),
        ("live_sic_bo", Restrictions((("big", "small"), ("odd", "even")))),
        ("live_dragon_tiger", Restrictions((("dragon", "tiger"),))),
        ("live_football_studio", Restrictions((("home", "away"),))),
    ],
)
def test_every_live_table_of_a_coup_has_the_restriction_of_its_game(
    table: str, restrictions: Restrictions
) -> None:
    """004 6."""
    assert TABLES[table].restrictions == restrictions
