"""What the certified generator must pass, and every planted fault must fail.

The first three checks are proofs: they leave no case out. The others look for what no mapping can
show, that fresh entropy is there at all.
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

MOST_OUTCOMES = 416
"""The cards of eight decks: no draw of the house has more outcomes."""

Place = Callable[[int, int, int], int | None]
Count = Callable[[Place, int, int], list[int]]
Deal = Callable[[], Shoe]


class Shuffle(Protocol):
    def __call__(self, items: Sequence[int], draws: RandomSource, /) -> tuple[int, ...]: ...


# --- the mapping of words to outcomes ---------------------------------------------------------


def counts(place: Place, n: int, bits: int) -> list[int]:
    """How many of the 2**bits words mean each outcome, by trying all of them."""
    count = Counter(map(place, range(1 << bits), repeat(n), repeat(bits)))
    return [count[outcome] for outcome in range(n)]


def counts_at_edges(place: Place, n: int, bits: int) -> list[int]:
    """The same for widths too great to try all words.

    `word * n` grows with the word, so the words whose product lies in [outcome, outcome + 1) * 2**bits
    are one stretch, and the offset into it grows too: what is rejected lies at the stretch's start.
    """
    edges = [-((-outcome << bits) // n) for outcome in range(n + 1)]

    def accepted(outcome: int) -> int:
        words = range(edges[outcome], edges[outcome + 1])
        return len(words) - bisect_left(words, x=True, key=lambda word: place(word, n, bits) == outcome)

    return [accepted(outcome) for outcome in range(n)]


def biased(place: Place, bits: int, count: Count = counts) -> list[int]:
    """Every n up to 416 of which some outcome has not exactly 2**bits // n words."""
    outcomes = range(1, min(MOST_OUTCOMES, 1 << bits) + 1)
    return [n for n in outcomes if set(count(place, n, bits)) != {(1 << bits) // n}]


def assert_unbiased(place: Place, bits: int, count: Count = counts) -> None:
    wrong = biased(place, bits, count)
    assert not wrong, f"biased for {len(wrong)} n at {bits} bits: {wrong}"


# --- the shuffle ------------------------------------------------------------------------------


class _Scripted:
    """Draws what the script says, then zeros; remembers what it was asked for."""

    def __init__(self, script: list[int]) -> None:
        self.script = script
        self.asked: list[int] = []

    def below(self, n: int) -> int:
        self.asked.append(n)
        if len(self.asked) > len(self.script):
            self.script.append(0)
        return self.script[len(self.asked) - 1]

    def following(self) -> list[int]:
        """The script after this one, counting like an odometer; empty when this was the last."""
        script = list(self.script)
        while script and script[-1] == self.asked[len(script) - 1] - 1:
            script.pop()
        return [*script[:-1], script[-1] + 1] if script else []


def every_run(shuffle: Shuffle, size: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """What was asked of the draws and what order came of it, for each sequence of draws there is."""
    script: list[int] | None = None
    while script is None or script:
        draws = _Scripted(script or [])
        order = shuffle(range(size), draws)
        yield tuple(draws.asked), order
        script = draws.following()


def assert_all_permutations_once(shuffle: Shuffle, size: int) -> None:
    runs = list(every_run(shuffle, size))
    assert len({asked for asked, _ in runs}) == 1, "some sequences of draws are likelier than others"
    orders = sorted(order for _, order in runs)
    assert orders == list(permutations(range(size))), f"{size} items: not every order exactly once"


def card_by_position(deal: Callable[[], Sequence[int]], shoes: int) -> float:
    """Chi-square of where each card lies over so many shuffles, scaled to (cards - 1)**2 degrees."""
    count = Counter(place for _ in range(shoes) for place in enumerate(deal()))
    cards = len(deal())
    expected = shoes / cards
    every = ((position, card) for position in range(cards) for card in range(cards))
    return sum((count[place] - expected) ** 2 for place in every) / expected * (cards - 1) / cards


# --- the entropy ------------------------------------------------------------------------------


def assert_shoes_differ(deal: Deal, shoes: int = 2000) -> None:
    """No two shoes begin with the same 26 cards, which are more than 128 bits."""
    beginnings = Counter(deal().cards[:26] for _ in range(shoes))
    assert len(beginnings) == shoes, f"{shoes} shoes, but {len(beginnings)} different beginnings"


def assert_forks_differ(deal: Deal, forks: int = 8) -> None:
    """Processes forked here deal other shoes than each other, and than this process then deals."""
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
        # Other tests may have left threads; the child only deals and ends, and takes no lock of theirs.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()
