"""The exact distribution of a round's net result under any play, with the two hands of a split together.

It counts `ways`: final hands by payment, all doubled hands, and all hands. The difference between the
latter two and the final hands is busts.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

import numpy as np

from croupier.games.blackjack.exact.kernels import DOUBLE, END_COUNT, HIT, spread
from croupier.games.blackjack.exact.pair_kernels import join, orders, pair_up
from croupier.games.blackjack.exact.solution import (
    Actions,
    DealerSolution,
    Solution,
    ends_of,
    lanes_of,
    single,
)
from croupier.games.blackjack.exact.space import Bools, Floats, Ints, space
from croupier.games.blackjack.outcomes import BLACKJACK, unit_stake

BITS = 6
"""Bits of a key for the number of cards of one value."""


NOTHING_BELOW = 1e-15
"""Smaller chances are rounding errors of zero."""


class Plan(NamedTuple):
    """A strategy against one dealer."""

    against: DealerSolution
    splits: Bools
    """[opening]"""
    actions: Actions
    extra: Floats
    """[opening, end]: the result of insurance."""
    even: Bools
    """[opening]: whether even money is accepted."""


class Payments(NamedTuple):
    """The kinds of ways: hands with one stake, with two, all doubled hands, all hands."""

    kind: Ints
    """[stakes - 1, hand]"""
    pays: Floats
    """[result, end]: payments of each kind of hand, of a bust doubled hand, and of any other bust."""
    result: Floats
    """[result, kind]: the matrix from ways to results."""

    @property
    def doubled(self) -> int:
        return len(self.pays) - 2

    @property
    def all(self) -> int:
        return len(self.pays) - 1


def _payments(solution: Solution, part: int) -> Payments:
    pays, bust = solution.terms.pays[part], solution.terms.bust[part]
    once, kind_once = np.unique(pays[0], axis=0, return_inverse=True)
    twice, kind_twice = np.unique(pays[1], axis=0, return_inverse=True)
    doubled = len(once) + len(twice)
    result = np.eye(doubled + 2)
    result[doubled, len(once) : doubled] = -1
    result[doubled + 1, : len(once)] = result[doubled + 1, doubled] = -1
    busts = np.repeat(bust[::-1, None], END_COUNT, axis=1)
    return Payments(
        np.stack([kind_once, kind_twice + len(once)]), np.concatenate([once, twice, busts]), result
    )


Three = tuple[Payments, ...]
"""Payments of hands as dealt, and of the first and the second hand of a split."""


class Ways(NamedTuple):
    """[way]: hand, kind and weight."""

    hand: Ints
    kind: Ints
    weight: Floats


def _ways(payments: Payments, action: Ints, roots: Floats, reach: Floats, doubled: Floats) -> Ways:
    """Return the ways of hands from their `roots`, their chances `reach`, and the final `doubled` hands."""
    doubling = np.where(action == DOUBLE, reach, 0)
    final = np.where((action == DOUBLE) | (action == HIT), 0, reach)
    every = np.full(len(action), 0)
    parts = [
        (final, payments.kind[0]),
        (doubled, payments.kind[1]),
        (doubling, every + payments.doubled),
        (roots, every + payments.all),
    ]
    hands = [np.flatnonzero(weight) for weight, _ in parts]
    return Ways(
        np.concatenate(hands),
        np.concatenate([kind[hand] for hand, (_, kind) in zip(hands, parts, strict=True)]),
        np.concatenate([weight[hand] for hand, (weight, _) in zip(hands, parts, strict=True)]),
    )


Distribution = dict[Fraction, float]
"""The chance of each net result."""


def distribution(solution: Solution, plans: Iterable[Plan]) -> Distribution:
    """Return the distribution of a round's net result, lowest first, with a plan for every dealer."""
    payments = tuple(_payments(solution, part) for part in range(3))
    found: defaultdict[int, float] = defaultdict(float)
    unit = unit_stake(solution.rules)
    for plan in plans:
        for nets, chances in _results(solution, payments, plan):
            values, places = np.unique(np.rint(nets * unit).astype(np.int64), return_inverse=True)
            for value, chance in zip(
                values.tolist(), np.bincount(places.ravel(), chances.ravel()), strict=True
            ):
                found[value] += float(chance)
    return {Fraction(value, unit): found[value] for value in sorted(found) if found[value] > NOTHING_BELOW}


def mean(tally: Distribution) -> float:
    return sum(float(net) * chance for net, chance in tally.items())


def standard_deviation(tally: Distribution) -> float:
    middle = mean(tally)
    return sqrt(sum((float(net) - middle) ** 2 * chance for net, chance in tally.items()))


def _results(solution: Solution, payments: Three, plan: Plan) -> Iterator[tuple[Floats, Floats]]:
    """Yield net results with their chances."""
    likely, against = solution.chances * plan.against.chances, plan.against
    yield np.ones(1), likely[plan.even].sum(keepdims=True)
    at_once = solution.terms.pays[0, 0, solution.rows, BLACKJACK] + plan.extra[:, BLACKJACK]
    yield at_once, likely * (1 - against.live) * ~plan.even
    groups, place = np.unique(plan.extra, axis=0, return_inverse=True)
    for number, extra in enumerate(groups):
        yield _unsplit(
            solution, payments[0], plan, likely * ((place == number) & ~plan.splits & ~plan.even), extra
        )
    for value, number in solution.pairs.items():
        if plan.splits[number] and likely[number]:
            nets, chances = _split(solution, payments, plan, value)
            yield nets + plan.extra[number, : nets.shape[-1]], chances * likely[number]


def _unsplit(
    solution: Solution, payments: Payments, plan: Plan, likely: Floats, extra: Floats
) -> tuple[Floats, Floats]:
    """[result, end]"""
    action, dealer = plan.actions[0, 0], plan.against.dealer
    roots, doubled = np.zeros((2, len(action)))
    np.add.at(roots, solution.rows, likely)
    reach = roots.copy()
    spread(space(), dealer, 0, action, reach, doubled)
    way = _ways(payments, action, roots, reach, doubled)
    mass = np.zeros(payments.pays.shape)
    np.add.at(mass, way.kind, way.weight[:, None] * dealer.ends[way.hand])
    ends = END_COUNT - dealer.found
    return (payments.pays + extra)[:, :ends], (payments.result @ mass)[:, :ends]


def _split(solution: Solution, payments: Three, plan: Plan, value: int) -> tuple[Floats, Floats]:
    """Return [result of the first hand, of the second, end], given the pair and the dealer."""
    halves = [_half(payments[part], plan.actions[value + 1, part], single(value)) for part in (1, 2)]
    keys = [(space().cards[half.hand] << BITS * np.arange(10)).sum(axis=1) for half in halves]
    which = np.empty((len(keys[0]), len(keys[1])), dtype=np.int64)
    together = pair_up(keys[0], keys[1], which)
    ends = _together(solution, plan.against, value, together)
    kinds = [len(payments[part].pays) for part in (1, 2)]
    mass = np.zeros((*kinds, END_COUNT))
    join(which, halves[0].kind, halves[1].kind, halves[0].weight, halves[1].weight, ends, mass)
    chances = np.einsum("ai,bj,ije->abe", payments[1].result, payments[2].result, mass, optimize=True)
    nets = payments[1].pays[:, None] + payments[2].pays[None]
    count = END_COUNT - plan.against.dealer.found
    return nets[..., :count], chances[..., :count]


def _half(payments: Payments, action: Ints, start: int) -> Ways:
    """Return ways weighted by numbers of orders; the chance of an order depends on both hands' cards."""
    roots, reach, doubled = np.zeros((3, len(action)))
    roots[start] = 1
    orders(space(), action, start, reach, doubled)
    return _ways(payments, action, roots, reach, doubled)


def _together(solution: Solution, against: DealerSolution, value: int, together: Ints) -> Floats:
    """Return [index, end]: the chance of one order of these cards and of this end of the dealer's hand."""
    cards = together[:, None] >> BITS * np.arange(10) & (1 << BITS) - 1
    ends = ends_of(against.tree, lanes_of(solution.shoe.counts, cards))[: len(cards)]
    pair = 2 * (np.arange(10) == value)
    left = against.dealer.unseen - pair
    drawn = cards - pair
    order = np.prod(_falling(left)[np.arange(10), drawn], axis=1)
    all_orders = _falling(left.sum(keepdims=True))[0, drawn.sum(axis=1)]
    likely: Floats = order / np.maximum(all_orders, 1)
    return ends * likely[:, None]


def _falling(counts: Floats) -> Floats:
    """Return [index, drawn]: the number of ways to draw that many of these cards in turn."""
    steps = np.maximum(counts[:, None] - np.arange((1 << BITS) - 1), 0)
    ways: Floats = np.concatenate([np.ones((len(counts), 1)), np.cumprod(steps, axis=1)], axis=1)
    return ways
