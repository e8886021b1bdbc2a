"""A function of LLVM's while it is written: loads, loops and returns around vectors of words.

LLVM makes it the processor's own, in as many pieces as its vectors need. The vectors are made already and
all that lanes keep is in variables, so nothing is left for an optimiser to find out, and none is run.
"""

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from llvmlite import binding, ir

from croupier.maths.words import MASK, PIECE, WORD, Machine, Words, constant

BYTES = WORD // 8

_word, _long, _bit, _pointer = ir.IntType(WORD), ir.IntType(2 * WORD), ir.IntType(1), ir.PointerType()

Lanes = dict[int, Words]
"""What the lanes keep, by its row."""


class Compiled(NamedTuple):
    """`run(*addresses, *numbers) -> number`; it lets other threads run, and lives as long as its engine."""

    run: Callable[..., int]
    engine: Any


class Code:
    """A function on arrays of words while it is written: `run(*addresses, *numbers) -> number`."""

    def __init__(self, machine: Machine, arrays: int, numbers: int) -> None:
        self.machine = machine
        self.width = machine.vector_words
        self._words = ir.VectorType(_word, self.width)
        self._module = ir.Module()
        kind = ir.FunctionType(_word, [_pointer] * arrays + [_word] * numbers)
        self._function = ir.Function(self._module, kind, "run")
        for array in self._function.args[:arrays]:
            array.add_attribute("noalias")
        self.arguments = self._function.args
        self._builder = ir.IRBuilder(self._function.append_basic_block())

    def all_are(self, number: int) -> Words:
        return Words(self._builder, constant(self._words, number))

    def spread(self, number: Any) -> Words:
        """An argument in every place."""
        first = self._builder.insert_element(ir.Constant(self._words, ir.Undefined), number, _word(0))
        all_first = ir.Constant(self._words, None)
        return Words(self._builder, self._builder.shuffle_vector(first, first, all_first))

    def load(self, array: Any, place: int) -> Words:
        return Words(self._builder, self._builder.load(self._at(array, place), align=BYTES, typ=self._words))

    def store(self, words: Words, array: Any, place: int) -> None:
        self._builder.store(words.value, self._at(array, place), align=BYTES)

    def _at(self, array: Any, index: Any) -> Any:
        index = _word(index) if isinstance(index, int) else index
        return self._builder.gep(array, [index], source_etype=_word)

    def least(self, words: Words, other: int) -> Words:
        """Of each word and the number."""
        most = constant(self._words, other)
        return Words(self._builder, self._call("llvm.umin", self._words, words.value, most))

    def every(self, truths: Words) -> Any:
        """Whether all are true; `some`: whether one is."""
        return self._call("llvm.vector.reduce.and", _bit, truths.value)

    def some(self, truths: Words) -> Any:
        return self._call("llvm.vector.reduce.or", _bit, truths.value)

    def _call(self, name: str, result: Any, *values: Any) -> Any:
        return self._intrinsic(f"{name}.v{self.width}{values[0].type.element}", result, *values)

    def _intrinsic(self, name: str, result: Any, *values: Any) -> Any:
        kind = ir.FunctionType(result, [value.type for value in values])
        known = self._module.globals.get(name) or ir.Function(self._module, kind, name)
        return self._builder.call(known, values)

    def pick(self, values: Sequence[int], index: Words) -> Words:
        """`values[index]`, from a register or else by arithmetic: they should rise evenly, but for a few."""
        if self.machine.permutes and len(values) <= PIECE:
            table = ir.Constant(ir.VectorType(_word, PIECE), [*values, *[0] * (PIECE - len(values))])
            name = "llvm.x86.avx512.permvar.si.512"
            return self._in_pieces(lambda piece: self._intrinsic(name, piece.type, table, piece), index)
        step = values[1] - values[0]
        found = index * step + values[0]
        for place in range(1, len(values)):
            if jump := values[place] - values[place - 1] - step:
                found = (found + jump).where(index >= place, found)
        return found

    def look_up(self, array: Any, index: Words) -> Words:
        """`array[index]` of each index."""
        if self.machine.gathers:
            return self._in_pieces(lambda piece: self._gathered(array, piece), index)
        return Words(self._builder, self._loaded(array, index.value))

    def _gathered(self, array: Any, piece: Any) -> Any:
        nothing = constant(piece.type, 0)
        everywhere = ir.Constant(ir.VectorType(_bit, PIECE), [1] * PIECE)
        name = "llvm.x86.avx512.mask.gather.dpi.512"
        return self._intrinsic(name, piece.type, nothing, array, piece, everywhere, _word(BYTES))

    def _loaded(self, array: Any, index: Any) -> Any:
        """Two indices come out of a vector at once."""
        pairs = self._builder.bitcast(index, ir.VectorType(_long, self.width // 2))
        found = ir.Constant(self._words, ir.Undefined)
        for place in range(self.width):
            half = self._builder.extract_element(pairs, _word(place // 2))
            half = (
                self._builder.lshr(half, _long(WORD)) if place % 2 else self._builder.and_(half, _long(MASK))
            )
            word = self._builder.load(self._at(array, half), align=BYTES, typ=_word)
            found = self._builder.insert_element(found, word, _word(place))
        return found

    def _in_pieces(self, made: Callable[[Any], Any], words: Words) -> Words:
        """Of what the machine does with vectors of PIECE words."""
        pieces = [
            made(self._builder.shuffle_vector(words.value, words.value, _numbers(first, PIECE)))
            for first in range(0, self.width, PIECE)
        ]
        while len(pieces) > 1:
            both = _numbers(0, 2 * pieces[0].type.count)
            pairs = zip(pieces[::2], pieces[1::2], strict=True)
            pieces = [self._builder.shuffle_vector(one, other, both) for one, other in pairs]
        return Words(self._builder, pieces[0])

    def repeat(self, times: int, lanes: Lanes, body: Callable[[Lanes], Lanes]) -> Lanes:
        """So many times."""
        before, loop = self._builder.block, self._begin(self._function.append_basic_block())
        turn = self._builder.phi(_word)
        turn.add_incoming(_word(times), before)
        phis = self._phis(lanes, before)
        after = body(self._as_lanes(phis))
        left = self._builder.sub(turn, _word(1))
        turn.add_incoming(left, self._builder.block)
        self._add(phis, after)
        done = self._function.append_basic_block()
        self._builder.cbranch(self._builder.icmp_unsigned("==", left, _word(0)), done, loop)
        self._builder.position_at_end(done)
        return after

    def for_ever(self, lanes: Lanes, body: Callable[[Lanes], Lanes]) -> None:
        """Until the body returns."""
        before, loop = self._builder.block, self._begin(self._function.append_basic_block())
        phis = self._phis(lanes, before)
        self._add(phis, body(self._as_lanes(phis)))
        self._builder.branch(loop)

    def either(self, truth: Any, one: Callable[[], Lanes], other: Callable[[], Lanes]) -> Lanes:
        """What one of both makes of the lanes."""
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
        for row, phi in phis.items():
            phi.add_incoming(made[1][0][row].value, made[1][1])
        return self._as_lanes(phis)

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

    def _phis(self, lanes: Lanes, before: Any) -> dict[int, Any]:
        phis = {row: self._builder.phi(self._words) for row in lanes}
        for row, phi in phis.items():
            phi.add_incoming(lanes[row].value, before)
        return phis

    def _add(self, phis: dict[int, Any], lanes: Lanes) -> None:
        for row, phi in phis.items():
            phi.add_incoming(lanes[row].value, self._builder.block)

    def _as_lanes(self, phis: dict[int, Any]) -> Lanes:
        return {row: Words(self._builder, phi) for row, phi in phis.items()}

    def compiled(self) -> Compiled:
        """After the last instruction was written."""
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


def _numbers(first: int, count: int) -> Any:
    return ir.Constant(ir.VectorType(_word, count), list(range(first, first + count)))
