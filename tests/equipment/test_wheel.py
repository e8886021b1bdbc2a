"""Roulette wheels: the order and colours of their pockets, all equally likely."""

from collections import Counter

import pytest

from croupier.equipment.wheel import DOUBLE_ZERO, GREEN, RED, SINGLE_ZERO, colour, spin
from tests.equipment.random_sources import ScriptedRandomSource

NUMBERS = set(map(str, range(1, 37)))
RED_BLACK = ["red", "black"]


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


def test_red_and_black_alternate_on_the_single_zero_wheel() -> None:
    """004 2.3: the order of the wheel."""
    colours = [colour(pocket) for pocket in SINGLE_ZERO[1:]]
    assert colours == RED_BLACK * 18


def test_consecutive_numbers_are_opposite_on_the_double_zero_wheel() -> None:
    """Each odd number is opposite the next even one, and the two zeros are opposite each other."""
    position = {pocket: number for number, pocket in enumerate(DOUBLE_ZERO)}
    pairs = [("0", "00"), *((str(odd), str(odd + 1)) for odd in range(1, 36, 2))]
    assert all((position[one] - position[other]) % 38 == 19 for one, other in pairs)
    halves = (DOUBLE_ZERO[1:19], DOUBLE_ZERO[20:])
    assert all([colour(pocket) for pocket in half] in (RED_BLACK * 9, RED_BLACK[::-1] * 9) for half in halves)


@pytest.mark.parametrize("wheel", [SINGLE_ZERO, DOUBLE_ZERO])
def test_each_pocket_has_exactly_one_draw(wheel: tuple[str, ...]) -> None:
    source = ScriptedRandomSource(range(len(wheel)))
    assert [spin(wheel, source) for _ in wheel] == list(wheel)
    assert set(source.bounds) == {len(wheel)}
