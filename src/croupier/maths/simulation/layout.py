"""The parameters that a kernel is compiled for, and the layout of its data."""

from math import lcm
from typing import NamedTuple

from croupier.maths.simulation.vectors import WORD

LANES = 64
"""Lanes of a chunk; the kernel runs as many at once as suits the machine, one group after another."""
GENERATOR, STATE, ROUNDS_LEFT, CARDS_DEALT, ROUNDS_AFTER, COUNTS = 0, 4, 5, 6, 7, 8
"""Rows of a lane's state: four words of its generator, its position in the table, the rounds it has yet to
begin, the cards dealt from its shoe, and the rounds dealt since the cut card; then the words of its counts,
ticks and scores.
"""
TICK_BITS, TICKS, TICKS_A_WORD = 4, 15, 8
"""An ended round adds one tick to its end, and to every preceding word of ticks; subtracting the next word
then leaves each word's own. Ticks count up to 15 before they are added to the scores.
"""
SCORE_BITS, SCORE = 8, 255
"""A word's even ticks are added to one word of scores and its odd ticks to the next: up to 255."""
EVEN_TICKS, BYTES_SUMMED = 0x0F0F0F0F, 0x01010101
SCORINGS = SCORE // TICKS
"""Additions of ticks to the scores before the scores must be added to the counts."""
ENTRY_BITS, FIRST_END = 16, 0xFF00
"""An entry of `table` is the next state's position; from FIRST_END on it ends the round."""
SHIFT_BITS, SHIFT, TICK_WORDS_MAX = 5, 31, 8
"""The low bits of such an entry are the tick's offset in its word, the bits above are the word's number."""
DRAW_BITS, DRAW = 15, 0x7FFF
RECIPROCAL_BITS = 16
"""Division by the cards of a kind is a multiplication and a shift by this many bits; exact for every shoe."""
DRAWS_PER_TICK_MAX = 4


class Layout(NamedTuple):
    """The parameters that a kernel is compiled for."""

    size: int
    """Cards in the full shoe; as a constant it makes arithmetic cheaper."""
    kinds: int
    """Kinds of cards, each with the same number of cards."""
    columns: int
    """Columns of the table: one kind each, and all remaining kinds in the last."""
    stride_bits: int
    """Rows start at multiples of this power of two, which is the unit of positions."""
    draws_min: int
    """Draws of the shortest round."""
    count_bits: int
    """Bits of a column's count of dealt cards."""
    count_words: int
    """Words of counts; 0: drawing with replacement."""
    ends: int
    """Number of different results of a round."""
    reuse_shoe: bool
    """True if the next round is dealt from the same shoe, until the cut card appears."""
    rounds_after_cut: int
    """Rounds dealt after the one in which the cut card appears."""
    cards_left_min: int
    """Minimum number of cards left for such a round to begin."""

    @property
    def tick_words(self) -> int:
        return -(-self.ends // TICKS_A_WORD)

    @property
    def row_strides(self) -> int:
        """Length of a table row, in strides."""
        return -(-self.columns >> self.stride_bits)

    @property
    def rows(self) -> int:
        """Rows of the lanes' state."""
        return COUNTS + self.count_words + 3 * self.tick_words

    @property
    def counts(self) -> range:
        return range(COUNTS, COUNTS + self.count_words)

    @property
    def ticks(self) -> range:
        return range(self.counts.stop, self.counts.stop + self.tick_words)

    @property
    def scores(self) -> range:
        return range(self.ticks.stop, self.rows)

    @property
    def active_rows(self) -> list[int]:
        """The rows that change with these parameters."""
        of_the_shoe = [CARDS_DEALT] * self.reuse_shoe + [ROUNDS_AFTER] * bool(self.rounds_after_cut)
        return [*range(ROUNDS_LEFT + 1), *of_the_shoe, *self.counts, *self.ticks, *self.scores]

    @property
    def per_kind(self) -> int:
        return self.size // self.kinds

    @property
    def counts_per_word(self) -> int:
        """Columns counted in one word."""
        return WORD // self.count_bits

    @property
    def draws_per_tick(self) -> int:
        """Draws during which a lane ends at most one round."""
        return min(self.draws_min, DRAWS_PER_TICK_MAX)

    @property
    def ticks_per_turn(self) -> int:
        """Ticks of one iteration, which uses up every word drawn."""
        return lcm(self.draws_per_tick, 2) // self.draws_per_tick

    @property
    def turns_per_scoring(self) -> int:
        """Iterations during which no lane ends more rounds than its ticks can count."""
        return ((TICKS - 1) * self.draws_min + 1) // (self.draws_per_tick * self.ticks_per_turn)
