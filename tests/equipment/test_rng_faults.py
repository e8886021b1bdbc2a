"""Each planted fault fails a check that the certified generator passes."""

import pytest

from croupier.equipment.rng import WORD_BITS, shuffled
from tests.equipment import faults
from tests.equipment.checks import (
    OUTCOMES_MAX,
    Shuffle,
    WordMapping,
    assert_all_permutations_once,
    assert_forks_differ,
    assert_shoes_differ,
    assert_unbiased,
    biased,
    counts_at_edges,
    position_chi_square,
)
from tests.equipment.random_sources import SeededRandomSource
from tests.equipment.test_rng import CHI_SQUARE_LIMIT

UNEVEN = [n for n in range(1, OUTCOMES_MAX + 1) if n & (n - 1)]
"""All n but the powers of two, over which words can't be distributed evenly."""


def assert_caught_as_biased(mapping: WordMapping) -> None:
    with pytest.raises(AssertionError, match=r"biased for .* at 9 bits"):
        assert_unbiased(mapping, 9)
    with pytest.raises(AssertionError, match=r"biased for .* at 32 bits"):
        assert_unbiased(mapping, WORD_BITS, counts_at_edges)


def assert_caught_as_uneven(shuffle: Shuffle, size: int) -> None:
    with pytest.raises(AssertionError, match="not every order occurs exactly once"):
        assert_all_permutations_once(shuffle, size)


def test_modulo_is_caught() -> None:
    assert_caught_as_biased(faults.modulo)


def test_no_rejection_is_caught() -> None:
    assert_caught_as_biased(faults.no_rejection)


def test_off_by_one_is_caught() -> None:
    assert_caught_as_biased(faults.off_by_one)


def test_rejecting_one_more_is_caught() -> None:
    assert_caught_as_biased(faults.rejects_one_more)


@pytest.mark.parametrize("mapping", [faults.modulo, faults.no_rejection])
def test_bias_is_found_for_every_uneven_number_of_outcomes(mapping: WordMapping) -> None:
    assert len(UNEVEN) == 407
    assert biased(mapping, 9) == biased(mapping, 12) == UNEVEN


@pytest.mark.parametrize("size", range(3, 6))
def test_naive_swap_is_caught(size: int) -> None:
    assert_caught_as_uneven(faults.naive_swap, size)


@pytest.mark.parametrize("size", range(2, 7))
def test_sattolo_is_caught(size: int) -> None:
    assert_caught_as_uneven(faults.sattolo, size)


@pytest.mark.parametrize("size", range(2, 7))
def test_omitted_last_swap_is_caught(size: int) -> None:
    assert_caught_as_uneven(faults.omitted_last_swap, size)


def test_reused_shoe_is_caught() -> None:
    with pytest.raises(AssertionError, match="but 1 different beginnings"):
        assert_shoes_differ(faults.reused_shoe())


def test_stuck_provider_is_caught() -> None:
    with pytest.raises(AssertionError, match="but 1 different beginnings"):
        assert_shoes_differ(faults.stuck_provider())


def test_small_seed_is_caught() -> None:
    with pytest.raises(AssertionError, match="different beginnings"):
        assert_shoes_differ(faults.small_seed())


def test_fork_after_seeding_is_caught() -> None:
    with pytest.raises(AssertionError, match="9 processes dealt 1 shoes"):
        assert_forks_differ(faults.seeded_before_fork())


@pytest.mark.parametrize("shuffle", [faults.naive_swap, faults.sattolo, faults.omitted_last_swap])
def test_statistics_detect_a_wrong_shuffle(shuffle: Shuffle) -> None:
    source = SeededRandomSource(1)
    assert position_chi_square(lambda: shuffle(range(52), source), shoes=10_000) > CHI_SQUARE_LIMIT


def test_statistics_miss_a_modulo() -> None:
    """So the proof has to try every word."""
    source = faults.ModuloRandomSource(1)
    assert position_chi_square(lambda: shuffled(range(52), source), shoes=10_000) < CHI_SQUARE_LIMIT
