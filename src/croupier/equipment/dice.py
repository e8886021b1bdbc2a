"""Dice with six faces."""

from croupier.equipment.rng import Draws

FACES = 6


def rolled(dice: int, draws: Draws) -> tuple[int, ...]:
    """The faces of so many dice, from 1, each independent of the others."""
    return tuple(draws.below(FACES) + 1 for _ in range(dice))
