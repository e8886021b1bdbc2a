"""The inner loops, compiled: the dealer's ends and the best play. Their slow twin is `twin.py`."""

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
"""Sets of cards that are worked on side by side, so that the compiler makes vectors of them."""
EQUAL = 1e-12
"""Values so near are equal: then the option that comes first is taken."""
END_COUNT = len(ENDS)

STAND, HIT, DOUBLE, SPLIT, NOTHING = range(5)
"""Actions, in the order in which equals are preferred; NOTHING: there is none to take."""


class Dealer(NamedTuple):
    """The dealer as a player sees him."""

    ends: Floats
    """[row, end]: how likely his hand ends so once the row's cards are out."""
    unseen: Floats
    """[value]: the shoe without his known cards."""
    all_unseen: float
    found: bool
    """Whether a blackjack is found before anyone plays."""
    completes: int
    """The value that makes a blackjack of his upcard; -1: none does, or it is known already."""


class HandValues(NamedTuple):
    """What is found of each hand, while it is played as `action` says."""

    net: Floats
    stake: Floats
    hit_stake: Floats
    doubled: Floats
    """The net result of the hand as it lies, with two stakes on it."""
    live: Floats
    """The chance that no blackjack is found."""
    ways: Floats
    """[hand, action]: the net result of standing, hitting, doubling."""
    action: Ints


F = TypeVar("F", bound=Callable[..., Any])
jit: Any = njit
"""With options that its types don't know."""
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
    """Called from Python."""
    return cast("F", jit(error_model="numpy", no_cfunc_wrapper=True, cache=CACHED)(function))


def inner_kernel(function: F) -> F:
    """Called by kernels only: without a way in from Python there is much less to compile."""
    return cast("F", jit(error_model="numpy", no_cfunc_wrapper=True, no_cpython_wrapper=True)(function))


@kernel
def dealer_ends(unseen: Floats, tree: Tree, known: int, count: Floats, found: Floats, out: Floats) -> None:
    """Adds to out[lane, end] of unseen[block, value, lane]; value 10: all cards. Busts are what is left of 1.

    Of the unseen cards `known` are the dealer's own. `count` and `found` are paper: ones, and zeros.
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
    """Numbers of orders as chances; takes them from `found`."""
    for lane in range(LANES):
        share = 1.0
        for deep in range(found.shape[1]):
            for end in range(1, END_COUNT):
                out[lane, end] += found[end, deep, lane] * share
                found[end, deep, lane] = 0.0
            share /= max(1.0, unseen[lane] - known - deep)


@kernel
def play(space: Space, terms: RuleTables, dealer: Dealer, family: int, part: int, sheet: HandValues) -> None:
    """Plays every hand of a family at its best, those first that others become."""
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
    """The ways to play one hand whose longer hands are played; `row` is what isn't unseen any more."""
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
    """What a hand that lies nets; a blackjack that is found before has ended the round."""
    net = 0.0
    for end in range(END_COUNT - dealer.found):
        net += dealer.ends[row, end] * pays[end]
    return net


@inner_kernel
def still_live(space: Space, dealer: Dealer, row: int, value: int, unseen: float) -> float:
    """The chance that no blackjack is found, once a card of `value` has come too."""
    if dealer.completes < 0:
        return 1.0
    makes = dealer.unseen[dealer.completes] - space.cards[row, dealer.completes] - (value == dealer.completes)
    live: float = 1.0 - max(0.0, makes) / max(1.0, unseen - 1.0)
    return live


@kernel
def spread(space: Space, dealer: Dealer, family: int, action: Ints, reach: Floats, doubled: Floats) -> None:
    """How likely each hand comes to be, by hits and by a double; in place, from how likely the first are."""
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
