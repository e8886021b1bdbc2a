"""Checks that the certified generator must pass and each planted fault must fail.

The checks of the mapping and of the shuffle are proofs: they enumerate every case. The checks of entropy
show that it is fresh, which no proof of the mapping can.
"""

import os
import warnings
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations, repeat
from typing import Protocol

from croupier.equipment.cards import DECK
from croupier.equipment.rng import RandomSource
from croupier.equipment.shoe import Shoe, encode

OUTCOMES_MAX = 416
"""The cards of eight decks: no draw has more outcomes."""

WordMapping = Callable[[int, int, int], int | None]
"""Maps a word to one of n outcomes, or rejects it; see `word_to_outcome`."""
Count = Callable[[WordMapping, int, int], list[int]]
Deal = Callable[[], Shoe]


class Shuffle(Protocol):
    def __call__(self, items: Sequence[int], random_source: RandomSource, /) -> tuple[int, ...]: ...


# --- the mapping of words to outcomes ---------------------------------------------------------


def counts(mapping: WordMapping, n: int, bits: int) -> list[int]:
    """Count the words of each outcome by trying all 2**bits of them."""
    count = Counter(map(mapping, range(1 << bits), repeat(n), repeat(bits)))
    return [count[outcome] for outcome in range(n)]


def counts_at_edges(mapping: WordMapping, n: int, bits: int) -> list[int]:
    """Count the words of each outcome where the width is too large to try them all.

    `word * n` increases with the word, so the words whose product is in [outcome, outcome + 1) * 2**bits form
    one interval. The offset within it increases too, so the rejected words are at the start of the interval.
    """
    edges = [-((-outcome << bits) // n) for outcome in range(n + 1)]

    def accepted(outcome: int) -> int:
        words = range(edges[outcome], edges[outcome + 1])
        return len(words) - bisect_left(words, x=True, key=lambda word: mapping(word, n, bits) == outcome)

    return [accepted(outcome) for outcome in range(n)]


def biased(mapping: WordMapping, bits: int, count: Count = counts) -> list[int]:
    """Return each n up to 416 for which some outcome doesn't have exactly 2**bits // n words."""
    outcomes = range(1, min(OUTCOMES_MAX, 1 << bits) + 1)
    return [n for n in outcomes if set(count(mapping, n, bits)) != {(1 << bits) // n}]


def assert_unbiased(mapping: WordMapping, bits: int, count: Count = counts) -> None:
    wrong = biased(mapping, bits, count)
    assert not wrong, f"biased for {len(wrong)} n at {bits} bits: {wrong}"


# --- the shuffle ------------------------------------------------------------------------------


class _EnumeratedSource(RandomSource):
    """Draws from a script, then zeros; `bounds` records the `n` of each call."""

    def __init__(self, script: list[int]) -> None:
        self.script = script
        self.bounds: list[int] = []

    def below(self, n: int) -> int:
        self.bounds.append(n)
        if len(self.bounds) > len(self.script):
            self.script.append(0)
        return self.script[len(self.bounds) - 1]

    def next_script(self) -> list[int]:
        """Return the next script, counting like an odometer; empty after the last one."""
        script = list(self.script)
        while script and script[-1] == self.bounds[len(script) - 1] - 1:
            script.pop()
        return [*script[:-1], script[-1] + 1] if script else []


def all_runs(shuffle: Shuffle, size: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield the bounds of the draws and the resulting order for each possible sequence of draws."""
    script: list[int] | None = None
    while script is None or script:
        source = _EnumeratedSource(script or [])
        order = shuffle(range(size), source)
        yield tuple(source.bounds), order
        script = source.next_script()


def assert_all_permutations_once(shuffle: Shuffle, size: int) -> None:
    runs = list(all_runs(shuffle, size))
    assert len({bounds for bounds, _ in runs}) == 1, "some sequences of draws are more likely than others"
    orders = sorted(order for _, order in runs)
    assert orders == list(permutations(range(size))), f"{size} items: not every order occurs exactly once"


def position_chi_square(deal: Callable[[], Sequence[int]], shoes: int) -> float:
    """Return the chi-square of card positions over many shuffles, for (cards - 1)**2 degrees of freedom."""
    count = Counter(cell for _ in range(shoes) for cell in enumerate(deal()))
    cards = len(deal())
    expected = shoes / cards
    cells = ((position, card) for position in range(cards) for card in range(cards))
    return sum((count[cell] - expected) ** 2 for cell in cells) / expected * (cards - 1) / cards


# --- the entropy ------------------------------------------------------------------------------


def assert_shoes_differ(deal: Deal, shoes: int = 2000) -> None:
    """Check that no two shoes begin with the same 26 cards, which hold more than 128 bits."""
    beginnings = Counter(deal().cards[:26] for _ in range(shoes))
    assert len(beginnings) == shoes, f"{shoes} shoes, but {len(beginnings)} different beginnings"


def assert_forks_differ(deal: Deal, forks: int = 8) -> None:
    """Check that forked processes deal shoes different from each other's and from this process's next one."""
    orders = [_dealt_in_a_fork(deal) for _ in range(forks)] + [encode(deal().cards)]
    assert all(len(order) % len(DECK) == 0 and order for order in orders), "a fork could not deal"
    assert len(set(orders)) == len(orders), f"{len(orders)} processes dealt {len(set(orders))} shoes"


def _dealt_in_a_fork(deal: Deal) -> bytes:
    reading, writing = os.pipe()
    if (child := _fork()) == 0:
        try:
            os.write(writing, encode(deal().cards))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        order = pipe.read()
    os.waitpid(child, 0)
    return order


def _fork() -> int:
    with warnings.catch_warnings():
        # Other tests may have left threads running. The child needs none of their locks: it deals and exits.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()
