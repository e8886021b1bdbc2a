"""Many values for few statements.

Each statement lets go of Python's lock and must get it back, which a busy thread makes a wait of
milliseconds. So a statement takes many rows: a few as many as there are, more by powers of two, that the
texts of the statements be few enough to be kept prepared.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

CHUNK_MAX = 2048
EXACT_MAX = 32
"""Up to so many are one portion."""
CHUNK_SIZES = EXACT_MAX + (CHUNK_MAX // EXACT_MAX).bit_length() - 1
"""Lengths that a portion can have."""


def chunks(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """`values` in order, in slices of which the longest come first."""
    start, size = 0, CHUNK_MAX
    while start < len(values):
        left = len(values) - start
        while size > left:
            size = left if left <= EXACT_MAX else size // 2
        yield values[start : start + size]
        start += size
