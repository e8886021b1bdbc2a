"""Many values for few statements.

Each statement lets go of Python's lock and must get it back, which a busy thread makes a wait of
milliseconds. So a statement takes many rows: a few as many as there are, more by powers of two, that the
texts of the statements be few enough to be kept prepared.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

PORTION_MOST = 2048
FEW = 32
"""Up to so many are one portion."""
SIZES = FEW + (PORTION_MOST // FEW).bit_length() - 1
"""Lengths that a portion can have."""


def portions(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """`values` in order, in slices of which the longest come first."""
    start, size = 0, PORTION_MOST
    while start < len(values):
        left = len(values) - start
        while size > left:
            size = left if left <= FEW else size // 2
        yield values[start : start + size]
        start += size
