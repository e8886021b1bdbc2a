"""The coverage of bets, and bets that a table doesn't accept together, in any game."""

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
    coverage_max,
    restriction_errors,
    restriction_notes,
)
from croupier.refusal import Refused

TABLES = published_tables()
ROULETTE = TABLES["live_roulette"]
POCKETS = 37
COVERED_MAX = 34

BETS = (
    Bet("left", main=True, pays=(Pay("won", Odds(1, 1)), Pay("back", PUSH))),
    Bet("right", main=True, pays=(Pay("won", Odds(1, 1)), Pay("back", HALF_BACK))),
)
LABELS = {"left": "Left", "right": "Right", "middle": "Middle"}


def outcome(_rules: object, bet: str, dealt: CoupSteps) -> str | None:
    """Of four pockets, `a` and `b` are left, `c` is right, and `d` returns stakes."""
    pocket = str(dealt[0].answer)
    return "back" if pocket == "d" else "won" if (pocket in "ab") == (bet == "left") else None


def coup_of(*wants: Want) -> CoupDefinition:
    """Return a coup with these wants, one after the other."""
    return CoupDefinition(
        bets=lambda _rules: BETS,
        wanted=lambda _rules, dealt: wants[len(dealt)] if len(dealt) < len(wants) else None,
        outcome=outcome,
        result=lambda _rules, dealt: str(dealt[0].answer),
    )


SPIN = SpinWheel(("a", "b", "c", "d"))
FOUR_POCKETS = coverage(coup_of(SPIN), None)


def refused(restrictions: Restrictions, coverage: Coverage | None, *bets: str) -> Refused | None:
    try:
        check_bets(restrictions, coverage, bets, LABELS)
    except Refused as refusal:
        return refusal
    return None


def test_a_bet_covers_the_outcomes_that_it_wins_but_not_pushes() -> None:
    assert Coverage(4, {"left": frozenset("ab"), "right": frozenset("c")}) == FOUR_POCKETS
    assert FOUR_POCKETS.covered(["left"]) == 2
    assert FOUR_POCKETS.covered(["left", "right", "left"]) == 3
    assert FOUR_POCKETS.covered([]) == 0


def test_every_roll_is_an_outcome_of_its_own() -> None:
    rolls = TABLES["sic_bo"].coverage
    assert rolls is not None
    assert rolls.outcomes == 6**3
    assert len(rolls.of["any_triple"]) == 6
    assert len(rolls.of["big"]) == len(rolls.of["small"]) == 105


@pytest.mark.parametrize("wants", [(DealCard(At(0)),), (SPIN, SPIN), (RollDice(2), DealCard(At(0))), ()])
def test_cards_and_several_spins_have_no_coverage(wants: tuple[Want, ...]) -> None:
    assert coverage(coup_of(*wants), None) is None


@pytest.mark.parametrize("name", [name for name, table in TABLES.items() if table.coverage is None])
def test_only_card_games_have_no_coverage(name: str) -> None:
    assert TABLES[name].game.decks(TABLES[name].rules), "only the outcomes of cards can't be counted"


def test_bets_are_refused_only_if_they_include_a_whole_line() -> None:
    restrictions = Restrictions((("left", "right", "middle"), ("left", "right")))
    assert refused(restrictions, None, "left", "middle") is None
    assert refused(restrictions, None) is None
    refusal = refused(restrictions, None, "right", "middle", "left")
    assert refusal is not None
    assert (refusal.code, refusal.rule, refusal.args_["bets"]) == (
        "never_together",
        "never_together",
        "Left, Right and Middle",
    )


@pytest.mark.parametrize(("percent", "most"), [(100, 4), (99, 3), (75, 3), (74, 2), (50, 2), (24, 0)])
def test_the_maximum_coverage_is_rounded_down(percent: int, most: int) -> None:
    assert FOUR_POCKETS is not None
    restrictions = Restrictions((), percent)
    assert coverage_max(restrictions, FOUR_POCKETS) == most
    assert (refused(restrictions, FOUR_POCKETS, "left", "right") is None) == (most >= 3)


STRAIGHTS = [bet for bet in ROULETTE.game.bets(ROULETTE.rules) if bet.kind == "straight"]
EVERY_BET = [bet.name for bet in ROULETTE.game.bets(ROULETTE.rules)]


def accepts(table: Table, *bets: str) -> bool:
    try:
        check_bets(table.restrictions, table.coverage, bets, table.game.labels)
    except Refused as refusal:
        assert refusal.code == "covers_too_much"
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
def test_any_34_straights_are_accepted_and_35_are_refused(bets: list[Bet]) -> None:
    assert accepts(ROULETTE, *(bet.name for bet in bets)) == (len(bets) <= COVERED_MAX)


def pockets_won(bets: Iterable[str]) -> int:
    """Count the pockets on which any of the bets wins, by spinning each: the slow reference."""
    start = ROULETTE.game.start(ROULETTE.rules, [Wager(0, bet, 100) for bet in bets])
    (want,) = start.wants()
    spun = [start.answer(want, Pocket(pocket)) for pocket in want.pockets]
    return sum(any(line.returned_minor > 100 for line in ROULETTE.game.settle(coup)) for coup in spun)


INSIDE = [bet.name for bet in ROULETTE.game.bets(ROULETTE.rules) if bet.kind not in ("even_chance", "dozen")]


@given(st.sets(st.sampled_from(EVERY_BET), min_size=1) | st.sets(st.sampled_from(INSIDE), min_size=15))
def test_bets_are_accepted_if_they_win_on_at_most_34_pockets(bets: set[str]) -> None:
    assert accepts(ROULETTE, *bets) == (pockets_won(bets) <= COVERED_MAX)


@pytest.mark.parametrize("bets", [*combinations(("red", "black", "straight_0"), 2)])
def test_opposite_even_chances_are_refused(bets: tuple[str, ...]) -> None:
    assert accepts(ROULETTE, *bets) == (bets != ("red", "black"))


def test_a_table_without_restrictions_accepts_everything() -> None:
    own = TABLES["roulette"]
    assert accepts(own, *EVERY_BET)
    assert restriction_notes(own.restrictions, own.coverage, own.game.labels) == ()


def test_notes_on_restrictions_use_the_labels_of_bets() -> None:
    restrictions = Restrictions((("left", "right"),), 50)
    assert restriction_notes(restrictions, FOUR_POCKETS, LABELS) == (
        "Left and Right can't be bet on in the same round.",
        "All your bets in a round may cover at most 50 % of the outcomes: 2 of 4.",
    )


@pytest.mark.parametrize(
    ("restrictions", "coverage", "field", "expected"),
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
def test_an_invalid_restriction_is_reported(
    restrictions: Restrictions, coverage: Coverage | None, field: str, expected: str
) -> None:
    found = list(restriction_errors(restrictions, coverage, ["left", "right"]))
    assert [each for each, _ in found] == [field]
    assert expected in found[0][1]


def test_a_valid_restriction_has_no_errors() -> None:
    assert not list(
        restriction_errors(Restrictions((("left", "right"),), 92), FOUR_POCKETS, ["left", "right"])
    )


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
def test_live_tables_of_coups_have_the_restriction_of_their_game(
    table: str, restrictions: Restrictions
) -> None:
    """004 6."""
    assert TABLES[table].restrictions == restrictions
