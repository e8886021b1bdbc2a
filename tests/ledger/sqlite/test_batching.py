"""Whatever there is to write goes into few statements, of few different texts."""

from itertools import pairwise

import pytest

from croupier.ledger.sqlite.batching import CHUNK_MAX, CHUNK_SIZES, EXACT_MAX, chunks

MANY = (*range(2 * EXACT_MAX + 2), *range(2 * EXACT_MAX + 2, 3 * CHUNK_MAX, 7))


def test_everything_is_there_once_and_in_order() -> None:
    for count in MANY:
        slices = [list(some) for some in chunks(range(count))]
        assert [value for some in slices for value in some] == list(range(count)), count
        assert all(len(before) >= len(after) for before, after in pairwise(slices)), count


@pytest.mark.parametrize("count", range(1, EXACT_MAX + 1))
def test_a_few_are_one_portion(count: int) -> None:
    assert len(list(chunks(range(count)))) == 1


def test_portions_have_few_lengths() -> None:
    assert len({len(some) for count in MANY for some in chunks(range(count))}) == CHUNK_SIZES
