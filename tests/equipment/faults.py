"""Generators that are wrong, as generators have been: each must fail the check that the real one passes."""

import os
import secrets
from collections.abc import Sequence
from typing import TypeVar

from croupier.equipment.rng import WORD_BITS, OsRandomSource, RandomSource, word_to_outcome
from croupier.equipment.shoe import fresh_shoe
from tests.equipment.checks import Deal
from tests.equipment.seeded import SeededDraws

Item = TypeVar("Item")

# --- the mapping ------------------------------------------------------------------------------


def modulo(word: int, n: int, bits: int = WORD_BITS) -> int | None:
    """The first outcomes have one word more than the last."""
    return word % n


def no_rejection(word: int, n: int, bits: int = WORD_BITS) -> int | None:
    """Some stretches hold one word more than others."""
    return word * n >> bits


def off_by_one(word: int, n: int, bits: int = WORD_BITS) -> int | None:
    """The last outcome never comes."""
    return word_to_outcome(word, max(n - 1, 1), bits)


def rejects_one_more(word: int, n: int, bits: int = WORD_BITS) -> int | None:
    """A `<=` in place of `<`."""
    outcome, offset = divmod(word * n, 1 << bits)
    return outcome if offset > (1 << bits) % n else None


class ModuloDraws:
    """A 16-bit word modulo n from good entropy."""

    def __init__(self, seed: int) -> None:
        self._words = SeededDraws(seed)

    def below(self, n: int) -> int:
        return self._words.below(1 << 16) % n


# --- the shuffle ------------------------------------------------------------------------------


def naive_swap(items: Sequence[Item], draws: RandomSource) -> tuple[Item, ...]:
    """Each card with any other: n**n ways to make n! orders."""
    order = list(items)
    for position in range(len(order)):
        chosen = draws.below(len(order))
        order[position], order[chosen] = order[chosen], order[position]
    return tuple(order)


def sattolo(items: Sequence[Item], draws: RandomSource) -> tuple[Item, ...]:
    """`below(last)` in place of `below(last + 1)`: no card stays where it was."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        chosen = draws.below(last)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def omitted_last_swap(items: Sequence[Item], draws: RandomSource) -> tuple[Item, ...]:
    """The loop ends one too early: the first two cards are never swapped."""
    order = list(items)
    for last in range(len(order) - 1, 1, -1):
        chosen = draws.below(last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


# --- the entropy ------------------------------------------------------------------------------


def reused_shoe() -> Deal:
    """Shuffled once, dealt for ever."""
    shoe = fresh_shoe(8, OsRandomSource())
    return lambda: shoe


def small_seed() -> Deal:
    """A fresh seed for each shoe, but of 16 bits."""
    return lambda: fresh_shoe(1, SeededDraws(secrets.randbelow(1 << 16)))


def seeded_before_fork() -> Deal:
    """256 bits of good entropy, taken once, before the workers are forked."""
    draws = SeededDraws(int.from_bytes(os.urandom(32), "big"))
    return lambda: fresh_shoe(8, draws)


def stuck_read(size: int) -> bytes:
    """A provider that returns the same word for ever."""
    return b"\x9e\x37\x79\xb9" * (size // 4)


class StuckDraws:
    """The certified mapping over a stuck provider, and nobody looks."""

    def below(self, n: int) -> int:
        return word_to_outcome(int.from_bytes(stuck_read(4), "big"), n) or 0


def stuck_provider() -> Deal:
    return lambda: fresh_shoe(8, StuckDraws())
