"""Dice: all rolls are equally likely."""

from collections import Counter
from itertools import product

from croupier.equipment.dice import FACES, roll
from tests.equipment.random_sources import ScriptedRandomSource


def test_each_roll_has_exactly_one_sequence_of_draws() -> None:
    sequences = list(product(range(FACES), repeat=3))
    rolls = Counter(roll(3, ScriptedRandomSource(draws)) for draws in sequences)
    assert rolls == Counter(product(range(1, 7), repeat=3))
