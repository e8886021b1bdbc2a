"""The certified generator passes every check; `test_rng_faults.py` shows that the checks can fail."""

import os
from collections.abc import Sequence
from itertools import islice

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
    MOST_OUTCOMES,
    assert_all_permutations_once,
    assert_forks_differ,
    assert_shoes_differ,
    assert_unbiased,
    card_by_position,
    counts,
    counts_at_edges,
)
from tests.equipment.faults import stuck_read
from tests.equipment.seeded import SeededDraws

CHI_SQUARE_LIMIT = 2958.35
"""51 * 51 degrees of freedom go beyond it once in a million tests."""


@pytest.mark.parametrize("bits", [9, 10, 12, 16])
def test_every_word_of_a_small_width_shows_no_bias(bits: int) -> None:
    assert_unbiased(word_to_outcome, bits)


@pytest.mark.parametrize("bits", [9, 10, 12])
def test_counting_at_the_edges_counts_the_same_as_trying_every_word(bits: int) -> None:
    for n in range(1, MOST_OUTCOMES + 1):
        assert counts_at_edges(word_to_outcome, n, bits) == counts(word_to_outcome, n, bits)


def test_words_of_the_production_width_show_no_bias() -> None:
    assert_unbiased(word_to_outcome, WORD_BITS, counts_at_edges)


def test_fewer_than_one_word_in_ten_million_is_rejected() -> None:
    for n in range(1, MOST_OUTCOMES + 1):
        rejected = (1 << WORD_BITS) - sum(counts_at_edges(word_to_outcome, n, WORD_BITS))
        assert rejected == (1 << WORD_BITS) % n
        assert rejected * 10_000_000 < 1 << WORD_BITS


@pytest.mark.parametrize(("n", "bits"), [(0, 32), (-1, 32), (2**32 + 1, 32), (513, 9)])
def test_outcomes_that_words_cannot_tell_apart_are_an_error(n: int, bits: int) -> None:
    with pytest.raises(ValueError, match=f"can't tell {n} outcomes apart"):
        word_to_outcome(0, n, bits)


@pytest.mark.parametrize("size", range(7))
def test_every_order_of_a_small_deck_comes_exactly_once(size: int) -> None:
    assert_all_permutations_once(shuffled, size)


class Written:
    """Seeded draws that are written down."""

    def __init__(self, seed: int) -> None:
        self.draws = SeededDraws(seed)
        self.asked: list[int] = []
        self.drawn: list[int] = []

    def below(self, n: int) -> int:
        self.asked.append(n)
        self.drawn.append(self.draws.below(n))
        return self.drawn[-1]


def draws_of(order: Sequence[int]) -> list[int]:
    """The draws that made this order of 0, 1 ... : the shuffle walked backwards."""
    left = list(range(len(order)))
    drawn = []
    for last in range(len(order) - 1, 0, -1):
        chosen = left.index(order[last])
        left[last], left[chosen] = left[chosen], left[last]
        drawn.append(chosen)
    return drawn


@pytest.mark.parametrize("seed", range(20))
def test_the_order_of_eight_decks_tells_its_416_factorial_draws(seed: int) -> None:
    """As many sequences of draws as orders, and no two give the same order: each comes exactly once."""
    draws = Written(seed)
    order = shuffled(range(MOST_OUTCOMES), draws)
    assert draws.asked == list(range(MOST_OUTCOMES, 1, -1))
    assert draws_of(order) == draws.drawn


def test_no_two_shoes_are_alike() -> None:
    assert_shoes_differ(lambda: fresh_shoe(8, OsRandomSource()))


def test_forked_workers_deal_their_own_shoes() -> None:
    assert_forks_differ(lambda: fresh_shoe(8, OsRandomSource()))


def test_a_fork_in_the_middle_of_a_shoe_draws_its_own_words() -> None:
    draws: RandomSource = OsRandomSource()
    draws.below(52)
    assert_forks_differ(lambda: fresh_shoe(1, draws))


def test_a_shoe_is_one_read_and_the_next_word_another() -> None:
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


def test_draws_go_on_when_a_read_is_used_up() -> None:
    draws = OsRandomSource()
    assert {draws.below(6) for _ in range(1000)} == set(range(6))


def test_nothing_is_dealt_from_a_stuck_provider() -> None:
    with pytest.raises(EntropyRepeated, match="only 1 different words among 440"):
        next(entropy_words(stuck_read))


def test_cards_lie_anywhere() -> None:
    """A sanity test that one shoe in the whole works: statistics can't show that a shuffle is unbiased.

    It sees gross faults only (`test_statistics_miss_a_modulo`); the proofs above see all of them.
    """
    assert card_by_position(lambda: shuffled(range(52), OsRandomSource()), shoes=10_000) < CHI_SQUARE_LIMIT
