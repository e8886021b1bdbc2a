"""Vectors of 32-bit words as Python values: what is done with them becomes machine code for many lanes."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

from llvmlite import binding, ir

WORD = 32
MASK = 0xFFFFFFFF
PIECE = 16
"""Words of the widest vectors that there are: 512 bits."""
PIECE_OF_WORDS = ir.VectorType(ir.IntType(WORD), PIECE)


class Machine(NamedTuple):
    """A processor as LLVM knows it."""

    name: str
    features: str

    @property
    def permutes(self) -> bool:
        """Whether PIECE words are looked up in a register at once."""
        return self._can("avx512f")

    @property
    def gathers(self) -> bool:
        """Whether it loads from many places at once, and sooner than one by one: AMD's don't."""
        return self._can("avx512f") and not self.name.startswith("znver")

    @property
    def vector_words(self) -> int:
        """How many words make a vector of which what is kept finds room in the registers, or nearly."""
        return 2 * PIECE if self._can("avx2") else PIECE

    def _can(self, feature: str) -> bool:
        return f"+{feature}" in self.features.split(",")


@cache
def this_machine() -> Machine:
    """Where LLVM can't tell what it has, what every processor of its name has."""
    try:
        features = binding.get_host_cpu_features().flatten()
    except RuntimeError:
        features = ""
    return Machine(binding.get_host_cpu_name(), features)


class Words:
    """A vector of words, or of truths, in pieces of PIECE; the other side of an operation may be a number."""

    def __init__(self, builder: Any, pieces: Sequence[Any]) -> None:
        self._builder = builder
        self.pieces = pieces

    def each(self, made: Callable[..., Any], *others: "Words | int") -> "Words":
        """Made of each piece, and of what stands beside it."""
        beside = (self._beside(other) for other in others)
        return Words(self._builder, [made(*pieces) for pieces in zip(self.pieces, *beside, strict=True)])

    def _beside(self, other: "Words | int") -> Sequence[Any]:
        if isinstance(other, Words):
            return other.pieces
        return [constant(other)] * len(self.pieces)

    def __add__(self, other: "Words | int") -> "Words":
        return self.each(self._builder.add, other)

    def __sub__(self, other: "Words | int") -> "Words":
        return self.each(self._builder.sub, other)

    def __mul__(self, other: "Words | int") -> "Words":
        return self.each(self._builder.mul, other)

    def __and__(self, other: "Words | int") -> "Words":
        return self.each(self._builder.and_, other)

    def __or__(self, other: "Words | int") -> "Words":
        return self.each(self._builder.or_, other)

    def __xor__(self, other: "Words | int") -> "Words":
        return self.each(self._builder.xor, other)

    def __lshift__(self, bits: "Words | int") -> "Words":
        return self.each(self._builder.shl, bits)

    def __rshift__(self, bits: "Words | int") -> "Words":
        return self.each(self._builder.lshr, bits)

    def __ge__(self, other: "Words | int") -> "Words":
        return self.each(partial(self._builder.icmp_unsigned, ">="), other)

    def __gt__(self, other: "Words | int") -> "Words":
        return self.each(partial(self._builder.icmp_unsigned, ">"), other)

    def __lt__(self, other: "Words | int") -> "Words":
        return self.each(partial(self._builder.icmp_unsigned, "<"), other)

    def rotated(self, bits: int) -> "Words":
        """To the left."""
        return (self << bits) | (self >> (WORD - bits))

    def where(self, truths: "Words", otherwise: "Words | int" = 0) -> "Words":
        """These words where it is true, the other words elsewhere."""
        return truths.each(self._builder.select, self, otherwise)


def constant(number: int) -> Any:
    """The same number in every place of a piece."""
    return ir.Constant(PIECE_OF_WORDS, [number & MASK] * PIECE)
