"""Search for the best chart by totals: no change of a single entry improves it.

All hands of an entry are played alike, so an entry maximizes the mean over its hands, weighted by their
chances. These depend on the other entries, so all entries are chosen in turn until none changes.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from croupier.games.blackjack.chart import column_of
from croupier.games.blackjack.exact.chart_kernels import LETTERS, Group, choose, spread_all
from croupier.games.blackjack.exact.kernels import EQUAL, SPLIT, HandValues
from croupier.games.blackjack.exact.results import Value
from croupier.games.blackjack.exact.solution import DealerSolution, Solution, single
from croupier.games.blackjack.exact.space import SINGLE, Floats, Ints, space

ROUNDS_MAX = 20
"""Maximum passes over all entries; three or four usually suffice."""
SELDOM = 1e-9
"""The weight of split pairs among unsplit hands, so that entries without other hands are defined."""


class Member(NamedTuple):
    """A family of hands against one dealer, as dealt or a half of a split, counted `times` times."""

    against: DealerSolution
    family: int
    part: int
    times: int


class Column(NamedTuple):
    """A column of the chart: its heading, the letters of its cells, and the pair values it splits."""

    name: str
    letters: tuple[str, ...]
    splits: frozenset[int]
    members: tuple[Member, ...]
    net: Floats
    stake: Floats
    action: Ints
    """[member, hand]: the action; `net` and `stake` have the same layout."""


def columns(solution: Solution) -> Iterator[Column]:
    """Yield the columns in the order of the dealer's cards; a visible blackjack has none."""
    named: dict[str, list[DealerSolution]] = {}
    for against in solution.dealers:
        if against.live.any():
            named.setdefault(column_of(against.cards), []).append(against)
    for name, dealers in named.items():
        yield _column(solution, name, dealers)


def _column(solution: Solution, name: str, dealers: Sequence[DealerSolution]) -> Column:
    members = tuple(member for against in dealers for member in _members(solution, against))
    group, sheets = _group(members), _sheets(members)
    splits = {value for against in dealers for value in _best_splits(solution, against)}
    letters, before = np.zeros(SINGLE + 1, dtype=np.int64), None
    for _ in range(ROUNDS_MAX):
        reach = roots(solution, members, splits, SELDOM)
        spread_all(space(), group, sheets, reach)
        choose(space(), solution.terms, group, sheets, reach, letters)
        splits = _splits(solution, members, sheets)
        if before == (before := (letters.tolist(), splits)):
            break
    written = tuple(LETTERS[letter] for letter in letters[:SINGLE])
    return Column(name, written, frozenset(splits), members, sheets.net, sheets.stake, sheets.action)


def _members(solution: Solution, against: DealerSolution) -> Iterator[Member]:
    yield Member(against, 0, 0, 1)
    halves = ((1, 2),) if solution.halves_alike(against.cards) else ((1, 1), (2, 1))
    for value in solution.pairs:
        yield from (Member(against, value + 1, part, times) for part, times in halves)


def _group(members: Sequence[Member]) -> Group:
    dealers = [member.against.dealer for member in members if not member.family]
    return Group(
        family=np.array([member.family for member in members]),
        part=np.array([member.part for member in members]),
        which=np.cumsum([not member.family for member in members]) - 1,
        ends=np.stack([dealer.ends for dealer in dealers]),
        unseen=np.stack([dealer.unseen for dealer in dealers]),
        found=np.array([dealer.found for dealer in dealers]),
        completes=np.array([dealer.completes for dealer in dealers]),
    )


def _sheets(members: Sequence[Member]) -> HandValues:
    """Return the initial values, with the best play."""
    shape = (len(members), len(space().size))
    net, stake, hit_stake, doubled, live = np.zeros((5, *shape))
    action = np.stack([member.against.actions[member.family, member.part] for member in members])
    return HandValues(net, stake, hit_stake, doubled, live, np.zeros((*shape, 3)), action)


def _best_splits(solution: Solution, against: DealerSolution) -> Iterator[int]:
    return (value for value, number in solution.pairs.items() if against.best[number] == SPLIT)


def roots(
    solution: Solution, members: Sequence[Member], splits: set[int] | frozenset[int], seldom: float = 0.0
) -> Floats:
    """Return [member, hand]: the chance that a hand is dealt, or that a half of a split starts with it."""
    reach = np.zeros((len(members), len(space().size)))
    for number, member in enumerate(members):
        likely = solution.chances * member.against.chances
        if member.family:
            value = member.family - 1
            reach[number, single(value)] = likely[solution.pairs[value]] * member.times * (value in splits)
        else:
            likely[[solution.pairs[value] for value in splits]] *= seldom
            np.add.at(reach[number], solution.rows, likely)
    return reach


def _splits(solution: Solution, members: Sequence[Member], sheets: HandValues) -> set[int]:
    """Return the values whose pairs are better split."""
    gains: Counter[int] = Counter()
    for member, net in zip(members, sheets.net, strict=True):
        likely = solution.chances * member.against.chances
        for value, number in solution.pairs.items():
            if not member.family:
                gains[value] -= likely[number] * net[solution.rows[number]]
            elif member.family == value + 1:
                gains[value] += likely[number] * member.times * net[single(value)]
    return {value for value, gain in gains.items() if gain > EQUAL}


def column_value(solution: Solution, column: Column) -> Value[float]:
    """Return a column's share of a round's value, without blackjacks found at once."""
    reach = roots(solution, column.members, column.splits)
    return Value(float((reach * column.net).sum()), float((reach * column.stake).sum()))
