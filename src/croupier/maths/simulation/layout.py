"""What a kernel is compiled for, and how the words are laid out that it works on."""

from math import lcm
from typing import NamedTuple

from croupier.maths.simulation.vectors import WORD

LANES = 64
"""How many lanes a chunk has; as many at once as the machine likes, each set to its end."""
GENERATOR, STATE, ROUNDS_LEFT, CARDS_DEALT, ROUNDS_AFTER, COUNTS = 0, 4, 5, 6, 7, 8
"""Rows of a lane's state: four words of its generator, its place in the table, the rounds it has yet to
begin, the cards gone from its shoe, the rounds dealt with its cut card out, then the words of its counts,
of its ticks and of its scores."""
TICK_BITS, TICKS, TICKS_A_WORD = 4, 15, 8
"""A round that ends is one tick on its result, in every word of ticks up to the one of its result: the
next word tells which of them belong to later ones. Ticks up to 15 are counted, then scored."""
SCORE_BITS, SCORE = 8, 255
"""A word's even ticks are added to one word of scores, its odd ticks to the next: up to 255, then counted."""
EVEN_TICKS, BYTES_SUMMED = 0x0F0F0F0F, 0x01010101
SCORINGS = SCORE // TICKS
"""How often ticks are scored before scores must be counted."""
ENTRY_BITS, FIRST_END = 16, 0xFF00
"""An entry of `table` is the next state's place; from FIRST_END on the round ends."""
SHIFT_BITS, SHIFT, TICK_WORDS_MAX = 5, 31, 8
"""The lowest bits of such an entry say where in a word its ticks are, those above which word of ticks."""
DRAW_BITS, DRAW = 15, 0x7FFF
RECIPROCAL_BITS = 16
"""A division by the cards of a kind is a multiplication by so many bits: exact for every shoe."""
DRAWS_PER_TICK_MAX = 4


class Layout(NamedTuple):
    """What a kernel is compiled for."""

    size: int
    """Cards of the full shoe: known to the compiler, it becomes cheaper arithmetic."""
    kinds: int
    """Of cards, with equally many of each."""
    columns: int
    """Of the table: a kind each, and in the last one all kinds that are left."""
    stride_bits: int
    """Places are counted in so many entries, as a power of two: rows begin there only."""
    draws_min: int
    """Draws of the shortest round."""
    count_bits: int
    """Bits that count the cards of a column that are gone."""
    count_words: int
    """0: what is drawn is put back."""
    ends: int
    """Results of a round that are told apart."""
    reuse_shoe: bool
    """Whether the next round is dealt from the same shoe, until the cut card is out."""
    rounds_after_cut: int
    """So many rounds are dealt after the one in which it came out, but none ..."""
    cards_left_min: int
    """... with fewer cards than these left."""

    @property
    def tick_words(self) -> int:
        return -(-self.ends // TICKS_A_WORD)

    @property
    def row_strides(self) -> int:
        """Of a row of the table."""
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
        """The rows that change in a shape like this."""
        of_the_shoe = [CARDS_DEALT] * self.reuse_shoe + [ROUNDS_AFTER] * bool(self.rounds_after_cut)
        return [*range(ROUNDS_LEFT + 1), *of_the_shoe, *self.counts, *self.ticks, *self.scores]

    @property
    def per_kind(self) -> int:
        return self.size // self.kinds

    @property
    def counts_per_word(self) -> int:
        """Columns that are counted in one word."""
        return WORD // self.count_bits

    @property
    def draws_per_tick(self) -> int:
        """Draws in which a lane ends one round at most."""
        return min(self.draws_min, DRAWS_PER_TICK_MAX)

    @property
    def ticks_per_turn(self) -> int:
        """Of one turn of the loop, in which every word that is drawn is used up."""
        return lcm(self.draws_per_tick, 2) // self.draws_per_tick

    @property
    def turns_per_scoring(self) -> int:
        """Of the loop, in which no lane ends more rounds than there are ticks."""
        return ((TICKS - 1) * self.draws_min + 1) // (self.draws_per_tick * self.ticks_per_turn)
