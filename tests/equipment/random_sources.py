"""Deterministic random sources, for tests only: the package has no seeded generator."""

import random
from collections.abc import Sequence

from croupier.equipment.rng import WORD_BITS, RandomSource, word_to_outcome


class SeededRandomSource(RandomSource):
    """The certified mapping over the words of a seeded generator: equal seeds give equal draws."""

    def __init__(self, seed: int) -> None:
        self._words = random.Random(seed)

    def below(self, n: int) -> int:
        while (outcome := word_to_outcome(self._words.getrandbits(WORD_BITS), n)) is None:
            pass
        return outcome


class ScriptedRandomSource(RandomSource):
    """Predetermined draws; `bounds` records the `n` of each call."""

    def __init__(self, draws: Sequence[int]) -> None:
        self.draws = list(draws)
        self.bounds: list[int] = []

    def below(self, n: int) -> int:
        self.bounds.append(n)
        return self.draws.pop(0)
