"""Planted faults, all known from real generators: each must fail a check that the real generator passes."""

import os
import secrets
from collections.abc import Sequence
from typing import TypeVar

from croupier.equipment.rng import WORD_BITS, OsRandomSource, RandomSource, word_to_outcome
from croupier.equipment.shoe import fresh_shoe
from tests.equipment.checks import Deal
from tests.equipment.random_sources import SeededRandomSource

Item = TypeVar("Item")

# --- the mapping ------------------------------------------------------------------------------


def modulo(word: int, n: int, bits: int = WORD_BITS) -> int | None:
    """Map one more word to the first outcomes than to the last."""
    return word % n


def no_rejection(word: int, n: int, bits: int = WORD_BITS) -> int | None:
    """Map one more word to some outcomes than to others."""
    return word * n >> bits


def off_by_one(word: int, n: int, bits: int = WORD_BITS) -> int | None:
    """Never return the last outcome."""
    return word_to_outcome(word, max(n - 1, 1), bits)


def rejects_one_more(word: int, n: int, bits: int = WORD_BITS) -> int | None:
    """Reject one word too many for each outcome: `>` in place of `>=`."""
    outcome, offset = divmod(word * n, 1 << bits)
    return outcome if offset > (1 << bits) % n else None


class ModuloRandomSource(RandomSource):
    """16-bit words from good entropy, modulo n."""

    def __init__(self, seed: int) -> None:
        self._words = SeededRandomSource(seed)

    def below(self, n: int) -> int:
        return self._words.below(1 << 16) % n


# --- the shuffle ------------------------------------------------------------------------------


def naive_swap(items: Sequence[Item], random_source: RandomSource) -> tuple[Item, ...]:
    """Swap each card with any other, which gives n**n ways to make n! orders."""
    order = list(items)
    for position in range(len(order)):
        chosen = random_source.below(len(order))
        order[position], order[chosen] = order[chosen], order[position]
    return tuple(order)


def sattolo(items: Sequence[Item], random_source: RandomSource) -> tuple[Item, ...]:
    """Use `below(last)` in place of `below(last + 1)`, so no card keeps its position."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        chosen = random_source.below(last)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def omitted_last_swap(items: Sequence[Item], random_source: RandomSource) -> tuple[Item, ...]:
    """End the loop one too early, so the first two cards are never swapped."""
    order = list(items)
    for last in range(len(order) - 1, 1, -1):
        chosen = random_source.below(last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


# --- the entropy ------------------------------------------------------------------------------


def reused_shoe() -> Deal:
    """Shuffle once and deal the same shoe for ever."""
    shoe = fresh_shoe(8, OsRandomSource())
    return lambda: shoe


def small_seed() -> Deal:
    """Seed each shoe afresh, with only 16 bits."""
    return lambda: fresh_shoe(1, SeededRandomSource(secrets.randbelow(1 << 16)))


def seeded_before_fork() -> Deal:
    """Seed once with 256 bits of good entropy, before the workers are forked."""
    random_source = SeededRandomSource(int.from_bytes(os.urandom(32), "big"))
    return lambda: fresh_shoe(8, random_source)


def stuck_read(size: int) -> bytes:
    """Return the same word for ever."""
    return b"\x9e\x37\x79\xb9" * (size // 4)


class StuckRandomSource(RandomSource):
    """The certified mapping over a stuck provider, without the check for repeated words."""

    def below(self, n: int) -> int:
        return word_to_outcome(int.from_bytes(stuck_read(4), "big"), n) or 0


def stuck_provider() -> Deal:
    return lambda: fresh_shoe(8, StuckRandomSource())
