"""Each planted fault is caught by the check that the certified generator passes."""

import pytest

from croupier.equipment.rng import WORD_BITS, shuffled
from tests.equipment import faults
from tests.equipment.checks import (
    MOST_OUTCOMES,
    Place,
    Shuffle,
    assert_all_permutations_once,
    assert_forks_differ,
    assert_shoes_differ,
    assert_unbiased,
    biased,
    card_by_position,
    counts_at_edges,
)
from tests.equipment.seeded import SeededDraws
from tests.equipment.test_rng import CHI_SQUARE_LIMIT

UNEVEN = [n for n in range(1, MOST_OUTCOMES + 1) if n & (n - 1)]
"""All n but the powers of two: words can't be shared out evenly."""


def assert_caught_as_biased(place: Place) -> None:
    with pytest.raises(AssertionError, match=r"biased for .* at 9 bits"):
        assert_unbiased(place, 9)
    with pytest.raises(AssertionError, match=r"biased for .* at 32 bits"):
        assert_unbiased(place, WORD_BITS, counts_at_edges)


def assert_caught_as_uneven(shuffle: Shuffle, size: int) -> None:
    with pytest.raises(AssertionError, match="not every order exactly once"):
        assert_all_permutations_once(shuffle, size)


def test_modulo_is_caught() -> None:
    assert_caught_as_biased(faults.modulo)


def test_no_rejection_is_caught() -> None:
    assert_caught_as_biased(faults.no_rejection)


def test_off_by_one_is_caught() -> None:
    assert_caught_as_biased(faults.off_by_one)


def test_one_rejected_too_many_is_caught() -> None:
    assert_caught_as_biased(faults.rejects_one_more)


@pytest.mark.parametrize("place", [faults.modulo, faults.no_rejection])
def test_bias_is_seen_wherever_there_is_any(place: Place) -> None:
    assert len(UNEVEN) == 407
    assert biased(place, 9) == biased(place, 12) == UNEVEN


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
def test_statistics_see_a_wrong_shuffle(shuffle: Shuffle) -> None:
    draws = SeededDraws(1)
    assert card_by_position(lambda: shuffle(range(52), draws), shoes=10_000) > CHI_SQUARE_LIMIT


def test_statistics_miss_a_modulo() -> None:
    """Which is why the proof goes through every word."""
    draws = faults.ModuloDraws(1)
    assert card_by_position(lambda: shuffled(range(52), draws), shoes=10_000) < CHI_SQUARE_LIMIT
