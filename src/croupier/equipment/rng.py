"""The certified random number generator: the only source of chance for dealing.

`word_to_outcome` turns words of operating-system entropy into integers, and `shuffled` turns integers into
orders of cards. Both are pure, so tests prove them unbiased by enumerating every case.
"""

import os
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

RNG_VERSION = "1.0.0"
RNG_DATE = "2026-11-21"

WORD_BITS = 32
_READ = struct.Struct("=440I")
"""One read: enough for the 415 draws of an eight-deck shoe and a few rejected words."""

Item = TypeVar("Item")


class RandomSource(Protocol):
    """A source of random integers. It is given only the number of outcomes."""

    def below(self, n: int) -> int:
        """Return one of 0, 1 ... n - 1, equally likely and independent of all other draws."""
        ...

    def each_below(self, bounds: Iterable[int]) -> Sequence[int]:
        """Return a draw below each bound, as single draws would be."""
        return [self.below(n) for n in bounds]


class EntropyRepeated(RuntimeError):
    """The operating system's entropy repeats itself, so nothing may be dealt from it."""


def word_to_outcome(word: int, n: int, bits: int = WORD_BITS) -> int | None:
    """Map a random word of `bits` bits to one of `n` outcomes; None if the word is rejected.

    Lemire's method (Fast random integer generation in an interval, 2019). The words are distributed over n
    equal intervals, and the 2**bits % n surplus words are rejected, so each outcome has 2**bits // n words.
    ValueError if there are fewer words than outcomes.
    """
    words = 1 << bits
    if not 0 < n <= words:
        raise ValueError(f"words of {bits} bits can't tell {n} outcomes apart")
    outcome, offset = divmod(word * n, words)
    return outcome if offset >= words % n else None


def shuffled(items: Sequence[Item], random_source: RandomSource) -> tuple[Item, ...]:
    """Return the items in random order (Fisher-Yates): each order has exactly one sequence of draws."""
    order = list(items)
    last_first = range(len(order) - 1, 0, -1)
    drawn = random_source.each_below(range(len(order), 1, -1))
    for last, chosen in zip(last_first, drawn, strict=True):
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def entropy_words(read: Callable[[int], bytes] = os.urandom) -> Iterator[int]:
    """Yield words of WORD_BITS bits without end; EntropyRepeated if too many repeat."""
    while True:
        yield from _checked(_READ.unpack(read(_READ.size)))


def _checked(words: tuple[int, ...]) -> tuple[int, ...]:
    # By chance, half of the words repeat less than once in 2**1000 reads.
    if len(set(words)) <= len(words) // 2:
        raise EntropyRepeated(f"only {len(set(words))} different words among {len(words)} of entropy")
    return words


class OsRandomSource(RandomSource):
    """Random integers from the operating system. Create one for each shoe, so that no state outlives it."""

    def __init__(self) -> None:
        self._words, self._reader = entropy_words(), os.getpid()

    def below(self, n: int) -> int:
        return self.each_below((n,))[0]

    def each_below(self, bounds: Iterable[int]) -> Sequence[int]:
        if self._reader != os.getpid():  # a forked process has its parent's unused words, so it drops them
            self._words, self._reader = entropy_words(), os.getpid()
        drawn, words = list[int](), self._words
        for n in bounds:
            while (outcome := word_to_outcome(next(words), n)) is None:
                pass
            drawn.append(outcome)
        return drawn
