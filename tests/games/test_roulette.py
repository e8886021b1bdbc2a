"""The layout of roulette, compared with a reference by geometry, and the returns of its bets."""

from collections import Counter
from dataclasses import replace as with_fields
from fractions import Fraction
from itertools import combinations

import pytest
from msgspec.structs import replace

from croupier.games import published_tables
from croupier.games.roulette.layout import positions
from croupier.games.roulette.rules import Rules, pockets
from croupier.play.contract.bets import Wager
from croupier.play.contract.wants import Pocket, SpinWheel
from croupier.play.coup.coup import Coup

SINGLE, DOUBLE = Rules(), Rules(wheel="double_zero", five_number=("win 6:1",))
COUNTS = {
    "straight": 37,
    "split": 60,
    "street": 14,
    "corner": 23,
    "six_line": 11,
    "column": 3,
    "dozen": 3,
    "even_chance": 6,
}


def bets_of_kind(rules: Rules, kind: str) -> set[frozenset[str]]:
    return {frozenset(position.pockets) for position in positions(rules).values() if position.kind == kind}


def row_and_column(number: int) -> tuple[int, int]:
    """Return the row and the column of a number."""
    return (number - 1) // 3, (number - 1) % 3


def rectangles(rows: int, columns: int) -> set[frozenset[str]]:
    """Return the sets of numbers in rectangles of this size, at every position of the layout."""
    return {
        frozenset(
            str(n)
            for n in range(1, 37)
            if row_and_column(n)[0] - row in range(rows) and row_and_column(n)[1] - column in range(columns)
        )
        for row in range(13 - rows)
        for column in range(4 - columns)
    }


def numbers(*names: str) -> set[frozenset[str]]:
    return {frozenset(name.split()) for name in names}


def test_a_single_zero_layout_has_157_bets() -> None:
    assert Counter(position.kind for position in positions(SINGLE).values()) == COUNTS
    assert len(positions(SINGLE)) == 157


def test_a_double_zero_layout_has_a_five_number_bet_and_other_inside_bets() -> None:
    counts = Counter(position.kind for position in positions(DOUBLE).values())
    assert counts == COUNTS | {"straight": 38, "split": 62, "street": 15, "corner": 22, "five_number": 1}


@pytest.mark.parametrize("rules", [SINGLE, DOUBLE])
def test_inside_bets_are_where_numbers_touch(rules: Rules) -> None:
    """004 2.1."""
    single = rules.wheel == "single_zero"
    splits = numbers("0 1", "0 2", "0 3") if single else numbers("0 00", "0 1", "0 2", "00 2", "00 3")
    trios = numbers("0 1 2", "0 2 3") if single else numbers("0 1 2", "00 2 3", "0 00 2")
    assert bets_of_kind(rules, "straight") == {frozenset((pocket,)) for pocket in pockets(rules)}
    assert bets_of_kind(rules, "split") == rectangles(1, 2) | rectangles(2, 1) | splits
    assert bets_of_kind(rules, "street") == rectangles(1, 3) | trios
    assert bets_of_kind(rules, "corner") == rectangles(2, 2) | (numbers("0 1 2 3") if single else set())
    assert bets_of_kind(rules, "six_line") == rectangles(2, 3)
    assert bets_of_kind(rules, "five_number") == (set() if single else numbers("0 00 1 2 3"))


@pytest.mark.parametrize("rules", [SINGLE, DOUBLE])
def test_outside_bets_partition_the_numbers_without_zeros(rules: Rules) -> None:
    expected = {str(number) for number in range(1, 37)}
    for kind, count in (("column", 3), ("dozen", 3)):
        covered = bets_of_kind(rules, kind)
        assert len(covered) == count
        assert set().union(*covered) == expected
    assert bets_of_kind(rules, "column") == rectangles(12, 1)
    for first, second in (("red", "black"), ("odd", "even"), ("low", "high")):
        halves = [set(positions(rules)[name].pockets) for name in (first, second)]
        assert halves[0] | halves[1] == expected
        assert len(halves[0]) == len(halves[1]) == 18


@pytest.mark.parametrize("rules", [SINGLE, DOUBLE])
def test_no_two_positions_cover_the_same_pockets(rules: Rules) -> None:
    covered = [frozenset(position.pockets) for position in positions(rules).values()]
    assert not [first for first, second in combinations(covered, 2) if first == second]


@pytest.mark.parametrize(
    ("name", "pocket_count"), [("roulette", 37), ("american_roulette", 38), ("live_roulette", 37)]
)
def test_all_bets_but_the_five_number_bet_have_one_house_edge(name: str, pocket_count: int) -> None:
    """004 2.4: a winning bet returns 36 stakes divided by its pockets; one pocket or two are the edge."""
    table = published_tables()[name]
    for bet in table.game.bets(table.rules):
        covered = len(positions(table.rules)[bet.name].pockets)
        returned = Fraction(covered, pocket_count) * (1 + Fraction(*bet.pays[0].odds))
        edge = 3 if bet.kind == "five_number" else pocket_count - 36
        assert 1 - returned == Fraction(edge, pocket_count), bet.name


def test_even_chances_may_return_half_on_zero() -> None:
    table = published_tables()["roulette"]
    la_partage = with_fields(table, rules=replace(table.rules, even_chance=("win 1:1", "zero half back")))
    start: Coup = table.game.start(la_partage.rules, [Wager(0, "red", 101), Wager(0, "dozen_1", 100)])
    coup = start.answer(SpinWheel(pockets(la_partage.rules)), Pocket("0"))
    assert [(line.returned_minor, line.outcome) for line in table.game.settle(coup)] == [
        (50, "zero"),
        (0, "lost"),
    ]
    assert "On zero even chances give half back" in table.game.cloth(la_partage.rules)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"five_number": ("win 6:1",)}, "five_number"),
        ({"straight": ("zero 35:1",)}, "straight"),
        ({"even_chance": ("win 1:1", "win 2:1")}, "even_chance"),
    ],
)
def test_rules_without_a_valid_layout_are_refused(changes: dict[str, tuple[str, ...]], field: str) -> None:
    errors = published_tables()["roulette"].game.rule_errors(replace(SINGLE, **changes), "own")
    assert {name for name, _ in errors} == {field}
