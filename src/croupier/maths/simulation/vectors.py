"""Vectors of 32-bit words; operations on them emit LLVM instructions for many lanes."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

from llvmlite import binding, ir

WORD = 32
WORD_MASK = 0xFFFFFFFF
REGISTER_WORDS = 16
"""Words of the widest vector registers: 512 bits."""
REGISTER = ir.VectorType(ir.IntType(WORD), REGISTER_WORDS)


class Machine(NamedTuple):
    """A processor as LLVM describes it."""

    name: str
    features: str

    @property
    def permutes(self) -> bool:
        """Return whether the processor can look up REGISTER_WORDS words in a register at once."""
        return self._can("avx512f")

    @property
    def gathers(self) -> bool:
        """Return whether gather instructions exist and are faster than single loads; on AMD they aren't."""
        return self._can("avx512f") and not self.name.startswith("znver")

    @property
    def vector_words(self) -> int:
        """Words per vector such that the loop's state just fits the registers."""
        return 2 * REGISTER_WORDS if self._can("avx2") else REGISTER_WORDS

    def _can(self, feature: str) -> bool:
        return f"+{feature}" in self.features.split(",")


@cache
def this_machine() -> Machine:
    """Describe this processor; without feature detection, by the defaults of its model."""
    try:
        features = binding.get_host_cpu_features().flatten()
    except RuntimeError:
        features = ""
    return Machine(binding.get_host_cpu_name(), features)


class Vector:
    """A vector of words or booleans, in registers; the other operand may be a number."""

    def __init__(self, builder: Any, registers: Sequence[Any]) -> None:
        self._builder = builder
        self.registers = registers

    def apply(self, made: Callable[..., Any], *others: "Vector | int") -> "Vector":
        """Apply an instruction to each register and the corresponding operands."""
        beside = (self._operands(other) for other in others)
        return Vector(
            self._builder, [made(*registers) for registers in zip(self.registers, *beside, strict=True)]
        )

    def _operands(self, other: "Vector | int") -> Sequence[Any]:
        if isinstance(other, Vector):
            return other.registers
        return [constant(other)] * len(self.registers)

    def __add__(self, other: "Vector | int") -> "Vector":
        return self.apply(self._builder.add, other)

    def __sub__(self, other: "Vector | int") -> "Vector":
        return self.apply(self._builder.sub, other)

    def __mul__(self, other: "Vector | int") -> "Vector":
        return self.apply(self._builder.mul, other)

    def __and__(self, other: "Vector | int") -> "Vector":
        return self.apply(self._builder.and_, other)

    def __or__(self, other: "Vector | int") -> "Vector":
        return self.apply(self._builder.or_, other)

    def __xor__(self, other: "Vector | int") -> "Vector":
        return self.apply(self._builder.xor, other)

    def __lshift__(self, bits: "Vector | int") -> "Vector":
        return self.apply(self._builder.shl, bits)

    def __rshift__(self, bits: "Vector | int") -> "Vector":
        return self.apply(self._builder.lshr, bits)

    def __ge__(self, other: "Vector | int") -> "Vector":
        return self.apply(partial(self._builder.icmp_unsigned, ">="), other)

    def __gt__(self, other: "Vector | int") -> "Vector":
        return self.apply(partial(self._builder.icmp_unsigned, ">"), other)

    def __lt__(self, other: "Vector | int") -> "Vector":
        return self.apply(partial(self._builder.icmp_unsigned, "<"), other)

    def rotate_left(self, bits: int) -> "Vector":
        """Rotate to the left."""
        return (self << bits) | (self >> (WORD - bits))

    def select(self, truths: "Vector", otherwise: "Vector | int" = 0) -> "Vector":
        """Select these words in lanes where the condition is true, and the others elsewhere."""
        return truths.apply(self._builder.select, self, otherwise)


def constant(number: int) -> Any:
    """Return a register with the same number in every word."""
    return ir.Constant(REGISTER, [number & WORD_MASK] * REGISTER_WORDS)
