"""A reference implementation of the kernel: one lane in plain Python, with a list for a shoe."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from croupier.maths.exact.automaton import Automaton, Ends

WORD_MASK = 0xFFFFFFFF
MASK64 = (1 << 64) - 1
LANES = 64


def mixed(word: int) -> int:
    """Return the output of splitmix64 (Steele, Lea and Flood, 2014)."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & MASK64
    word = (word ^ word >> 27) * 0x94D049BB133111EB & MASK64
    return word ^ word >> 31


def rotate_left(word: int, bits: int) -> int:
    return (word << bits | word >> 32 - bits) & WORD_MASK


def words(seed: int, lane: int) -> Iterator[int]:
    """Yield the output of xoshiro128++ 1.0 (Blackman and Vigna, 2019); `lane` is counted over all chunks."""
    golden = 0x9E3779B97F4A7C15
    base = mixed((mixed(seed) + (lane + 1) * golden) & MASK64)
    one, two = (mixed((base + nth * golden) & MASK64) for nth in (1, 2))
    state = [one & WORD_MASK, one >> 32, two & WORD_MASK, two >> 32]
    while True:
        yield (rotate_left((state[0] + state[3]) & WORD_MASK, 7) + state[0]) & WORD_MASK
        shifted = state[1] << 9 & WORD_MASK
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= shifted
        state[3] = rotate_left(state[3], 11)


def draws(seed: int, lane: int) -> Iterator[int]:
    """Yield the highest 15 bits of each word, then its lowest 15."""
    for word in words(seed, lane):
        yield word >> 17
        yield word & 0x7FFF


def places(seed: int, lane: int, size: int) -> Iterator[int]:
    """Yield unbiased places in a shoe of `size` cards."""
    for draw in draws(seed, lane):
        place, low = divmod(draw * size, 1 << 15)
        if low >= (1 << 15) % size:
            yield place


class Cut(NamedTuple):
    """The depth to which a shoe is dealt; a `cut` of 0 means for one round."""

    cut: int = 0
    rounds_after_cut: int = 0
    cards_left_min: int = 0


def lane_counts(
    automaton: Automaton[Ends], decks: int, cut: Cut, seed: int, lane: int, rounds: int
) -> Counter[int]:
    """Count the rounds of one lane that reached each end."""
    copies = 1 if automaton.with_replacement else 52 * decks // automaton.kinds
    shoe = [column for column, group in enumerate(automaton.columns) for _ in range(copies * len(group))]
    counts: Counter[int] = Counter()
    dealt: list[int] = []
    state = rounds_after = 0
    random = places(seed, lane, len(shoe))
    while counts.total() < rounds or (cut.cut and dealt):
        place = next(random)
        column = shoe[place]
        if place - shoe.index(column) < dealt.count(column):
            continue
        if not automaton.with_replacement:
            dealt.append(column)
        state = automaton.rows[state][column]
        if state < 0:
            counts[~state] += 1
            state = 0
            rounds_after += len(dealt) >= cut.cut
            if rounds_after > cut.rounds_after_cut or (
                rounds_after and len(shoe) - len(dealt) < cut.cards_left_min
            ):
                dealt, rounds_after = [], 0
    return counts
