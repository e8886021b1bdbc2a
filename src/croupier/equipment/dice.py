"""Dice with six faces."""

from croupier.equipment.rng import RandomSource

FACES = 6


def roll(dice: int, random_source: RandomSource) -> tuple[int, ...]:
    """The faces of so many dice, from 1, each independent of the others."""
    return tuple(random_source.below(FACES) + 1 for _ in range(dice))
