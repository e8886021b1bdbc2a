"""Vectors of 32-bit words as Python values: what is done with them becomes machine code for many lanes."""

from functools import cache
from typing import Any, NamedTuple

from llvmlite import binding, ir

WORD = 32
MASK = 0xFFFFFFFF
PIECE = 16
"""Words of the widest vectors that there are: 512 bits."""


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
    """A vector of words, or of truths; the other side of an operation may be a number for all of them."""

    def __init__(self, builder: Any, value: Any) -> None:
        self._builder = builder
        self.value = value

    def _with(self, operation: str, other: "Words | int", *words: str) -> "Words":
        value = other.value if isinstance(other, Words) else constant(self.value.type, other)
        return Words(self._builder, getattr(self._builder, operation)(*words, self.value, value))

    def __add__(self, other: "Words | int") -> "Words":
        return self._with("add", other)

    def __sub__(self, other: "Words | int") -> "Words":
        return self._with("sub", other)

    def __mul__(self, other: "Words | int") -> "Words":
        return self._with("mul", other)

    def __and__(self, other: "Words | int") -> "Words":
        return self._with("and_", other)

    def __or__(self, other: "Words | int") -> "Words":
        return self._with("or_", other)

    def __xor__(self, other: "Words | int") -> "Words":
        return self._with("xor", other)

    def __lshift__(self, bits: "Words | int") -> "Words":
        return self._with("shl", bits)

    def __rshift__(self, bits: "Words | int") -> "Words":
        return self._with("lshr", bits)

    def __ge__(self, other: "Words | int") -> "Words":
        return self._with("icmp_unsigned", other, ">=")

    def __gt__(self, other: "Words | int") -> "Words":
        return self._with("icmp_unsigned", other, ">")

    def __lt__(self, other: "Words | int") -> "Words":
        return self._with("icmp_unsigned", other, "<")

    def rotated(self, bits: int) -> "Words":
        """To the left."""
        return (self << bits) | (self >> (WORD - bits))

    def where(self, truths: "Words", otherwise: "Words | int" = 0) -> "Words":
        """These words where it is true, the other words elsewhere."""
        other = otherwise.value if isinstance(otherwise, Words) else constant(self.value.type, otherwise)
        return Words(self._builder, self._builder.select(truths.value, self.value, other))


def constant(kind: Any, number: int) -> Any:
    """The same number in every place of a vector."""
    return ir.Constant(kind, [number & MASK] * kind.count)
