"""The bets of Sic Bo, compared with a reference over all 216 rolls, and the returns of its paytables."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from msgspec import structs

from croupier.games import published_tables
from croupier.games.sic_bo.bets import bets, line_hit
from croupier.games.sic_bo.rules import Rules
from croupier.play.contract.bets import Bet

ATLANTIC_CITY: Rules = published_tables()["sic_bo"].rules
MACAU = structs.replace(
    ATLANTIC_CITY,
    total_pays=("50:1", "18:1", "14:1", "12:1", "8:1", "6:1", "6:1"),
    double_pays="8:1",
    triple_pays="150:1",
    any_triple_pays="24:1",
)
ROLLS = [tuple(sorted(roll)) for roll in product((1, 2, 3, 4, 5, 6), repeat=3)]
Roll = tuple[int, ...]


def is_big(roll: Roll) -> bool:
    return sum(roll) >= 11 and not roll[0] == roll[1] == roll[2]


def is_small(roll: Roll) -> bool:
    return sum(roll) <= 10 and not roll[0] == roll[1] == roll[2]


def is_odd(roll: Roll) -> bool:
    return sum(roll) % 2 == 1 and not roll[0] == roll[1] == roll[2]


def is_even(roll: Roll) -> bool:
    return sum(roll) % 2 == 0 and not roll[0] == roll[1] == roll[2]


def is_triple(roll: Roll) -> bool:
    return roll[0] == roll[1] == roll[2]


def reference(bet: str) -> Callable[[Roll], bool]:
    """Return a reference for the rolls on which a bet wins, except for bets on a single number."""
    by_name = {"big": is_big, "small": is_small, "odd": is_odd, "even": is_even, "any_triple": is_triple}
    if bet in by_name:
        return by_name[bet]
    kind, *numbers = bet.split("_")
    first, second = int(numbers[0]), int(numbers[-1])
    return {
        "total": lambda roll: sum(roll) == first,
        "double": lambda roll: roll[:2] == (first, first) or roll[1:] == (first, first),
        "triple": lambda roll: roll == (first, first, first),
        "pair": lambda roll: first in roll and second in roll,
    }[kind]


@pytest.mark.parametrize("bet", bets(ATLANTIC_CITY), ids=lambda bet: bet.name)
def test_every_roll_is_settled_like_the_reference(bet: Bet) -> None:
    for roll in ROLLS:
        if bet.kind == "single":
            dice = str(roll).count(bet.name[-1])
            expected = {0: None, 1: "one_die", 2: "two_dice", 3: "three_dice"}[dice]
        else:
            expected = "win" if reference(bet.name)(roll) else None
        assert line_hit(bet.name, roll) == expected, roll


def test_the_layout_has_every_bet_once() -> None:
    names = [bet.name for bet in bets(ATLANTIC_CITY)]
    assert len(names) == len(set(names)) == 4 + 14 + 6 + 6 + 6 + 1 + 15


def house_edge(rules: Rules, name: str) -> str:
    """Return the house edge in percent, with two decimals as usually printed."""
    (bet,) = (bet for bet in bets(rules) if bet.name == name)
    pays = dict(bet.pays)
    lines = [line for roll in ROLLS if (line := line_hit(name, roll))]
    returned = sum((1 + Fraction(*pays[line]) for line in lines), start=Fraction())
    return f"{float(100 * (1 - returned / len(ROLLS))):.2f}"


@pytest.mark.parametrize(
    ("bet", "atlantic_city", "macau"),
    [
        ("small", "2.78", "2.78"),
        ("odd", "2.78", "2.78"),
        ("total_4", "15.28", "29.17"),
        ("total_16", "13.89", "47.22"),
        ("total_6", "16.67", "30.56"),
        ("total_14", "9.72", "9.72"),
        ("total_8", "12.50", "12.50"),
        ("total_12", "18.98", "18.98"),
        ("total_10", "12.50", "12.50"),
        ("single_3", "7.87", "7.87"),
        ("pair_1_6", "16.67", "16.67"),
        ("double_5", "18.52", "33.33"),
        ("triple_2", "16.20", "30.09"),
        ("any_triple", "13.89", "30.56"),
    ],
)
def test_the_house_edge_is_as_published(bet: str, atlantic_city: str, macau: str) -> None:
    assert (house_edge(ATLANTIC_CITY, bet), house_edge(MACAU, bet)) == (atlantic_city, macau)
