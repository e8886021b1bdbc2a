"""Compiled loops of the chart search: a column, cell by cell, over all hands of a cell."""

from typing import NamedTuple

import numpy as np

from croupier.games.blackjack.exact.kernels import (
    DOUBLE,
    EQUAL,
    HIT,
    NOTHING,
    STAND,
    Dealer,
    HandValues,
    evaluate,
    inner_kernel,
    kernel,
    set_action,
    spread,
)
from croupier.games.blackjack.exact.space import Floats, Ints, Space
from croupier.games.blackjack.exact.terms import RuleTables

LETTERS = ("S", "H", "DS", "DH")
"""Letters by number: bit 0 means hit, bit 1 double if possible."""
DOUBLE_OR_STAND, DOUBLE_OR_HIT = 2, 3

NEVER = 1e-12
"""The weight of a hand that the chart never reaches, so that its cell is still chosen well."""


class Group(NamedTuple):
    """The members of a column of a chart: families of hands against one dealer each."""

    family: Ints
    part: Ints
    which: Ints
    """[member]: the index of its dealer."""
    ends: Floats
    unseen: Floats
    found: Ints
    completes: Ints
    """[dealer, ...]: as in Dealer."""


@kernel
def choose(
    space: Space, terms: RuleTables, group: Group, sheets: HandValues, reach: Floats, letters: Ints
) -> None:
    """Choose the best letter of each cell, larger hands first; `reach` has the weights of the hands."""
    first = 0
    while first < len(space.cell):
        last, cell = first, space.cell[first]
        while last < len(space.cell) and space.cell[last] == cell:
            last += 1
        scores = np.zeros(len(LETTERS))
        for member in range(len(group.family)):
            _score(space, terms, group, sheets, reach, member, first, last, scores)
        letters[cell] = _first_best(scores, reach[:, first:last].sum())
        for member in range(len(group.family)):
            _play(space, terms, group, sheets, member, first, last, letters[cell])
        first = last


@inner_kernel
def _score(
    space: Space,
    terms: RuleTables,
    group: Group,
    sheets: HandValues,
    reach: Floats,
    member: int,
    first: int,
    last: int,
    scores: Floats,
) -> None:
    family, dealer, sheet = group.family[member], dealer_of(group, member), sheet_of(sheets, member)
    for hand in range(first, last):
        row = hand if family == 0 else space.beside[family - 1, hand]
        if row >= 0:
            evaluate(space, terms, dealer, group.part[member], sheet, hand, row)
            if not terms.complete[family, hand] and space.size[hand] > 1:
                for letter in range(len(LETTERS)):
                    action = action_of(terms, family, hand, letter)
                    scores[letter] += (reach[member, hand] + NEVER) * sheet.ways[hand, action]


@inner_kernel
def _play(
    space: Space,
    terms: RuleTables,
    group: Group,
    sheets: HandValues,
    member: int,
    first: int,
    last: int,
    letter: int,
) -> None:
    family, sheet = group.family[member], sheet_of(sheets, member)
    for hand in range(first, last):
        if space.size[hand] == 1:
            set_action(sheet, hand, HIT)
        elif terms.complete[family, hand]:
            set_action(sheet, hand, NOTHING)
        else:
            set_action(sheet, hand, action_of(terms, family, hand, letter))


@inner_kernel
def action_of(terms: RuleTables, family: int, hand: int, letter: int) -> int:
    return DOUBLE if letter > 1 and terms.double[family, hand] else letter & 1


@inner_kernel
def _first_best(scores: Floats, weight: float) -> int:
    best = 0
    for letter in range(1, len(scores)):
        if scores[letter] > scores[best] + EQUAL * weight:
            best = letter
    if best == DOUBLE_OR_STAND and scores[HIT] > scores[STAND] and _equal(scores, weight):
        return DOUBLE_OR_HIT
    return best


@inner_kernel
def _equal(scores: Floats, weight: float) -> bool:
    """Return whether the hands of the cell may always be doubled, so that the fallback never shows."""
    return bool(scores[DOUBLE_OR_HIT] >= scores[DOUBLE_OR_STAND] - EQUAL * weight)


@kernel
def spread_all(space: Space, group: Group, sheets: HandValues, reach: Floats) -> None:
    """Compute the chance of each hand of each member, in place."""
    for member in range(len(group.family)):
        dealer = dealer_of(group, member)
        doubled = np.zeros(len(space.size))
        spread(space, dealer, group.family[member], sheets.action[member], reach[member], doubled)


@inner_kernel
def dealer_of(group: Group, member: int) -> Dealer:
    which = group.which[member]
    unseen = group.unseen[which]
    return Dealer(group.ends[which], unseen, unseen.sum(), group.found[which], group.completes[which])


@inner_kernel
def sheet_of(sheets: HandValues, member: int) -> HandValues:
    return HandValues(
        sheets.net[member],
        sheets.stake[member],
        sheets.hit_stake[member],
        sheets.doubled[member],
        sheets.live[member],
        sheets.ways[member],
        sheets.action[member],
    )
