"""Whatever there is to write goes into few statements, of few different texts."""

from itertools import pairwise

import pytest

from croupier.ledger.sqlite.batching import FEW, PORTION_MOST, SIZES, portions

MANY = (*range(2 * FEW + 2), *range(2 * FEW + 2, 3 * PORTION_MOST, 7))


def test_everything_is_there_once_and_in_order() -> None:
    for count in MANY:
        slices = [list(some) for some in portions(range(count))]
        assert [value for some in slices for value in some] == list(range(count)), count
        assert all(len(before) >= len(after) for before, after in pairwise(slices)), count


@pytest.mark.parametrize("count", range(1, FEW + 1))
def test_a_few_are_one_portion(count: int) -> None:
    assert len(list(portions(range(count)))) == 1


def test_portions_have_few_lengths() -> None:
    assert len({len(some) for count in MANY for some in portions(range(count))}) == SIZES
