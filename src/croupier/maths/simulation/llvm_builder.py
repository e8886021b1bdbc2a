"""Builds an LLVM function of loads, loops and returns over vectors of words.

LLVM splits the vectors into machine registers. The code is already vectorised and in SSA form, so no
optimiser passes run.
"""

import ctypes
from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any, NamedTuple

from llvmlite import binding, ir

from croupier.maths.simulation.vectors import (
    REGISTER,
    REGISTER_WORDS,
    WORD,
    WORD_MASK,
    Machine,
    Vector,
    constant,
)

BYTES = WORD // 8

_half, _word, _long, _bit = map(ir.IntType, (WORD // 2, WORD, 2 * WORD, 1))
_pointer = ir.PointerType()

LaneState = dict[int, Vector]
"""The vectors of the lanes' state, by row."""


class Compiled(NamedTuple):
    """A compiled function, with the engine that owns its code.

    `run(*addresses, *numbers) -> number`; it releases the GIL and is valid as long as its engine.
    """

    run: Callable[..., int]
    engine: Any


class LlvmBuilder:
    """Builds `run(*addresses, *numbers) -> number`, a function on arrays of words."""

    def __init__(self, machine: Machine, arrays: int, numbers: int) -> None:
        self.machine = machine
        self._register_count = machine.vector_words // REGISTER_WORDS
        self._module = ir.Module()
        kind = ir.FunctionType(_word, [_pointer] * arrays + [_word] * numbers)
        self._function = ir.Function(self._module, kind, "run")
        for array in self._function.args[:arrays]:
            array.add_attribute("noalias")
        self.arguments = self._function.args
        self._builder = ir.IRBuilder(self._function.append_basic_block())
        self._align_stack()

    def _align_stack(self) -> None:
        """Align the stack by a dummy variable; otherwise spilled vectors would straddle cache lines."""
        self._builder.alloca(REGISTER).align = REGISTER_WORDS * BYTES

    def splat(self, number: int) -> Vector:
        return Vector(self._builder, [constant(number)] * self._register_count)

    def broadcast(self, number: Any) -> Vector:
        """Return a vector with an argument in every word."""
        first = self._builder.insert_element(ir.Constant(REGISTER, ir.Undefined), number, _word(0))
        all_first = ir.Constant(REGISTER, None)
        return Vector(
            self._builder, [self._builder.shuffle_vector(first, first, all_first)] * self._register_count
        )

    def load(self, array: Any, place: int) -> Vector:
        places = (
            self._at(array, place + register * REGISTER_WORDS) for register in range(self._register_count)
        )
        return Vector(self._builder, [self._builder.load(at, align=BYTES, typ=REGISTER) for at in places])

    def store(self, words: Vector, array: Any, place: int) -> None:
        for nth, register in enumerate(words.registers):
            self._builder.store(register, self._at(array, place + nth * REGISTER_WORDS), align=BYTES)

    def _at(self, array: Any, place: int) -> Any:
        return self._builder.gep(array, [_word(place)], source_etype=_word)

    def minimum(self, words: Vector, other: int) -> Vector:
        """Return the minimum of each word and the number."""
        return words.apply(partial(self._intrinsic, f"llvm.umin.v{REGISTER_WORDS}i{WORD}", REGISTER), other)

    def all_true(self, truths: Vector) -> Any:
        """Return whether all words are true."""
        return self._reduced("and", reduce(self._builder.and_, truths.registers))

    def any_true(self, truths: Vector) -> Any:
        return self._reduced("or", reduce(self._builder.or_, truths.registers))

    def _reduced(self, name: str, truths: Any) -> Any:
        return self._intrinsic(f"llvm.vector.reduce.{name}.v{REGISTER_WORDS}i1", _bit, truths)

    def _intrinsic(self, name: str, result: Any, *values: Any) -> Any:
        kind = ir.FunctionType(result, [value.type for value in values])
        known = self._module.globals.get(name) or ir.Function(self._module, kind, name)
        return self._builder.call(known, values)

    def lookup(self, values: Sequence[int], index: Vector) -> Vector:
        """Return `values[index]`, by a register permutation, or by arithmetic for nearly linear values."""
        if self.machine.permutes and len(values) <= REGISTER_WORDS:
            table = ir.Constant(REGISTER, [*values, *[0] * (REGISTER_WORDS - len(values))])
            name = "llvm.x86.avx512.permvar.si.512"
            return index.apply(lambda register: self._intrinsic(name, register.type, table, register))
        step = values[1] - values[0]
        found = index * step + values[0]
        for place in range(1, len(values)):
            if jump := values[place] - values[place - 1] - step:
                found = (found + jump).select(index >= place, found)
        return found

    def gather(self, array: Any, index: Vector) -> Vector:
        """Return `array[index + 1]` in the upper half of each word and `array[index]` in the lower.

        16-bit entries halve the cache footprint, and the upper half needs no masking.
        """
        return index.apply(partial(self._gathered if self.machine.gathers else self._loaded, array))

    def _gathered(self, array: Any, register: Any) -> Any:
        nothing = constant(0)
        everywhere = ir.Constant(ir.VectorType(_bit, REGISTER_WORDS), [1] * REGISTER_WORDS)
        name = "llvm.x86.avx512.mask.gather.dpi.512"
        return self._intrinsic(name, register.type, nothing, array, register, everywhere, _word(BYTES // 2))

    def _loaded(self, array: Any, register: Any) -> Any:
        """Extract two indices from the vector at a time."""
        pairs = self._builder.bitcast(register, ir.VectorType(_long, REGISTER_WORDS // 2))
        found = ir.Constant(REGISTER, ir.Undefined)
        for place in range(REGISTER_WORDS):
            pair = self._builder.extract_element(pairs, _word(place // 2))
            index = (
                self._builder.lshr(pair, _long(WORD))
                if place % 2
                else self._builder.and_(pair, _long(WORD_MASK))
            )
            entry = self._builder.gep(array, [index], source_etype=_half)
            word = self._builder.load(entry, align=BYTES // 2, typ=_word)
            found = self._builder.insert_element(found, word, _word(place))
        return found

    def repeat(self, times: int, lanes: LaneState, body: Callable[[LaneState], LaneState]) -> LaneState:
        """Emit a loop with a fixed number of iterations."""
        before, loop = self._builder.block, self._begin(self._function.append_basic_block())
        turn = self._builder.phi(_word)
        turn.add_incoming(_word(times), before)
        phis = self._phis(lanes, before)
        after = body(phis)
        left = self._builder.sub(turn, _word(1))
        turn.add_incoming(left, self._builder.block)
        self._add(phis, after, self._builder.block)
        done = self._function.append_basic_block()
        self._builder.cbranch(self._builder.icmp_unsigned("==", left, _word(0)), done, loop)
        self._builder.position_at_end(done)
        return after

    def loop(self, lanes: LaneState, body: Callable[[LaneState], LaneState]) -> None:
        """Emit a loop that runs until the body returns."""
        before, loop = self._builder.block, self._begin(self._function.append_basic_block())
        phis = self._phis(lanes, before)
        self._add(phis, body(phis), self._builder.block)
        self._builder.branch(loop)

    def if_else(self, truth: Any, one: Callable[[], LaneState], other: Callable[[], LaneState]) -> LaneState:
        """Emit a branch and merge the lanes of both sides."""
        ways = [self._function.append_basic_block() for _ in range(2)]
        after = self._function.append_basic_block()
        self._builder.cbranch(truth, *ways)
        made = []
        for way, make in zip(ways, (one, other), strict=True):
            self._builder.position_at_end(way)
            made.append((make(), self._builder.block))
            self._builder.branch(after)
        self._builder.position_at_end(after)
        phis = self._phis(*made[0])
        self._add(phis, *made[1])
        return phis

    def return_if(self, truth: Any, number: int) -> None:
        leave, on = (self._function.append_basic_block() for _ in range(2))
        self._builder.cbranch(truth, leave, on)
        self._builder.position_at_end(leave)
        self._builder.ret(_word(number))
        self._builder.position_at_end(on)

    def _begin(self, block: Any) -> Any:
        self._builder.branch(block)
        self._builder.position_at_end(block)
        return block

    def _phis(self, lanes: LaneState, before: Any) -> LaneState:
        phis = {
            row: words.apply(lambda register: self._builder.phi(register.type))
            for row, words in lanes.items()
        }
        self._add(phis, lanes, before)
        return phis

    def _add(self, phis: LaneState, lanes: LaneState, before: Any) -> None:
        for row, words in phis.items():
            for phi, register in zip(words.registers, lanes[row].registers, strict=True):
                phi.add_incoming(register, before)

    def compiled(self) -> Compiled:
        """Compile the finished function."""
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        target = binding.Target.from_triple(binding.get_process_triple())
        name, features = self.machine
        made = target.create_target_machine(cpu=name, features=features, opt=3)
        engine = binding.create_mcjit_compiler(binding.parse_assembly(str(self._module)), made)
        engine.finalize_object()
        kinds = [ctypes.c_void_p if kind.type == _pointer else ctypes.c_uint32 for kind in self.arguments]
        run = ctypes.CFUNCTYPE(ctypes.c_uint32, *kinds)(engine.get_function_address(self._function.name))
        return Compiled(run, engine)
