"""Values are split into few chunks of few different lengths."""

from itertools import pairwise

import pytest

from croupier.ledger.sql.chunks import CHUNK_MAX, CHUNK_SIZES, EXACT_MAX, chunks

MANY = (*range(2 * EXACT_MAX + 2), *range(2 * EXACT_MAX + 2, 3 * CHUNK_MAX, 7))


def test_every_value_is_in_one_chunk_in_order() -> None:
    for count in MANY:
        split = [list(chunk) for chunk in chunks(range(count))]
        assert [value for chunk in split for value in chunk] == list(range(count)), count
        assert all(len(before) >= len(after) for before, after in pairwise(split)), count


@pytest.mark.parametrize("count", range(1, EXACT_MAX + 1))
def test_few_values_are_one_chunk(count: int) -> None:
    assert len(list(chunks(range(count)))) == 1


def test_chunks_have_few_lengths() -> None:
    assert len({len(chunk) for count in MANY for chunk in chunks(range(count))}) == CHUNK_SIZES
