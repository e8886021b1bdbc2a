"""The layout of a roulette told once more, by geometry; and what its bets return."""

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


def laid(rules: Rules, kind: str) -> set[frozenset[str]]:
    return {frozenset(position.pockets) for position in positions(rules).values() if position.kind == kind}


def at(number: int) -> tuple[int, int]:
    """Row and column."""
    return (number - 1) // 3, (number - 1) % 3


def block(rows: int, columns: int) -> set[frozenset[str]]:
    """All the numbers in a rectangle of the layout, wherever it lies."""
    return {
        frozenset(
            str(n)
            for n in range(1, 37)
            if at(n)[0] - row in range(rows) and at(n)[1] - column in range(columns)
        )
        for row in range(13 - rows)
        for column in range(4 - columns)
    }


def numbers(*names: str) -> set[frozenset[str]]:
    return {frozenset(name.split()) for name in names}


def test_there_are_157_bets_on_a_layout_with_one_zero() -> None:
    assert Counter(position.kind for position in positions(SINGLE).values()) == COUNTS
    assert len(positions(SINGLE)) == 157


def test_two_zeros_have_other_neighbours_and_the_five_number_bet() -> None:
    found = Counter(position.kind for position in positions(DOUBLE).values())
    assert found == COUNTS | {"straight": 38, "split": 62, "street": 15, "corner": 22, "five_number": 1}


@pytest.mark.parametrize("rules", [SINGLE, DOUBLE])
def test_inside_bets_lie_where_numbers_touch(rules: Rules) -> None:
    """004 2.1."""
    single = rules.wheel == "single_zero"
    splits = numbers("0 1", "0 2", "0 3") if single else numbers("0 00", "0 1", "0 2", "00 2", "00 3")
    trios = numbers("0 1 2", "0 2 3") if single else numbers("0 1 2", "00 2 3", "0 00 2")
    assert laid(rules, "straight") == {frozenset((pocket,)) for pocket in pockets(rules)}
    assert laid(rules, "split") == block(1, 2) | block(2, 1) | splits
    assert laid(rules, "street") == block(1, 3) | trios
    assert laid(rules, "corner") == block(2, 2) | (numbers("0 1 2 3") if single else set())
    assert laid(rules, "six_line") == block(2, 3)
    assert laid(rules, "five_number") == (set() if single else numbers("0 00 1 2 3"))


@pytest.mark.parametrize("rules", [SINGLE, DOUBLE])
def test_outside_bets_part_the_numbers_and_leave_the_zeros(rules: Rules) -> None:
    every = {str(number) for number in range(1, 37)}
    for kind, parts in (("column", 3), ("dozen", 3)):
        found = laid(rules, kind)
        assert len(found) == parts
        assert set().union(*found) == every
    assert laid(rules, "column") == block(12, 1)
    for one, other in (("red", "black"), ("odd", "even"), ("low", "high")):
        halves = [set(positions(rules)[name].pockets) for name in (one, other)]
        assert halves[0] | halves[1] == every
        assert len(halves[0]) == len(halves[1]) == 18


@pytest.mark.parametrize("rules", [SINGLE, DOUBLE])
def test_no_two_positions_cover_the_same(rules: Rules) -> None:
    every = [frozenset(position.pockets) for position in positions(rules).values()]
    assert not [one for one, other in combinations(every, 2) if one == other]


@pytest.mark.parametrize(
    ("name", "pockets_"), [("roulette", 37), ("american_roulette", 38), ("live_roulette", 37)]
)
def test_every_bet_keeps_the_same_share_but_the_five_number_bet(name: str, pockets_: int) -> None:
    """004 2.4: 36 stakes are shared by the pockets of a bet, and one pocket or two are the house's."""
    table = published_tables()[name]
    for bet in table.game.bets(table.rules):
        covered = len(positions(table.rules)[bet.name].pockets)
        returned = Fraction(covered, pockets_) * (1 + Fraction(*bet.pays[0].odds))
        kept = 3 if bet.kind == "five_number" else pockets_ - 36
        assert 1 - returned == Fraction(kept, pockets_), bet.name


def test_an_operator_may_give_half_of_an_even_chance_back_on_zero() -> None:
    table = published_tables()["roulette"]
    partage = with_fields(table, rules=replace(table.rules, even_chance=("win 1:1", "zero half back")))
    start: Coup = table.game.start(partage.rules, [Wager(0, "red", 101), Wager(0, "dozen_1", 100)])
    coup = start.answer(SpinWheel(pockets(partage.rules)), Pocket("0"))
    assert [(line.returned_minor, line.outcome) for line in table.game.settle(coup)] == [
        (50, "zero"),
        (0, "lost"),
    ]
    assert "On zero even chances give half back" in table.game.cloth(partage.rules)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"five_number": ("win 6:1",)}, "five_number"),
        ({"straight": ("zero 35:1",)}, "straight"),
        ({"even_chance": ("win 1:1", "win 2:1")}, "even_chance"),
    ],
)
def test_rules_that_make_no_layout_are_refused(changes: dict[str, tuple[str, ...]], field: str) -> None:
    flaws = published_tables()["roulette"].game.rule_errors(replace(SINGLE, **changes), "own")
    assert {found for found, _ in flaws} == {field}
