"""A finite automaton that plays a round: in each state, what is drawn determines the next."""

from typing import Generic, NamedTuple, TypeVar

E = TypeVar("E")
"""The result of a round."""


class End(NamedTuple):
    """The result of a bet: its net win and its total stake."""

    net: int
    stake: int


Ends = tuple[End, ...]
"""The results of a round's bets, in the order of `bets`."""


class Automaton(NamedTuple, Generic[E]):
    """A round as a transition table; it starts in state 0.

    `rows[state][column]` is the next state, or `~end` (negative) if the round ends with `ends[end]`.
    `columns[column]` lists the items that share a column, as records write them: ranks, cards, pockets or
    rolls; all items are equally frequent in the shoe. Drawn items stay out unless drawn `with_replacement`.
    Amounts are in units of which `unit_stake` is the initial stake on each of the `bets`.
    """

    columns: tuple[tuple[str, ...], ...]
    with_replacement: bool
    rows: tuple[tuple[int, ...], ...]
    ends: tuple[E, ...]
    bets: tuple[str, ...]
    unit_stake: int

    @property
    def kinds(self) -> int:
        """The number of different items."""
        return sum(map(len, self.columns))

    def draws(self) -> tuple[int, int]:
        """Return the minimum and the maximum number of draws of a round."""
        minimum = [0] * len(self.rows)
        maximum = [0] * len(self.rows)
        for state in self._successors_first():
            after = self.rows[state]
            minimum[state] = 1 + min(minimum[to] if to >= 0 else 0 for to in after)
            maximum[state] = 1 + max(maximum[to] if to >= 0 else 0 for to in after)
        return minimum[0], maximum[0]

    def _successors_first(self) -> list[int]:
        """Return the states in reverse topological order."""
        order: list[int] = []
        seen: set[int] = set()

        def visit(state: int) -> None:
            seen.add(state)
            for to in self.rows[state]:
                if to >= 0 and to not in seen:
                    visit(to)
            order.append(state)

        visit(0)
        return order


def order_by_visits(automaton: Automaton[E], start: int) -> Automaton[E]:
    """Reorder the reachable states by descending visits, so that the most visited share cache lines.

    Requires rows in which every successor precedes its state.
    """
    visits = _visits(automaton, start)
    order = sorted((state for state, often in enumerate(visits) if often), key=lambda state: -visits[state])
    order.remove(start)
    place = {state: number for number, state in enumerate((start, *order))}
    moved = (automaton.rows[state] for state in place)
    rows = tuple(tuple(place[to] if to >= 0 else to for to in row) for row in moved)
    return automaton._replace(rows=rows)


def _visits(automaton: Automaton[E], start: int) -> list[float]:
    """Estimate the expected visits to each state, as if drawing with replacement."""
    weights = [len(group) / automaton.kinds for group in automaton.columns]
    visits = [0.0] * len(automaton.rows)
    visits[start] = 1.0
    for state in range(start, -1, -1):
        for to, weight in zip(automaton.rows[state], weights, strict=True):
            if to >= 0:
                visits[to] += visits[state] * weight
    return visits
