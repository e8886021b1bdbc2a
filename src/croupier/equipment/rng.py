"""The certified random number generator: all chance in the house comes from here.

`place` makes whole numbers of words of operating-system entropy, `shuffled` makes orders of cards of
whole numbers. Both are pure, so that the tests prove them unbiased by going through every case.
"""

import os
import struct
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

RNG_VERSION = "1.0.0"
RNG_DATE = "2026-11-21"

WORD_BITS = 32
_READ = struct.Struct("=440I")
"""One read: the 415 draws of an eight-deck shoe, and some to spare for words that are rejected."""

Item = TypeVar("Item")


class RandomSource(Protocol):
    """Where chance comes from. It learns how many outcomes there are and nothing else of the game."""

    def below(self, n: int) -> int:
        """One of 0, 1 ... n - 1, all equally likely and independent of every other draw."""
        ...


class EntropyRepeated(RuntimeError):
    """The operating system's entropy repeats itself: nothing may be dealt from it."""


def word_to_outcome(word: int, n: int, bits: int = WORD_BITS) -> int | None:
    """Which of `n` outcomes a random word of `bits` bits means; None: rejected, draw another word.

    Lemire's method (Fast random integer generation in an interval, 2019). The words are laid over n
    equal stretches, and 2**bits % n of them, those that would fill some stretches more than others, are
    rejected: 2**bits // n words are left for each outcome. ValueError when there are too few words.
    """
    words = 1 << bits
    if not 0 < n <= words:
        raise ValueError(f"words of {bits} bits can't tell {n} outcomes apart")
    outcome, offset = divmod(word * n, words)
    return outcome if offset >= words % n else None


def shuffled(items: Sequence[Item], random_source: RandomSource) -> tuple[Item, ...]:
    """The items in random order (Fisher-Yates): each order comes of exactly one sequence of draws."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        chosen = random_source.below(last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def entropy_words(read: Callable[[int], bytes] = os.urandom) -> Iterator[int]:
    """Words of WORD_BITS bits without end, some hundred to a read; EntropyRepeated when they repeat.

    A forked process holds the same words as its parent, so it drops them and reads its own.
    """
    while True:
        reader = os.getpid()
        for word in _checked(_READ.unpack(read(_READ.size))):
            if os.getpid() != reader:
                break
            yield word


def _checked(words: tuple[int, ...]) -> tuple[int, ...]:
    # Chance makes half of the words repeats less than once in 2**1000 reads; a broken source does.
    if len(set(words)) <= len(words) // 2:
        raise EntropyRepeated(f"only {len(set(words))} different words among {len(words)} of entropy")
    return words


class OsRandomSource:
    """Draws from the operating system's generator. Make one for each shoe, so that nothing outlives it."""

    def __init__(self) -> None:
        self._words = entropy_words()

    def below(self, n: int) -> int:
        while (outcome := word_to_outcome(next(self._words), n)) is None:
            pass
        return outcome
