"""Plays an automaton in many lanes: packs it for the kernel and counts the results.

A *chunk* is a fixed number of rounds with its own seed, divided among the lanes of one run of the kernel.
Each lane plays exactly its share, so long rounds aren't underrepresented. A shoe that is used again is dealt
to its cut card even when the share is done, so late rounds aren't underrepresented either. A chunk's counts
depend on its seed and size alone.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.equipment.cards import DECK
from croupier.maths.exact.automaton import Automaton, E, Ends
from croupier.maths.simulation.kernel import kernel
from croupier.maths.simulation.layout import (
    FIRST_END,
    LANES,
    ROUNDS_LEFT,
    SHIFT_BITS,
    STATE,
    TICK_BITS,
    TICK_WORDS_MAX,
    TICKS_A_WORD,
    Layout,
)
from croupier.maths.simulation.vectors import WORD, this_machine
from croupier.refusal import Refused

Uint32Array = NDArray[np.uint32]
Uint16Array = NDArray[np.uint16]
GOLDEN = 0x9E3779B97F4A7C15
SEED_MAX = (1 << 64) - 1


class PackedAutomaton(NamedTuple):
    """An automaton and a shoe, packed for the kernel."""

    layout: Layout
    table: Uint16Array
    """[1 + (position << stride_bits) + column], see `layout.py`; the first entry is never read."""
    cut: int
    """Cards dealt before the cut card; 0: every round has a fresh shoe."""


def pack(
    automaton: Automaton[Ends], decks: int, cut: int = 0, rounds_after_cut: int = 0, cards_left_min: int = 0
) -> PackedAutomaton:
    """Pack an automaton for a shoe of `decks` with the cut card behind `cut` cards; 0: a shoe per round.

    `rounds_after_cut` rounds follow the one in which the cut card appears, but none starts with fewer than
    `cards_left_min` cards. `decks` is ignored when drawing with replacement. Raises ValueError if the
    automaton is too big for the kernel.
    """
    draws_min, draws_max = automaton.draws()
    columns, size = len(automaton.columns), shoe_size(automaton, decks)
    gone_max = size // automaton.kinds * max(map(len, automaton.columns)) if cut else draws_max
    bits = gone_max.bit_length()
    layout = Layout(
        size=size,
        kinds=automaton.kinds,
        columns=columns,
        stride_bits=_stride_bits(len(automaton.rows), columns),
        draws_min=draws_min,
        count_bits=bits,
        count_words=0 if automaton.with_replacement else -(-columns // (WORD // bits)),
        ends=len(automaton.ends),
        reuse_shoe=bool(cut),
        rounds_after_cut=rounds_after_cut,
        cards_left_min=cards_left_min,
    )
    _check(automaton, layout)
    return PackedAutomaton(layout, _packed_table(automaton, layout), cut)


def shoe_size(automaton: Automaton[E], decks: int) -> int:
    """Return the number of cards in a full shoe, or of different items when drawing with replacement."""
    return automaton.kinds if automaton.with_replacement else len(DECK) * decks


def _stride_bits(states: int, columns: int) -> int:
    """Return the smallest stride that keeps the last state's position below FIRST_END."""
    for bits in range(columns.bit_length() + 1):
        if (states - 1) * -(-columns >> bits) < FIRST_END:
            return bits
    raise ValueError(f"too many states ({states})")


def _check(automaton: Automaton[Ends], layout: Layout) -> None:
    if layout.tick_words > TICK_WORDS_MAX:
        raise ValueError(f"too many results ({layout.ends})")
    if any(len(group) > 1 for group in automaton.columns[:-1]):
        raise ValueError(f"ranks share a column that isn't the last: {automaton.columns}")


def _packed_table(automaton: Automaton[Ends], layout: Layout) -> Uint16Array:
    """Encode states as the positions of their rows, and ends as the tick to add."""

    def entry(to: int) -> int:
        if to >= 0:
            return to * layout.row_strides
        word, tick = divmod(~to, TICKS_A_WORD)
        return FIRST_END + (word << SHIFT_BITS) + tick * TICK_BITS

    rows = np.zeros((len(automaton.rows), layout.row_strides << layout.stride_bits), np.uint16)
    rows[:, : layout.columns] = [list(map(entry, row)) for row in automaton.rows]
    return np.concatenate([np.zeros(1, np.uint16), rows.ravel()])


def rounds_per_lane(rounds: int) -> Uint32Array:
    """Divide a chunk's rounds among the lanes."""
    return np.array([rounds // LANES + (lane < rounds % LANES) for lane in range(LANES)], np.uint32)


def lane_seeds(seed: int, chunk: int) -> Uint32Array:
    """Return the generators' initial states [4, lane], by splitmix64 from the seed and the lane's number."""
    if not 0 <= seed <= SEED_MAX:
        raise ValueError(f"a seed is a whole number from 0 to {SEED_MAX}")
    numbers = np.arange(chunk * LANES + 1, (chunk + 1) * LANES + 1, dtype=np.uint64)
    base = _mixed(np.full(LANES, seed, np.uint64)) + numbers * np.uint64(GOLDEN)
    one, two = (_mixed(_mixed(base) + np.uint64(nth * GOLDEN % 2**64)) for nth in (1, 2))
    return np.array([one, one >> np.uint64(32), two, two >> np.uint64(32)]).astype(np.uint32)


def _mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def play_chunk(packed: PackedAutomaton, seed: int, chunk: int, rounds: int) -> Uint32Array:
    """Return counts[end, lane] of one chunk. Raises Refused if a shoe runs out during a round."""
    lanes = np.zeros((packed.layout.rows, LANES), np.uint32)
    lanes[:STATE] = lane_seeds(seed, chunk)
    lanes[ROUNDS_LEFT] = rounds_per_lane(rounds)
    counts = np.zeros((packed.layout.ends, LANES), np.uint32)
    if not kernel(packed.layout, this_machine())(packed.table, lanes, counts, packed.cut):
        raise Refused("shoe_empty", dealt=packed.layout.size)
    counts[:-TICKS_A_WORD] -= counts[TICKS_A_WORD:].copy()
    return counts
