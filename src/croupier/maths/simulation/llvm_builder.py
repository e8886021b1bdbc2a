"""A function of LLVM's while it is written: loads, loops and returns around vectors of words.

LLVM makes it the processor's own, in as many pieces as its vectors need. The vectors are made already and
all that lanes keep is in variables, so nothing is left for an optimiser to find out, and none is run.
"""

import ctypes
from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any, NamedTuple

from llvmlite import binding, ir

from croupier.maths.simulation.vectors import MASK, PIECE, PIECE_OF_WORDS, WORD, Machine, Words, constant

BYTES = WORD // 8

_half, _word, _long, _bit = map(ir.IntType, (WORD // 2, WORD, 2 * WORD, 1))
_pointer = ir.PointerType()

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
        self._pieces = machine.vector_words // PIECE
        self._module = ir.Module()
        kind = ir.FunctionType(_word, [_pointer] * arrays + [_word] * numbers)
        self._function = ir.Function(self._module, kind, "run")
        for array in self._function.args[:arrays]:
            array.add_attribute("noalias")
        self.arguments = self._function.args
        self._builder = ir.IRBuilder(self._function.append_basic_block())
        self._align_stack()

    def _align_stack(self) -> None:
        """LLVM does so for a variable, not for the vectors it puts there: each would lie in two lines."""
        self._builder.alloca(PIECE_OF_WORDS).align = PIECE * BYTES

    def all_are(self, number: int) -> Words:
        return Words(self._builder, [constant(number)] * self._pieces)

    def spread(self, number: Any) -> Words:
        """An argument in every place."""
        first = self._builder.insert_element(ir.Constant(PIECE_OF_WORDS, ir.Undefined), number, _word(0))
        all_first = ir.Constant(PIECE_OF_WORDS, None)
        return Words(self._builder, [self._builder.shuffle_vector(first, first, all_first)] * self._pieces)

    def load(self, array: Any, place: int) -> Words:
        places = (self._at(array, place + piece * PIECE) for piece in range(self._pieces))
        return Words(
            self._builder, [self._builder.load(at, align=BYTES, typ=PIECE_OF_WORDS) for at in places]
        )

    def store(self, words: Words, array: Any, place: int) -> None:
        for nth, piece in enumerate(words.pieces):
            self._builder.store(piece, self._at(array, place + nth * PIECE), align=BYTES)

    def _at(self, array: Any, place: int) -> Any:
        return self._builder.gep(array, [_word(place)], source_etype=_word)

    def least(self, words: Words, other: int) -> Words:
        """Of each word and the number."""
        return words.each(partial(self._intrinsic, f"llvm.umin.v{PIECE}i{WORD}", PIECE_OF_WORDS), other)

    def every(self, truths: Words) -> Any:
        """Whether all are true; `some`: whether one is."""
        return self._reduced("and", reduce(self._builder.and_, truths.pieces))

    def some(self, truths: Words) -> Any:
        return self._reduced("or", reduce(self._builder.or_, truths.pieces))

    def _reduced(self, name: str, truths: Any) -> Any:
        return self._intrinsic(f"llvm.vector.reduce.{name}.v{PIECE}i1", _bit, truths)

    def _intrinsic(self, name: str, result: Any, *values: Any) -> Any:
        kind = ir.FunctionType(result, [value.type for value in values])
        known = self._module.globals.get(name) or ir.Function(self._module, kind, name)
        return self._builder.call(known, values)

    def pick(self, values: Sequence[int], index: Words) -> Words:
        """`values[index]`, from a register or else by arithmetic: they should rise evenly, but for a few."""
        if self.machine.permutes and len(values) <= PIECE:
            table = ir.Constant(PIECE_OF_WORDS, [*values, *[0] * (PIECE - len(values))])
            name = "llvm.x86.avx512.permvar.si.512"
            return index.each(lambda piece: self._intrinsic(name, piece.type, table, piece))
        step = values[1] - values[0]
        found = index * step + values[0]
        for place in range(1, len(values)):
            if jump := values[place] - values[place - 1] - step:
                found = (found + jump).where(index >= place, found)
        return found

    def look_up(self, array: Any, index: Words) -> Words:
        """`array[index + 1]` of 16-bit entries in the upper half of a word, `array[index]` in the lower.

        So an entry needs no room of 32 bits in the nearest memory, and no step more to be told from what
        it is loaded with.
        """
        return index.each(partial(self._gathered if self.machine.gathers else self._loaded, array))

    def _gathered(self, array: Any, piece: Any) -> Any:
        nothing = constant(0)
        everywhere = ir.Constant(ir.VectorType(_bit, PIECE), [1] * PIECE)
        name = "llvm.x86.avx512.mask.gather.dpi.512"
        return self._intrinsic(name, piece.type, nothing, array, piece, everywhere, _word(BYTES // 2))

    def _loaded(self, array: Any, piece: Any) -> Any:
        """Two indices come out of a vector at once."""
        pairs = self._builder.bitcast(piece, ir.VectorType(_long, PIECE // 2))
        found = ir.Constant(PIECE_OF_WORDS, ir.Undefined)
        for place in range(PIECE):
            pair = self._builder.extract_element(pairs, _word(place // 2))
            index = (
                self._builder.lshr(pair, _long(WORD)) if place % 2 else self._builder.and_(pair, _long(MASK))
            )
            entry = self._builder.gep(array, [index], source_etype=_half)
            word = self._builder.load(entry, align=BYTES // 2, typ=_word)
            found = self._builder.insert_element(found, word, _word(place))
        return found

    def repeat(self, times: int, lanes: Lanes, body: Callable[[Lanes], Lanes]) -> Lanes:
        """So many times."""
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

    def for_ever(self, lanes: Lanes, body: Callable[[Lanes], Lanes]) -> None:
        """Until the body returns."""
        before, loop = self._builder.block, self._begin(self._function.append_basic_block())
        phis = self._phis(lanes, before)
        self._add(phis, body(phis), self._builder.block)
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

    def _phis(self, lanes: Lanes, before: Any) -> Lanes:
        phis = {row: words.each(lambda piece: self._builder.phi(piece.type)) for row, words in lanes.items()}
        self._add(phis, lanes, before)
        return phis

    def _add(self, phis: Lanes, lanes: Lanes, before: Any) -> None:
        for row, words in phis.items():
            for phi, piece in zip(words.pieces, lanes[row].pieces, strict=True):
                phi.add_incoming(piece, before)

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
