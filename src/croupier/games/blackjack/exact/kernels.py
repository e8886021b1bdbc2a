"""Compiled loops: the dealer's ends and the best play. `reference.py` is the reference implementation."""

from collections.abc import Callable
from os import W_OK, access, utime
from typing import Any, NamedTuple, TypeVar, cast

import numba
from numba import njit

from croupier.cache import cache_folder, sources_digest
from croupier.games.blackjack.exact.dealer import Tree
from croupier.games.blackjack.exact.space import Floats, Ints, Space
from croupier.games.blackjack.exact.terms import RuleTables
from croupier.games.blackjack.outcomes import BLACKJACK, ENDS

LANES = 128
"""SIMD lanes: sets of cards processed together."""
EQUAL = 1e-12
"""Tolerance for equal values; of equal options the first is taken."""
END_COUNT = len(ENDS)

STAND, HIT, DOUBLE, SPLIT, NOTHING = range(5)
"""Actions in order of preference among equals; NOTHING if there is none."""


class Dealer(NamedTuple):
    """The dealer from a player's perspective."""

    ends: Floats
    """[row, end]: the chance of each end once the row's cards are out."""
    unseen: Floats
    """[value]: the shoe without the dealer's known cards."""
    all_unseen: float
    found: bool
    """True if a blackjack is found before play."""
    completes: int
    """The value that completes a blackjack with the upcard; -1: none, or it is already known."""


class HandValues(NamedTuple):
    """Values of each hand when played according to `action`."""

    net: Floats
    stake: Floats
    hit_stake: Floats
    doubled: Floats
    """The net result of standing with two stakes."""
    live: Floats
    """The chance that no blackjack is found."""
    ways: Floats
    """[hand, action]: the net result of standing, hitting and doubling."""
    action: Ints


F = TypeVar("F", bound=Callable[..., Any])
jit: Any = njit
"""`njit` with options that its type stubs lack."""
SOURCES = ("equipment", "games.blackjack", "play")
"""The packages that compiled kernels depend on."""


def _cached() -> bool:
    """Point numba's cache to a folder of these sources; return whether compiled code can be kept there.

    numba notices an edit to a kernel's own file only, and kernels call functions of other files.
    """
    kept = cache_folder()
    if kept is None:
        return False
    folder = kept / f"kernels-{numba.__version__}-{sources_digest(*SOURCES)[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        utime(folder)
    except OSError:
        return False
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    return access(folder, W_OK)


CACHED = _cached()


def kernel(function: F) -> F:
    """Compile a function that Python calls."""
    return cast("F", jit(error_model="numpy", no_cfunc_wrapper=True, cache=CACHED)(function))


def inner_kernel(function: F) -> F:
    """Compile a function that only kernels call: without a Python wrapper it compiles faster."""
    return cast("F", jit(error_model="numpy", no_cfunc_wrapper=True, no_cpython_wrapper=True)(function))


@kernel
def dealer_ends(unseen: Floats, tree: Tree, known: int, count: Floats, found: Floats, out: Floats) -> None:
    """Add the chances of unseen[block, value, lane] to out[lane, end], without busts. Value 10: all cards.

    Of the unseen cards `known` are the dealer's own. `count` and `found` are scratch space: ones, and zeros.
    """
    for block in range(len(unseen)):
        for node in range(len(tree.depth)):
            deep = tree.depth[node]
            if deep:
                _grow(count[deep - 1], unseen[block, tree.value[node]], tree.held[node], count[deep])
            if tree.orders[node]:
                _add(found[tree.end[node], deep], tree.orders[node], count[deep])
        _share(found, unseen[block, 10], known, out[block * LANES : (block + 1) * LANES])


@inner_kernel
def _grow(stem: Floats, unseen: Floats, held: float, into: Floats) -> None:
    for lane in range(LANES):
        into[lane] = stem[lane] * (unseen[lane] - held)


@inner_kernel
def _add(found: Floats, orders: float, count: Floats) -> None:
    for lane in range(LANES):
        found[lane] += orders * count[lane]


@inner_kernel
def _share(found: Floats, unseen: Floats, known: int, out: Floats) -> None:
    """Convert the numbers of orders in `found` to chances, and clear them."""
    for lane in range(LANES):
        share = 1.0
        for deep in range(found.shape[1]):
            for end in range(1, END_COUNT):
                out[lane, end] += found[end, deep, lane] * share
                found[end, deep, lane] = 0.0
            share /= max(1.0, unseen[lane] - known - deep)


@kernel
def play(space: Space, terms: RuleTables, dealer: Dealer, family: int, part: int, sheet: HandValues) -> None:
    """Find the best play of every hand of a family, larger hands first."""
    for hand in range(len(space.size)):
        row = hand if family == 0 else space.beside[family - 1, hand]
        if row < 0:
            continue
        evaluate(space, terms, dealer, part, sheet, hand, row)
        set_action(sheet, hand, _best(space, terms, family, sheet, hand))


@inner_kernel
def _best(space: Space, terms: RuleTables, family: int, sheet: HandValues, hand: int) -> int:
    if space.size[hand] == 1:
        return HIT
    if terms.complete[family, hand]:
        return NOTHING
    best = STAND
    for action in range(HIT, DOUBLE + terms.double[family, hand]):
        if sheet.ways[hand, action] > sheet.ways[hand, best] + EQUAL:
            best = action
    return best


@inner_kernel
def set_action(sheet: HandValues, hand: int, action: int) -> None:
    sheet.action[hand] = action
    sheet.net[hand] = sheet.ways[hand, STAND if action == NOTHING else action]
    sheet.stake[hand] = sheet.live[hand] * (2 if action == DOUBLE else 1)
    if action == HIT:
        sheet.stake[hand] = sheet.hit_stake[hand]


@inner_kernel
def evaluate(
    space: Space, terms: RuleTables, dealer: Dealer, part: int, sheet: HandValues, hand: int, row: int
) -> None:
    """Evaluate the actions of a hand whose larger hands are evaluated; `row` has all seen cards."""
    sheet.live[hand] = 1.0 - dealer.found * dealer.ends[row, BLACKJACK]
    sheet.ways[hand, STAND] = settled(dealer, row, terms.pays[part, 0, hand])
    sheet.doubled[hand] = settled(dealer, row, terms.pays[part, 1, hand])
    unseen = max(1.0, dealer.all_unseen - space.drawn[row])
    net = stake = doubled = 0.0
    for value in range(10):
        chance = max(0.0, dealer.unseen[value] - space.cards[row, value]) / unseen
        child = space.child[hand, value]
        if child >= 0:
            net += chance * sheet.net[child]
            stake += chance * sheet.stake[child]
            doubled += chance * sheet.doubled[child]
        else:
            live = chance * still_live(space, dealer, row, value, unseen)
            net += live * terms.bust[part, 0]
            stake += live
            doubled += live * terms.bust[part, 1]
    sheet.ways[hand, HIT], sheet.hit_stake[hand], sheet.ways[hand, DOUBLE] = net, stake, doubled


@inner_kernel
def settled(dealer: Dealer, row: int, pays: Floats) -> float:
    """Return the net result of a final hand, over the rounds without a blackjack found before play."""
    net = 0.0
    for end in range(END_COUNT - dealer.found):
        net += dealer.ends[row, end] * pays[end]
    return net


@inner_kernel
def still_live(space: Space, dealer: Dealer, row: int, value: int, unseen: float) -> float:
    """Return the chance that no blackjack is found, after another card of `value`."""
    if dealer.completes < 0:
        return 1.0
    makes = dealer.unseen[dealer.completes] - space.cards[row, dealer.completes] - (value == dealer.completes)
    live: float = 1.0 - max(0.0, makes) / max(1.0, unseen - 1.0)
    return live


@kernel
def spread(space: Space, dealer: Dealer, family: int, action: Ints, reach: Floats, doubled: Floats) -> None:
    """Compute the chance of each hand by hits and doubles, in place, from those of the first hands."""
    for hand in range(len(space.size) - 1, -1, -1):
        row = hand if family == 0 else space.beside[family - 1, hand]
        if row < 0 or reach[hand] == 0.0 or (action[hand] != HIT and action[hand] != DOUBLE):
            continue
        into = reach if action[hand] == HIT else doubled
        unseen = max(1.0, dealer.all_unseen - space.drawn[row])
        for value in range(10):
            child = space.child[hand, value]
            if child >= 0:
                left = max(0.0, dealer.unseen[value] - space.cards[row, value])
                into[child] += reach[hand] * left / unseen
