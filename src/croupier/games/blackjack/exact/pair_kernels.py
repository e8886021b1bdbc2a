"""Compiled loops for the two hands of a split: all pairs of their ways.

Both hands play against the same dealer, so their results are correlated. Pairs of hands with the same cards
in total leave the same shoe to the dealer, so the dealer's ends are computed once for all of them.
"""

import numpy as np

from croupier.games.blackjack.exact.kernels import DOUBLE, HIT, inner_kernel, kernel
from croupier.games.blackjack.exact.space import Floats, Ints, Space

EMPTY = -1
FIRST_SIZE = 1 << 14
MIXER = 0x9E3779B97F4A7C1


@kernel
def orders(space: Space, action: Ints, single: int, reach: Floats, doubled: Floats) -> None:
    """Count the orders in which each hand follows from a single card, by hits or a double; in place."""
    reach[single] = 1.0
    for hand in range(single, -1, -1):
        if reach[hand] == 0.0 or (action[hand] != HIT and action[hand] != DOUBLE):
            continue
        into = reach if action[hand] == HIT else doubled
        for value in range(10):
            child = space.child[hand, value]
            if child >= 0:
                into[child] += reach[hand]


@kernel
def pair_up(one: Ints, other: Ints, which: Ints) -> Ints:
    """Return the distinct sums of two keys, and fill which[one, other] with their indices."""
    sums = np.empty(FIRST_SIZE, dtype=np.int64)
    table = np.full(2 * FIRST_SIZE, EMPTY)
    found = 0
    for left in range(len(one)):
        for right in range(len(other)):
            if found == len(sums):
                sums = np.concatenate((sums, sums))
                table = _spread_out(sums, found)
            slot = _slot(table, sums, one[left] + other[right])
            if table[slot] == EMPTY:
                table[slot], sums[found] = found, one[left] + other[right]
                found += 1
            which[left, right] = table[slot]
    return sums[:found]


@inner_kernel
def _spread_out(sums: Ints, found: int) -> Ints:
    """Return a hash table with twice as many slots as sums."""
    table = np.full(2 * len(sums), EMPTY)
    for place in range(found):
        table[_slot(table, sums, sums[place])] = place
    return table


@inner_kernel
def _slot(table: Ints, sums: Ints, key: int) -> int:
    """Return a key's slot in the hash table."""
    mixed = key * MIXER
    slot = (mixed ^ (mixed >> 29)) & (len(table) - 1)
    while table[slot] != EMPTY and sums[table[slot]] != key:
        slot = (slot + 1) & (len(table) - 1)
    return slot


@kernel
def join(
    which: Ints, kind: Ints, other_kind: Ints, weight: Floats, other_weight: Floats, ends: Floats, out: Floats
) -> None:
    """Add to out[kind, other kind, end] the weights of all pairs times ends[index of their sum, end]."""
    for left in range(len(kind)):
        for right in range(len(other_kind)):
            share = weight[left] * other_weight[right]
            for end in range(ends.shape[1]):
                out[kind[left], other_kind[right], end] += share * ends[which[left, right], end]
