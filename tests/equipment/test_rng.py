"""The certified generator passes every check; `test_rng_faults.py` shows that the checks can fail."""

import os
from collections.abc import Sequence
from itertools import islice
from random import Random

import pytest

from croupier.equipment.rng import (
    WORD_BITS,
    EntropyRepeated,
    OsRandomSource,
    RandomSource,
    entropy_words,
    shuffled,
    word_to_outcome,
)
from croupier.equipment.shoe import fresh_shoe
from tests.equipment.checks import (
    OUTCOMES_MAX,
    assert_all_permutations_once,
    assert_forks_differ,
    assert_shoes_differ,
    assert_unbiased,
    counts,
    counts_at_edges,
    position_chi_square,
)
from tests.equipment.faults import stuck_read
from tests.equipment.random_sources import SeededRandomSource

CHI_SQUARE_LIMIT = 2958.35
"""Exceeded once in a million tests with 51 * 51 degrees of freedom."""


@pytest.mark.parametrize("bits", [9, 10, 12, pytest.param(16, marks=pytest.mark.campaign)])
def test_the_mapping_is_unbiased_over_all_words_of_a_small_width(bits: int) -> None:
    assert_unbiased(word_to_outcome, bits)


@pytest.mark.parametrize("bits", [9, 10, 12])
def test_counting_at_the_edges_equals_trying_every_word(bits: int) -> None:
    for n in range(1, OUTCOMES_MAX + 1):
        assert counts_at_edges(word_to_outcome, n, bits) == counts(word_to_outcome, n, bits)


def test_the_mapping_is_unbiased_at_the_production_width() -> None:
    assert_unbiased(word_to_outcome, WORD_BITS, counts_at_edges)


def test_fewer_than_one_word_in_ten_million_is_rejected() -> None:
    for n in range(1, OUTCOMES_MAX + 1):
        rejected = (1 << WORD_BITS) - sum(counts_at_edges(word_to_outcome, n, WORD_BITS))
        assert rejected == (1 << WORD_BITS) % n
        assert rejected * 10_000_000 < 1 << WORD_BITS


@pytest.mark.parametrize(("n", "bits"), [(0, 32), (-1, 32), (2**32 + 1, 32), (513, 9)])
def test_an_impossible_number_of_outcomes_is_an_error(n: int, bits: int) -> None:
    with pytest.raises(ValueError, match=f"can't tell {n} outcomes apart"):
        word_to_outcome(0, n, bits)


@pytest.mark.parametrize("size", range(7))
def test_every_order_of_a_small_deck_occurs_exactly_once(size: int) -> None:
    assert_all_permutations_once(shuffled, size)


class RecordingRandomSource(RandomSource):
    """A seeded source that records its draws and their bounds."""

    def __init__(self, seed: int) -> None:
        self._source = SeededRandomSource(seed)
        self.bounds: list[int] = []
        self.drawn: list[int] = []

    def below(self, n: int) -> int:
        self.bounds.append(n)
        self.drawn.append(self._source.below(n))
        return self.drawn[-1]


def draws_of(order: Sequence[int]) -> list[int]:
    """Return the draws that made this order of 0, 1 ..., by running the shuffle backwards."""
    items = list(range(len(order)))
    drawn = []
    for last in range(len(order) - 1, 0, -1):
        chosen = items.index(order[last])
        items[last], items[chosen] = items[chosen], items[last]
        drawn.append(chosen)
    return drawn


@pytest.mark.parametrize("seed", range(20))
def test_the_order_of_eight_decks_determines_its_draws(seed: int) -> None:
    """There are 416! sequences of draws and no two give the same order, so each order occurs exactly once."""
    source = RecordingRandomSource(seed)
    order = shuffled(range(OUTCOMES_MAX), source)
    assert source.bounds == list(range(OUTCOMES_MAX, 1, -1))
    assert draws_of(order) == source.drawn


def test_no_two_shoes_are_alike() -> None:
    assert_shoes_differ(lambda: fresh_shoe(8, OsRandomSource()))


def test_forked_workers_deal_their_own_shoes() -> None:
    assert_forks_differ(lambda: fresh_shoe(8, OsRandomSource()))


def test_a_process_forked_in_the_middle_of_a_shoe_reads_its_own_words() -> None:
    source: RandomSource = OsRandomSource()
    source.below(52)
    assert_forks_differ(lambda: fresh_shoe(1, source))


def test_a_shoe_takes_one_read_and_the_next_word_another() -> None:
    reads: list[int] = []

    def read(size: int) -> bytes:
        reads.append(size)
        return os.urandom(size)

    words = entropy_words(read)
    first = list(islice(words, 440))
    assert reads == [1760]
    second = list(islice(words, 440))
    assert reads == [1760, 1760]
    assert first != second
    assert all(0 <= word < 1 << WORD_BITS for word in first + second)


def test_draws_continue_when_a_read_is_used_up() -> None:
    source = OsRandomSource()
    assert {source.below(6) for _ in range(1000)} == set(range(6))


def source_over(seed: int) -> OsRandomSource:
    """Return the real source over seeded bytes."""
    source = OsRandomSource()
    source._words = entropy_words(Random(seed).randbytes)
    return source


def test_draws_at_once_are_those_drawn_one_by_one() -> None:
    """Of more than one read, with bounds that reject a third of the words among them."""
    bounds = [*range(OUTCOMES_MAX, 1, -1), *[3 << 30] * 100]
    one_by_one = source_over(1)
    assert source_over(1).each_below(bounds) == [one_by_one.below(n) for n in bounds]


def test_nothing_is_dealt_from_a_stuck_provider() -> None:
    with pytest.raises(EntropyRepeated, match="only 1 different words among 440"):
        next(entropy_words(stuck_read))


def test_the_positions_of_cards_look_uniform() -> None:
    """Check the real source as a whole, for gross faults only: statistics can't prove a shuffle unbiased.

    They miss a modulo (`test_statistics_miss_a_modulo`), which the proofs above detect.
    """
    assert position_chi_square(lambda: shuffled(range(52), OsRandomSource()), shoes=10_000) < CHI_SQUARE_LIMIT
