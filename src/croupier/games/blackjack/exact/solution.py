"""The fast solution for one set of rules, with floats and compiled loops."""

from functools import cached_property
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from croupier.equipment.cards import Card
from croupier.games.blackjack.exact.dealer import Tree, seen, trees
from croupier.games.blackjack.exact.kernels import (
    END_COUNT,
    EQUAL,
    LANES,
    SPLIT,
    Dealer,
    HandValues,
    dealer_ends,
    play,
)
from croupier.games.blackjack.exact.space import Bools, Floats, Ints, rows, space
from croupier.games.blackjack.exact.terms import RuleTables, rule_tables
from croupier.games.blackjack.hands import blackjack_ranks
from croupier.games.blackjack.outcomes import actions_of, finds_blackjack, unit_box
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.shoe import CARDS, Counts, RankCounts, held_of, place
from croupier.refusal import Refused

PIPS_NEEDED = 21 + 21 + 16
"""Maximum number of pips of two hands that aren't bust and a dealer who draws; with more, a card is left."""

Cards = tuple[Card, ...]
Actions = dict[tuple[int, int], Ints]
"""By family of hands and half of the split: [hand], the action."""

ACTIONS = ("stand", "hit", "double", "split")
"""In the order of their numbers in the kernels."""


class Opening(NamedTuple):
    """The first two cards of a box."""

    cards: Cards
    row: int
    chance: float
    can: frozenset[str]
    """The available actions; none if the hand is complete."""


class DealerSolution(NamedTuple):
    """The best play against one dealer. `ways` and `stakes` include the factor `live`."""

    cards: Cards
    tree: Tree
    dealer: Dealer
    chances: Floats
    """[opening]: the chance of the dealer's cards once the opening is out."""
    live: Floats
    """[opening]: the chance that no blackjack is found."""
    ways: Floats
    """[opening, action]: net results; -inf: not available."""
    stakes: Floats
    """[opening, action]"""
    actions: Actions

    @property
    def best(self) -> Ints:
        """[opening]: the best action, the first of equals."""
        best: Ints = np.argmax(self.ways > self.ways.max(axis=1, keepdims=True) - EQUAL, axis=1)
        return best


class Solution(Struct, frozen=True, dict=True):
    rules: Rules
    shoe: RankCounts

    @cached_property
    def terms(self) -> RuleTables:
        return rule_tables(self.rules)

    @cached_property
    def openings(self) -> tuple[Opening, ...]:
        return tuple(
            Opening(hand, rows()[held_of(hand)], float(chance), can)
            for hand, chance in self.shoe.openings(self.rules)
            for can in [actions_of(self.rules, unit_box(self.rules, hand), 0)]
        )

    @cached_property
    def rows(self) -> Ints:
        """[opening]"""
        return np.array([opening.row for opening in self.openings])

    @cached_property
    def chances(self) -> Floats:
        """[opening]"""
        return np.array([opening.chance for opening in self.openings])

    @cached_property
    def can(self) -> Bools:
        """[opening, action]: whether it is available; complete hands stand."""
        return np.array(
            [[action in (opening.can or {"stand"}) for action in ACTIONS] for opening in self.openings]
        )

    @cached_property
    def pairs(self) -> dict[int, int]:
        """The openings that may be split, by card value."""
        numbers = (number for number, opening in enumerate(self.openings) if "split" in opening.can)
        return {place(self.openings[number].cards[0]): number for number in numbers}

    def halves_alike(self, dealer: Cards) -> bool:
        """Return whether both split hands are paid alike; a blackjack found late may take only one stake."""
        return (
            self.terms.halves_alike or finds_blackjack(self.rules, dealer) or not blackjack_ranks(dealer[0])
        )

    @cached_property
    def dealers(self) -> tuple[DealerSolution, ...]:
        """Solutions in the order of `seen`. Refused `shoe_empty` if a round might exhaust the shoe."""
        if sum(count * pips for pips, count in enumerate(self.shoe.counts, 1)) <= PIPS_NEEDED:
            raise Refused("shoe_empty")
        lanes, scratch = lanes_of(self.shoe.counts, space().cards), _sheet()
        known = seen(2 if self.rules.hole_card == "face_up" else 1)
        return tuple(
            _against(self, cards, tree, _dealer(self, cards, tree, lanes), scratch)
            for cards, tree in zip(known, trees(self.rules), strict=True)
        )


def _against(
    solution: Solution, cards: Cards, tree: Tree, dealer: Dealer, scratch: HandValues
) -> DealerSolution:
    hands = solution.rows
    play(space(), solution.terms, dealer, 0, 0, scratch)
    live, actions = scratch.live[hands], {(0, 0): scratch.action.copy()}
    ways = np.column_stack([scratch.ways[hands], np.zeros(len(hands))])
    stakes = np.column_stack([live, scratch.hit_stake[hands], 2 * live, live])
    for value, number in solution.pairs.items():
        ways[number, SPLIT], stakes[number, SPLIT] = _split(solution, cards, dealer, value, scratch, actions)
    ways[~solution.can] = -np.inf
    return DealerSolution(cards, tree, dealer, _chances(solution, cards), live, ways, stakes, actions)


def _split(
    solution: Solution,
    cards: Cards,
    dealer: Dealer,
    value: int,
    scratch: HandValues,
    actions: dict[tuple[int, int], Ints],
) -> Floats:
    """Return net result and stake of both halves together, and add their play to `actions`."""
    whole = np.zeros(2)
    for part in (1, 2):
        if part == 1 or not solution.halves_alike(cards):
            play(space(), solution.terms, dealer, value + 1, part, scratch)
        actions[value + 1, part] = scratch.action.copy()
        whole += scratch.net[single(value)], scratch.stake[single(value)]
    return whole


def single(value: int) -> int:
    """Return the row of a single card."""
    return rows()[held_of([CARDS[value]])]


def _chances(solution: Solution, cards: Cards) -> Floats:
    """[opening]"""
    left = np.array(solution.shoe.counts) - space().cards[solution.rows]
    chance = np.full(len(left), float(len(set(cards))))
    for card in cards:
        chance *= np.maximum(left[:, place(card)], 0) / np.maximum(left.sum(axis=1), 1)
        left[:, place(card)] -= 1
    return chance


def _dealer(solution: Solution, cards: Cards, tree: Tree, lanes: Floats) -> Dealer:
    found = finds_blackjack(solution.rules, cards)
    ranks = blackjack_ranks(cards[0]) if found and len(cards) == 1 else ""
    completes = next((value for value, card in enumerate(CARDS) if card.rank in ranks), -1)
    unseen = (np.array(solution.shoe.counts) - tree.known).astype(float)
    return Dealer(ends_of(tree, lanes), unseen, float(unseen.sum()), found, completes)


def lanes_of(counts: Counts, cards: Ints) -> Floats:
    """Return [block, value, lane]: the shoe without each row's cards; value 10 is their total."""
    unseen = np.maximum(np.array(counts)[:, None] - cards.T, 0)
    full = np.concatenate([unseen, unseen.sum(axis=0, keepdims=True)]).astype(float)
    padded = np.pad(full, ((0, 0), (0, -full.shape[1] % LANES)), mode="edge")
    return np.ascontiguousarray(padded.reshape(11, -1, LANES).swapaxes(0, 1))


def ends_of(tree: Tree, lanes: Floats) -> Floats:
    """Return [row, end]: the chances of the dealer's ends, with padding rows of the last block.

    Sums, maxima and allocations are done in numpy, as compiling them takes longer than running them.
    """
    out = np.zeros((len(lanes) * LANES, END_COUNT))
    depths = int(tree.depth.max()) + 1
    count, found = np.ones((depths, LANES)), np.zeros((END_COUNT, depths, LANES))
    dealer_ends(lanes, tree, int(tree.known.sum()), count, found, out)
    out[:, 0] = 1.0 - out.sum(axis=1)
    return out


def _sheet() -> HandValues:
    hands = len(space().size)
    net, stake, hit_stake, doubled, live = np.zeros((5, hands))
    ways, action = np.zeros((hands, 3)), np.zeros(hands, dtype=np.int64)
    return HandValues(net, stake, hit_stake, doubled, live, ways, action)
