"""The probability of each end of a round, by counting all sequences of draws in integers."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from croupier.maths.exact.automaton import Automaton, E
from croupier.refusal import Refused


class Way(NamedTuple):
    """A state and a bit-packed count of the cards drawn from each column, in any order."""

    state: int
    out: int


START = Way(0, 0)


def shoe_of(automaton: Automaton[E], decks: int) -> tuple[int, ...]:
    """Return the cards of each column in a full shoe; one of each item when drawing with replacement."""
    each = 1 if automaton.with_replacement else 52 * decks // automaton.kinds
    return tuple(each * len(group) for group in automaton.columns)


def chances(automaton: Automaton[E], shoe: Sequence[int]) -> dict[E, Fraction]:
    """Return the probability of each end for a given shoe. Raises Refused `shoe_empty` if it may run out."""
    found: defaultdict[E, Fraction] = defaultdict(Fraction)
    counter = _WayCounter(automaton, shoe)
    ways, drawn, orders = {START: 1}, 0, 1
    while ways:
        orders *= sum(shoe) - (0 if automaton.with_replacement else drawn)
        if not orders:
            raise Refused("shoe_empty", dealt=drawn)
        ways, ended = counter.draw(ways)
        for end, number in ended.items():
            found[automaton.ends[end]] += Fraction(number, orders)
        drawn += 1
    return dict(found)


class _WayCounter:
    """Advances a mapping from each way to the number of card orders that lead to it."""

    def __init__(self, automaton: Automaton[E], shoe: Sequence[int]) -> None:
        bits = automaton.draws()[1].bit_length()
        self._rows, self._shoe = automaton.rows, shoe
        self._places = range(0, bits * len(shoe), bits)
        self._mask = 0 if automaton.with_replacement else (1 << bits) - 1

    def draw(self, ways: Mapping[Way, int]) -> tuple[dict[Way, int], dict[int, int]]:
        """Return the ways after one more draw, and the number of orders that reach each end with it."""
        longer: defaultdict[Way, int] = defaultdict(int)
        ended: defaultdict[int, int] = defaultdict(int)
        for (state, out), number in ways.items():
            for to, full, place in zip(self._rows[state], self._shoe, self._places, strict=True):
                left = full - (out >> place & self._mask)
                if left > 0 and to < 0:
                    ended[~to] += number * left
                elif left > 0:
                    longer[Way(to, out + (1 << place if self._mask else 0))] += number * left
        return longer, ended
