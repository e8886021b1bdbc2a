"""Dice with six faces."""

from croupier.equipment.rng import RandomSource

FACES = 6


def roll(dice: int, random_source: RandomSource) -> tuple[int, ...]:
    """Roll a number of independent dice; faces count from 1."""
    return tuple(random_source.below(FACES) + 1 for _ in range(dice))
