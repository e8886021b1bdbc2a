"""Wheels and dice: their pockets and faces, and every one as likely as another."""

from collections import Counter
from collections.abc import Sequence
from itertools import product

import pytest

from croupier.equipment.dice import FACES, roll
from croupier.equipment.wheel import DOUBLE_ZERO, GREEN, RED, SINGLE_ZERO, colour, spin

NUMBERS = set(map(str, range(1, 37)))


class Told:
    """Draws that are told beforehand, and below what they must be."""

    def __init__(self, draws: Sequence[int]) -> None:
        self.draws = list(draws)
        self.asked: list[int] = []

    def below(self, n: int) -> int:
        self.asked.append(n)
        return self.draws.pop(0)


@pytest.mark.parametrize(("wheel", "zeros"), [(SINGLE_ZERO, {"0"}), (DOUBLE_ZERO, {"0", "00"})])
def test_a_wheel_has_every_number_once(wheel: tuple[str, ...], zeros: set[str]) -> None:
    assert len(wheel) == 36 + len(zeros)
    assert set(wheel) == NUMBERS | zeros
    assert wheel[0] == "0"


def test_half_of_the_numbers_are_red() -> None:
    assert len(RED) == 18
    assert RED < NUMBERS
    assert Counter(map(colour, SINGLE_ZERO)) == {"red": 18, "black": 18, "green": 1}
    assert {colour(zero) for zero in GREEN} == {"green"}


def test_round_the_single_zero_wheel_red_and_black_take_turns() -> None:
    """004 2.3: the order of the wheel."""
    colours = [colour(pocket) for pocket in SINGLE_ZERO[1:]]
    assert colours == ["red", "black"] * 18


def test_on_the_double_zero_wheel_neighbouring_numbers_lie_opposite() -> None:
    """Each odd number and the even one after it, and the two zeros."""
    place = {pocket: number for number, pocket in enumerate(DOUBLE_ZERO)}
    pairs = [("0", "00"), *((str(odd), str(odd + 1)) for odd in range(1, 36, 2))]
    assert all((place[one] - place[other]) % 38 == 19 for one, other in pairs)
    between = (DOUBLE_ZERO[1:19], DOUBLE_ZERO[20:])
    assert all([colour(pocket) for pocket in half] in (RB * 9, RB[::-1] * 9) for half in between)


RB = ["red", "black"]


@pytest.mark.parametrize("wheel", [SINGLE_ZERO, DOUBLE_ZERO])
def test_each_pocket_comes_of_one_draw(wheel: tuple[str, ...]) -> None:
    draws = Told(range(len(wheel)))
    assert [spin(wheel, draws) for _ in wheel] == list(wheel)
    assert set(draws.asked) == {len(wheel)}


def test_each_roll_comes_of_one_sequence_of_draws() -> None:
    every = list(product(range(FACES), repeat=3))
    found = Counter(roll(3, Told(draws)) for draws in every)
    assert found == Counter(product(range(1, 7), repeat=3))
