"""The rules as tables over the space of hands, made from the rules' own predicates.

The predicates depend on a hand's kind only: the cards of two-card hands; else aces, total and number of
cards. So they are evaluated for one hand of each kind.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from croupier.games.blackjack.exact.space import Bools, Floats, Ints, rows
from croupier.games.blackjack.hands import is_natural, total
from croupier.games.blackjack.outcomes import ENDS, Cards, actions_of, box_with_hand, net_result, unit_box
from croupier.games.blackjack.rules import Rules, is_charlie
from croupier.games.blackjack.shoe import CARDS, Held, cards_of, low_total

MANY = 7
"""Hands with at least this many cards are of one kind, as no rule counts further."""
BUST = (CARDS[9], CARDS[8], CARDS[7])


class RuleTables(NamedTuple):
    complete: Bools
    """[family, hand]: no decision. Families: as dealt, then hands of split aces, deuces ... tens."""
    double: Bools
    """[family, hand]: whether it may double."""
    split: Bools
    """[value]: whether a pair of it may be split."""
    pays: Floats
    """[opening or half of a split, stakes - 1, hand, end]: the net result."""
    bust: Floats
    """[opening or half of a split, stakes - 1]: the net result of a bust."""

    @property
    def halves_alike(self) -> bool:
        """True if both split hands are paid alike whatever the dealer has."""
        return bool(np.array_equal(self.pays[1], self.pays[2]))


class Kinds(NamedTuple):
    of: Ints
    """[hand]: its kind."""
    cards: tuple[Cards, ...]
    """[kind]: a representative hand."""


@cache
def kinds() -> Kinds:
    hands = [held for held in rows() if low_total(held) <= 21]
    samples = {_kind(held): cards_of(held) for held in hands}
    places = {kind: place for place, kind in enumerate(samples)}
    return Kinds(np.array([places[_kind(held)] for held in hands]), tuple(samples.values()))


def _kind(held: Held) -> tuple[object, ...]:
    size = sum(held)
    return (held[0] > 0, low_total(held), min(size, MANY)) if size > 2 else held


def rule_tables(rules: Rules) -> RuleTables:
    can = list(_can(rules))
    return RuleTables(
        complete=np.array([[not actions for actions in family] for family in can])[:, kinds().of],
        double=np.array([["double" in actions for actions in family] for family in can])[:, kinds().of],
        split=np.array(["split" in actions_of(rules, unit_box(rules, (card, card)), 0) for card in CARDS]),
        pays=np.array([[_pays(rules, part, stakes) for stakes in (1, 2)] for part in range(3)]),
        bust=np.array([[_bust(rules, part, stakes) for stakes in (1, 2)] for part in range(3)]),
    )


def _can(rules: Rules) -> Iterator[list[frozenset[str]]]:
    """Yield [family][kind]: the actions; longer split hands don't depend on their first card."""
    yield [actions_of(rules, *box_with_hand(rules, 0, cards)) for cards in kinds().cards]
    halves = [actions_of(rules, *box_with_hand(rules, 1, cards)) for cards in kinds().cards]
    for first in CARDS:
        yield [
            actions_of(rules, *box_with_hand(rules, 1, cards[::-1])) if cards[1:] == (first,) else actions
            for cards, actions in zip(kinds().cards, halves, strict=True)
        ]


def _pays(rules: Rules, part: int, stakes: int) -> Floats:
    """Return [hand, end]: net results; hands that settle alike are evaluated once."""
    found: dict[object, list[float]] = {}
    table = []
    for cards in kinds().cards:
        alike = (total(cards), is_charlie(rules, cards), not part and is_natural(cards))
        if alike not in found:
            found[alike] = _results(rules, part, cards, stakes)
        table.append(found[alike])
    return np.array(table)[kinds().of]


def _results(rules: Rules, part: int, cards: Cards, stakes: int) -> list[float]:
    """Return [end]: net results."""
    box, spot = box_with_hand(rules, part, cards, doubled=stakes == 2)
    return [float(net_result(rules, box, spot, end)) for end in range(len(ENDS))]


def _bust(rules: Rules, part: int, stakes: int) -> float:
    (net,) = set(_results(rules, part, BUST, stakes))
    return net
