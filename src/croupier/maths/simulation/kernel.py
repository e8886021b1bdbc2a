"""The inner loop of a simulation: many lanes, each plays rounds of its own, one card a step, no branches.

A lane that ends a round begins the next in the same step, so that all lanes always do the same: what is
one variable here is a vector, a word for each lane.

A *draw* takes 15 bits and finds a place in the full shoe, without bias by refusing the few lowest draws
that come once too often (Lemire). In the full shoe lie first all cards of the first kind, then of the
second, and so on: a place is a kind and a number within the kind. The card is taken if that many of its
kind are not gone yet, else the lane makes no step. So the chance of a kind is exactly what is left of it,
no order of cards has to be kept, and the kind is worked out without a look into memory. What is put back,
as a wheel's pockets are, is a shoe of one card of each kind of which none is ever gone.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, NamedTuple

from croupier.maths.simulation.layout import (
    AFTER,
    AT,
    BYTES_SUMMED,
    DRAW,
    DRAW_BITS,
    ENTRY_BITS,
    EVEN_TICKS,
    FIRST_END,
    GONE,
    LANES,
    LEFT,
    PART,
    PART_BITS,
    RECIPROCAL_BITS,
    SCORE,
    SCORE_BITS,
    SPELLS,
    TICK_BITS,
    TICKS,
    TICKS_A_WORD,
    WORDS,
    Shape,
)
from croupier.maths.simulation.llvm_builder import BYTES, Code, Lanes
from croupier.maths.simulation.vectors import WORD, Machine, Words

RAN_OUT, ENDED = range(2)
"""What the loop returns."""


class _Draw(NamedTuple):
    """A card that may be taken, and of which column."""

    taken: Words
    column: Words
    part: Words
    """Where in its word the column is counted."""


def _next_word(lanes: Lanes) -> Words:
    """The next 32 bits of every lane's generator, xoshiro128++."""
    a, b = lanes[WORDS], lanes[WORDS + 1]
    c, d = lanes[WORDS + 2] ^ a, lanes[WORDS + 3] ^ b
    total = a + (d ^ b)
    lanes.update({WORDS: a ^ d, WORDS + 1: b ^ c, WORDS + 2: c ^ (b << 9), WORDS + 3: d.rotated(11)})
    return total.rotated(7) + a


def _unrefused(place: Words, refused: int) -> Words:
    """Whether a draw is none of the lowest. Of a power of two the bits above tell, an instruction sooner."""
    if refused.bit_count() == 1:
        return (place & (DRAW & -refused)) > 0
    return (place & DRAW) >= refused


class _Steps:
    """Writes the steps of every lane; `ends`: a lane that has no round left makes no more."""

    def __init__(self, code: Code, shape: Shape, table: Any, cut: Words, *, ends: bool) -> None:
        self._code = code
        self._shape = shape
        self._table = table
        self._cut = cut
        self._ends = ends

    def turn(self, lanes: Lanes) -> Lanes:
        """Some paces; after each, a tick for the round that ended in it."""
        lanes = dict(lanes)
        draws = self._draws(lanes)
        for _ in range(self._shape.paces):
            result = self._code.all_are(0)
            for _ in range(self._shape.pace):
                result = self._step(lanes, next(draws), result)
            self._tick(lanes, result)
        return lanes

    def _draws(self, lanes: Lanes) -> Iterator[Words]:
        """The highest bits of each word, then its lowest."""
        while True:
            word = _next_word(lanes)
            yield word >> (WORD - DRAW_BITS)
            yield word & DRAW

    def _step(self, lanes: Lanes, draw: Words, result: Words) -> Words:
        """Takes the card that was drawn; the entry that ends a round is the result then."""
        drawn, none = self._drawn(lanes, draw), self._code.all_are(0)
        at = (lanes[AT] << self._shape.grain_bits) + drawn.column
        entry = self._code.look_up(self._table, at)
        ended = drawn.taken & (entry >= FIRST_END << ENTRY_BITS)
        lanes[AT] = none.where(ended, (entry >> ENTRY_BITS).where(drawn.taken, lanes[AT]))
        if self._ends:
            lanes[LEFT] -= self._code.all_are(1).where(ended & (lanes[LEFT] > 0))
        self._take(lanes, drawn, self._shuffled(lanes, drawn.taken, ended))
        return entry.where(ended, result)

    def _drawn(self, lanes: Lanes, draw: Words) -> _Draw:
        shape = self._shape
        place = draw * shape.size
        card = place >> DRAW_BITS
        taken = _unrefused(place, (1 << DRAW_BITS) % shape.size)
        kind = (card * ((1 << RECIPROCAL_BITS) // shape.per_kind + 1)) >> RECIPROCAL_BITS
        column = self._code.least(kind, shape.columns - 1)
        columns = range(shape.columns)
        part = self._code.pick([nth % shape.per_word * shape.count_bits for nth in columns], column)
        if shape.count_words:
            number = card - self._code.pick([nth * shape.per_kind for nth in columns], column)
            taken &= number >= self._gone(lanes, column, part)
        if self._ends:
            taken &= _waits(lanes, shape) > 0
        return _Draw(taken, column, part)

    def _gone(self, lanes: Lanes, column: Words, part: Words) -> Words:
        """How many cards of a column are gone."""
        first, *others = self._shape.counts
        word = lanes[first]
        for row in others:
            word = lanes[row].where(column >= self._shape.per_word * (row - first), word)
        return (word >> part) & ((1 << self._shape.count_bits) - 1)

    def _take(self, lanes: Lanes, drawn: _Draw, shuffled: Words) -> None:
        """Counts one card of a column; none is gone once the shoe is shuffled."""
        one, per_word = self._code.all_are(1) << drawn.part, self._shape.per_word
        for nth, row in enumerate(self._shape.counts):
            mine = drawn.taken
            if nth:
                mine &= drawn.column >= nth * per_word
            if row != self._shape.counts[-1]:
                mine &= drawn.column < (nth + 1) * per_word
            lanes[row] = self._code.all_are(0).where(shuffled, lanes[row] + one.where(mine))

    def _shuffled(self, lanes: Lanes, taken: Words, ended: Words) -> Words:
        """Whether the next round has a fresh shoe."""
        shape, none, one = self._shape, self._code.all_are(0), self._code.all_are(1)
        if not shape.goes_on:
            return ended
        gone = lanes[GONE] + one.where(taken)
        shuffled = ended & (gone >= self._cut)
        if shape.rounds_after:
            after = lanes[AFTER] + one.where(shuffled)
            shuffled &= (after > shape.rounds_after) | (gone > shape.size - shape.left_min)
            lanes[AFTER] = none.where(shuffled, after)
        lanes[GONE] = none.where(shuffled, gone)
        return shuffled

    def _tick(self, lanes: Lanes, result: Words) -> None:
        one = self._code.all_are(1) << ((result >> ENTRY_BITS) & PART)
        for nth, row in enumerate(self._shape.ticks):
            lanes[row] += one.where(result >= FIRST_END + (nth << PART_BITS) << ENTRY_BITS)


def _waits(lanes: Lanes, shape: Shape) -> Words:
    """Zero in a lane that has played its rounds, and dealt its shoe to the end."""
    return lanes[LEFT] | lanes[GONE] if shape.goes_on else lanes[LEFT]


def _halves(ticks: Words) -> tuple[Words, Words]:
    """The even ticks of a word and the odd, each in a byte."""
    return ticks & EVEN_TICKS, (ticks >> TICK_BITS) & EVEN_TICKS


def _begun(lanes: Lanes, shape: Shape) -> Lanes:
    """The rounds that ended taken from those that are left: the first word has a tick for each."""
    even, odd = _halves(lanes[shape.ticks[0]])
    ended = ((even + odd) * BYTES_SUMMED) >> (WORD - SCORE_BITS)
    return lanes | {LEFT: lanes[LEFT] - ended}


def _scored(lanes: Lanes, shape: Shape, none: Words) -> Lanes:
    """The ticks put to the scores."""
    halves = [half for row in shape.ticks for half in _halves(lanes[row])]
    scores = {row: lanes[row] + half for row, half in zip(shape.scores, halves, strict=True)}
    return lanes | scores | dict.fromkeys(shape.ticks, none)


def _score(lanes: Lanes, shape: Shape, end: int) -> Words:
    word, tick = divmod(end, TICKS_A_WORD)
    row = shape.scores[2 * word + tick % 2]
    return (lanes[row] >> (tick // 2 * SCORE_BITS)) & SCORE


def _written(shape: Shape, machine: Machine) -> Code:
    code = Code(machine, arrays=3, numbers=1)
    table, rows, counts, cut = code.arguments
    steps = partial(_Steps, code, shape, table, code.spread(cut))

    def haste(lanes: Lanes) -> Lanes:
        return _begun(code.repeat(shape.turns, lanes, steps(ends=False).turn), shape)

    def care(lanes: Lanes) -> Lanes:
        return code.repeat(shape.turns, lanes, steps(ends=True).turn)

    def spell(lanes: Lanes) -> Lanes:
        ways = partial(haste, lanes), partial(care, lanes)
        return _scored(code.either(code.every(lanes[LEFT] > TICKS), *ways), shape, code.all_are(0))

    def stretch(lanes: Lanes) -> Lanes:
        code.return_if(code.every(_waits(lanes, shape) < 1), ENDED)
        if shape.goes_on:
            code.return_if(code.some(lanes[GONE] >= shape.size), RAN_OUT)
        lanes = code.repeat(SPELLS, lanes, spell)
        for end in range(shape.ends):
            place = end * LANES
            code.store(code.load(counts, place) + _score(lanes, shape, end), counts, place)
        return lanes | dict.fromkeys(shape.scores, code.all_are(0))

    code.for_ever({row: code.load(rows, row * LANES) for row in shape.kept}, stretch)
    return code


Play = Callable[[Any, Any, Any, int], bool]


@cache
def kernel(shape: Shape, machine: Machine) -> Play:
    """The compiled loop: `play(table, lanes, counts, cut)`; false: a shoe ran out.

    `lanes` are `shape.rows` of LANES words of 32 bits; each begins as many rounds as its LEFT says. `cut`
    cards are dealt before the cut card. `table`, of 16-bit entries, is packed in `lanes.py`. What the rounds
    came to is added to `counts`, LANES words for each result. No two calls share lanes or counts.
    """
    compiled, width = _written(shape, machine).compiled(), machine.vector_words

    def play(table: Any, lanes: Any, counts: Any, cut: int) -> bool:
        addresses = lanes.ctypes.data, counts.ctypes.data
        firsts = (first * BYTES for first in range(0, LANES, width))
        crews = ((address + first for address in addresses) for first in firsts)
        return all(compiled.run(table.ctypes.data, *crew, cut) == ENDED for crew in crews)

    return play
