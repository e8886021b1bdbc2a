"""Chances of the ends of the dealer's hand for any set of unseen cards, in plain Python."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from croupier.games.blackjack.dealer_hands import draw_prefixes, finished_hands, with_drawn
from croupier.games.blackjack.outcomes import ENDS, end_of
from croupier.games.blackjack.rules import Rules, dealer_draws
from croupier.games.blackjack.shoe import Counts, Held, cards_of

ENDS_KEPT = 100_000
"""Size of the cache: about 30 MB."""
Chances = tuple[float, ...]
"""[end]"""


class Node(NamedTuple):
    """Cards that the dealer may draw, represented by the last of them."""

    depth: int
    value: int
    before: int
    """Number of cards of that value drawn before it."""
    orders: int
    """Number of orders in which these cards are a finished hand."""
    end: int


@dataclass(frozen=True, eq=False)
class Tree:
    """All cards that the dealer may draw to the face-up cards; nodes follow their parents."""

    nodes: tuple[Node, ...]
    deepest: int


@lru_cache(maxsize=1024)
def dealer_tree(rules: Rules, known: Held) -> Tree:
    finished = finished_hands(lambda held: dealer_draws(rules, cards_of(held)), known)
    nodes = []
    for stem in draw_prefixes(known, finished):
        hand = with_drawn(known, stem)
        end = end_of(cards_of(hand)) if hand in finished else 0
        last, before = (stem[-1], stem.count(stem[-1]) - 1) if stem else (0, 0)
        nodes.append(Node(len(stem), last, before, finished.get(hand, 0), end))
    return Tree(tuple(nodes), max(node.depth for node in nodes))


@lru_cache(maxsize=ENDS_KEPT)
def dealer_ends(tree: Tree, counts: Counts) -> Chances:
    """Return the chance of each end of the dealer's hand; the remainder is a bust."""
    ways = [1.0] * (tree.deepest + 1)
    found = [[0.0] * (tree.deepest + 1) for _ in ENDS]
    for depth, value, before, orders, end in tree.nodes:
        if depth:
            ways[depth] = ways[depth - 1] * (counts[value] - before)
        if orders:
            found[end][depth] += orders * ways[depth]
    chances = [_share(of_end, sum(counts)) for of_end in found]
    return (1 - sum(chances[1:]), *chances[1:])


def _share(found: list[float], unseen: int) -> float:
    """Convert numbers of orders, by number of drawn cards, to one chance."""
    chance, share = 0.0, 1.0
    for drawn, orders in enumerate(found):
        chance += orders * share
        share /= max(1, unseen - drawn)
    return chance
