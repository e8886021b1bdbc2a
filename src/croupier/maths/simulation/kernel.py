"""The inner loop of a simulation: many lanes each play their own rounds, one card per step, without branches.

A lane that ends a round begins the next in the same step, so all lanes always execute the same instructions:
each variable is a vector with one word per lane.

A *draw* takes 15 bits and maps them to a position in the full shoe; the few lowest draws that would be
overrepresented are rejected (Lemire), so the mapping is unbiased. The full shoe is sorted by kind, so a
position is a kind and an index within it. The card is taken if more of its kind are left than the index says;
otherwise the lane skips the step. A kind's probability is therefore exactly its share of what is left, no
order of cards is stored, and no memory is read to find the kind. Drawing with replacement, as from a wheel,
uses a shoe with one card of each kind that is never marked as dealt.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, NamedTuple

from croupier.maths.simulation.layout import (
    BYTES_SUMMED,
    CARDS_DEALT,
    DRAW,
    DRAW_BITS,
    ENTRY_BITS,
    EVEN_TICKS,
    FIRST_END,
    GENERATOR,
    LANES,
    RECIPROCAL_BITS,
    ROUNDS_AFTER,
    ROUNDS_LEFT,
    SCORE,
    SCORE_BITS,
    SCORINGS,
    SHIFT,
    SHIFT_BITS,
    STATE,
    TICK_BITS,
    TICKS,
    TICKS_A_WORD,
    Layout,
)
from croupier.maths.simulation.llvm_builder import BYTES, LaneState, LlvmBuilder
from croupier.maths.simulation.vectors import WORD, Machine, Vector

RAN_OUT, ENDED = range(2)
"""Return values of the loop."""


class _Draw(NamedTuple):
    """The result of a draw: accepted or not, and the column."""

    taken: Vector
    column: Vector
    shift: Vector
    """The bit offset of the column's count in its word."""


def _next_word(lanes: LaneState) -> Vector:
    """Return the next 32 bits of every lane's generator, xoshiro128++."""
    a, b = lanes[GENERATOR], lanes[GENERATOR + 1]
    c, d = lanes[GENERATOR + 2] ^ a, lanes[GENERATOR + 3] ^ b
    total = a + (d ^ b)
    lanes.update(
        {
            GENERATOR: a ^ d,
            GENERATOR + 1: b ^ c,
            GENERATOR + 2: c ^ (b << 9),
            GENERATOR + 3: d.rotate_left(11),
        }
    )
    return total.rotate_left(7) + a


def _is_accepted(place: Vector, refused: int) -> Vector:
    """Return whether a draw isn't one of the lowest; a power of two saves an instruction."""
    if refused.bit_count() == 1:
        return (place & (DRAW & -refused)) > 0
    return (place & DRAW) >= refused


class _Steps:
    """Emits the steps of all lanes; `ends`: lanes stop when they have no rounds left."""

    def __init__(self, builder: LlvmBuilder, layout: Layout, table: Any, cut: Vector, *, ends: bool) -> None:
        self._builder = builder
        self._layout = layout
        self._table = table
        self._cut = cut
        self._ends = ends

    def turn(self, lanes: LaneState) -> LaneState:
        """Emit some draws at a time, each followed by a tick for the round that ended in it."""
        lanes = dict(lanes)
        draws = self._draws(lanes)
        for _ in range(self._layout.ticks_per_turn):
            result = self._builder.splat(0)
            for _ in range(self._layout.draws_per_tick):
                result = self._step(lanes, next(draws), result)
            self._tick(lanes, result)
        return lanes

    def _draws(self, lanes: LaneState) -> Iterator[Vector]:
        """Yield the high bits of each word, then its low bits."""
        while True:
            word = _next_word(lanes)
            yield word >> (WORD - DRAW_BITS)
            yield word & DRAW

    def _step(self, lanes: LaneState, draw: Vector, result: Vector) -> Vector:
        """Take the drawn card; return its table entry if it ends a round, else `result`."""
        drawn, none = self._drawn(lanes, draw), self._builder.splat(0)
        at = (lanes[STATE] << self._layout.stride_bits) + drawn.column
        entry = self._builder.gather(self._table, at)
        ended = drawn.taken & (entry >= FIRST_END << ENTRY_BITS)
        lanes[STATE] = none.select(ended, (entry >> ENTRY_BITS).select(drawn.taken, lanes[STATE]))
        if self._ends:
            lanes[ROUNDS_LEFT] -= self._builder.splat(1).select(ended & (lanes[ROUNDS_LEFT] > 0))
        self._take(lanes, drawn, self._shuffled(lanes, drawn.taken, ended))
        return entry.select(ended, result)

    def _drawn(self, lanes: LaneState, draw: Vector) -> _Draw:
        layout = self._layout
        place = draw * layout.size
        card = place >> DRAW_BITS
        taken = _is_accepted(place, (1 << DRAW_BITS) % layout.size)
        kind = (card * ((1 << RECIPROCAL_BITS) // layout.per_kind + 1)) >> RECIPROCAL_BITS
        column = self._builder.minimum(kind, layout.columns - 1)
        columns = range(layout.columns)
        shift = self._builder.lookup(
            [nth % layout.counts_per_word * layout.count_bits for nth in columns], column
        )
        if layout.count_words:
            number = card - self._builder.lookup([nth * layout.per_kind for nth in columns], column)
            taken &= number >= self._dealt_count(lanes, column, shift)
        if self._ends:
            taken &= _unfinished(lanes, layout) > 0
        return _Draw(taken, column, shift)

    def _dealt_count(self, lanes: LaneState, column: Vector, shift: Vector) -> Vector:
        """Return the number of dealt cards of a column."""
        first, *others = self._layout.counts
        word = lanes[first]
        for row in others:
            word = lanes[row].select(column >= self._layout.counts_per_word * (row - first), word)
        return (word >> shift) & ((1 << self._layout.count_bits) - 1)

    def _take(self, lanes: LaneState, drawn: _Draw, shuffled: Vector) -> None:
        """Count one card of a column; reset all counts after a shuffle."""
        one, counts_per_word = self._builder.splat(1) << drawn.shift, self._layout.counts_per_word
        for nth, row in enumerate(self._layout.counts):
            mine = drawn.taken
            if nth:
                mine &= drawn.column >= nth * counts_per_word
            if row != self._layout.counts[-1]:
                mine &= drawn.column < (nth + 1) * counts_per_word
            lanes[row] = self._builder.splat(0).select(shuffled, lanes[row] + one.select(mine))

    def _shuffled(self, lanes: LaneState, taken: Vector, ended: Vector) -> Vector:
        """Return whether the next round gets a fresh shoe."""
        layout, none, one = self._layout, self._builder.splat(0), self._builder.splat(1)
        if not layout.reuse_shoe:
            return ended
        dealt = lanes[CARDS_DEALT] + one.select(taken)
        shuffled = ended & (dealt >= self._cut)
        if layout.rounds_after_cut:
            after = lanes[ROUNDS_AFTER] + one.select(shuffled)
            shuffled &= (after > layout.rounds_after_cut) | (dealt > layout.size - layout.cards_left_min)
            lanes[ROUNDS_AFTER] = none.select(shuffled, after)
        lanes[CARDS_DEALT] = none.select(shuffled, dealt)
        return shuffled

    def _tick(self, lanes: LaneState, result: Vector) -> None:
        one = self._builder.splat(1) << ((result >> ENTRY_BITS) & SHIFT)
        for nth, row in enumerate(self._layout.ticks):
            lanes[row] += one.select(result >= FIRST_END + (nth << SHIFT_BITS) << ENTRY_BITS)


def _unfinished(lanes: LaneState, layout: Layout) -> Vector:
    """Return zero in lanes that have played all rounds and dealt their shoe to the end."""
    return lanes[ROUNDS_LEFT] | lanes[CARDS_DEALT] if layout.reuse_shoe else lanes[ROUNDS_LEFT]


def _halves(ticks: Vector) -> tuple[Vector, Vector]:
    """Return the even and the odd ticks of a word, each in a byte."""
    return ticks & EVEN_TICKS, (ticks >> TICK_BITS) & EVEN_TICKS


def _deduct_ended(lanes: LaneState, layout: Layout) -> LaneState:
    """Subtract the rounds that ended from those left: the first word has a tick for each."""
    even, odd = _halves(lanes[layout.ticks[0]])
    ended = ((even + odd) * BYTES_SUMMED) >> (WORD - SCORE_BITS)
    return lanes | {ROUNDS_LEFT: lanes[ROUNDS_LEFT] - ended}


def _score_ticks(lanes: LaneState, layout: Layout, none: Vector) -> LaneState:
    """Add the ticks to the scores."""
    halves = [half for row in layout.ticks for half in _halves(lanes[row])]
    scores = {row: lanes[row] + half for row, half in zip(layout.scores, halves, strict=True)}
    return lanes | scores | dict.fromkeys(layout.ticks, none)


def _score_of(lanes: LaneState, layout: Layout, end: int) -> Vector:
    word, tick = divmod(end, TICKS_A_WORD)
    row = layout.scores[2 * word + tick % 2]
    return (lanes[row] >> (tick // 2 * SCORE_BITS)) & SCORE


def _build(layout: Layout, machine: Machine) -> LlvmBuilder:
    builder = LlvmBuilder(machine, arrays=3, numbers=1)
    table, rows, counts, cut = builder.arguments
    steps = partial(_Steps, builder, layout, table, builder.broadcast(cut))

    def unchecked(lanes: LaneState) -> LaneState:
        return _deduct_ended(builder.repeat(layout.turns_per_scoring, lanes, steps(ends=False).turn), layout)

    def checked(lanes: LaneState) -> LaneState:
        return builder.repeat(layout.turns_per_scoring, lanes, steps(ends=True).turn)

    def scoring(lanes: LaneState) -> LaneState:
        ways = partial(unchecked, lanes), partial(checked, lanes)
        return _score_ticks(
            builder.if_else(builder.all_true(lanes[ROUNDS_LEFT] > TICKS), *ways), layout, builder.splat(0)
        )

    def counting(lanes: LaneState) -> LaneState:
        builder.return_if(builder.all_true(_unfinished(lanes, layout) < 1), ENDED)
        if layout.reuse_shoe:
            builder.return_if(builder.any_true(lanes[CARDS_DEALT] >= layout.size), RAN_OUT)
        lanes = builder.repeat(SCORINGS, lanes, scoring)
        for end in range(layout.ends):
            place = end * LANES
            builder.store(builder.load(counts, place) + _score_of(lanes, layout, end), counts, place)
        return lanes | dict.fromkeys(layout.scores, builder.splat(0))

    builder.loop({row: builder.load(rows, row * LANES) for row in layout.active_rows}, counting)
    return builder


Kernel = Callable[[Any, Any, Any, int], bool]


@cache
def kernel(layout: Layout, machine: Machine) -> Kernel:
    """Return the compiled loop `play(table, lanes, counts, cut)`; it returns False if a shoe runs out.

    `lanes` has `layout.rows` rows of LANES 32-bit words; each lane plays as many rounds as its ROUNDS_LEFT.
    `cut` cards are dealt before the cut card. `table` has 16-bit entries, packed by `lanes.py`. Results are
    added to `counts`, LANES words per end. Concurrent calls must not share lanes or counts.
    """
    compiled, width = _build(layout, machine).compiled(), machine.vector_words

    def play(table: Any, lanes: Any, counts: Any, cut: int) -> bool:
        addresses = lanes.ctypes.data, counts.ctypes.data
        firsts = (first * BYTES for first in range(0, LANES, width))
        slices = ((address + first for address in addresses) for first in firsts)
        return all(compiled.run(table.ctypes.data, *starts, cut) == ENDED for starts in slices)

    return play
