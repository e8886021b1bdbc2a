"""How likely a round comes to each of its ends: all ways to draw, counted in whole numbers."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from croupier.maths.exact.automaton import Automaton, E
from croupier.refusal import Refused


class Way(NamedTuple):
    """A state, and what is out of the shoe by then: a few bits a column. Their order is no matter."""

    state: int
    out: int


START = Way(0, 0)


def shoe_of(automaton: Automaton[E], decks: int) -> tuple[int, ...]:
    """[column]: cards in a full shoe, or things that may come up."""
    each = 1 if automaton.with_replacement else 52 * decks // automaton.kinds
    return tuple(each * len(group) for group in automaton.columns)


def chances(automaton: Automaton[E], shoe: Sequence[int]) -> dict[E, Fraction]:
    """Of each end, from a shoe of so many cards of each column; Refused `shoe_empty` if they may run out."""
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
    """`ways` says in how many orders of cards one comes to each."""

    def __init__(self, automaton: Automaton[E], shoe: Sequence[int]) -> None:
        bits = automaton.draws()[1].bit_length()
        self._rows, self._shoe = automaton.rows, shoe
        self._places = range(0, bits * len(shoe), bits)
        self._mask = 0 if automaton.with_replacement else (1 << bits) - 1

    def draw(self, ways: Mapping[Way, int]) -> tuple[dict[Way, int], dict[int, int]]:
        """The ways a draw later, and in how many orders each end was come to by it."""
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
