"""Split values into chunks that one SQL statement binds each.

Each statement releases the GIL and waits to take it back, milliseconds where another thread is busy, so a
statement binds many rows. Chunk lengths are few, so that every statement text stays prepared.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

CHUNK_MAX = 2048
EXACT_MAX = 32
"""Up to this many values form one chunk; longer chunks have a power of two as their length."""
CHUNK_SIZES = EXACT_MAX + (CHUNK_MAX // EXACT_MAX).bit_length() - 1
"""Number of different chunk lengths."""


def chunks(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield `values` in order, longest chunks first."""
    start, size = 0, CHUNK_MAX
    while start < len(values):
        left = len(values) - start
        while size > left:
            size = left if left <= EXACT_MAX else size // 2
        yield values[start : start + size]
        start += size
