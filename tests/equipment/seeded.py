"""Draws that come again: for tests only, the house has no seeded generator."""

import random

from croupier.equipment.rng import WORD_BITS, word_to_outcome


class SeededDraws:
    """The certified mapping over the words of a seeded generator: the same seed, the same draws."""

    def __init__(self, seed: int) -> None:
        self._words = random.Random(seed)

    def below(self, n: int) -> int:
        while (outcome := word_to_outcome(self._words.getrandbits(WORD_BITS), n)) is None:
            pass
        return outcome
