"""A finite automaton that plays a round: every state draws something and knows the state after it."""

from typing import Generic, NamedTuple, TypeVar

E = TypeVar("E")
"""What a round came to."""


class End(NamedTuple):
    """What a bet came to: its net result and all that was staked on it."""

    net: int
    stake: int


Ends = tuple[End, ...]
"""What every bet of a round came to, in the order of `bets`."""


class Automaton(NamedTuple, Generic[E]):
    """A round is begun in the first state.

    `rows[state][column]` is the next state, or `~end`, below zero, where the round ends as `ends[end]`.
    `columns[column]` are the things drawn that share a column, as records write them: ranks, cards, pockets
    or rolls; each stands for equally many of the shoe's cards. They stay out, or are put back. Money is in
    units of which `unit_stake` is the initial stake on each of the `bets`.
    """

    columns: tuple[tuple[str, ...], ...]
    with_replacement: bool
    rows: tuple[tuple[int, ...], ...]
    ends: tuple[E, ...]
    bets: tuple[str, ...]
    unit_stake: int

    @property
    def kinds(self) -> int:
        """Of things that may be drawn."""
        return sum(map(len, self.columns))

    def draws(self) -> tuple[int, int]:
        """The fewest and the most draws of a round."""
        fewest = [0] * len(self.rows)
        most = [0] * len(self.rows)
        for state in self._successors_first():
            after = self.rows[state]
            fewest[state] = 1 + min(fewest[to] if to >= 0 else 0 for to in after)
            most[state] = 1 + max(most[to] if to >= 0 else 0 for to in after)
        return fewest[0], most[0]

    def _successors_first(self) -> list[int]:
        """The states, each after all of its successors."""
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
    """The states a round can come to, the most visited first, so that they share the nearest memory.

    In the rows given, every successor stands before its state.
    """
    visits = _visits(automaton, start)
    order = sorted((state for state, often in enumerate(visits) if often), key=lambda state: -visits[state])
    order.remove(start)
    place = {state: number for number, state in enumerate((start, *order))}
    moved = (automaton.rows[state] for state in place)
    rows = tuple(tuple(place[to] if to >= 0 else to for to in row) for row in moved)
    return automaton._replace(rows=rows)


def _visits(automaton: Automaton[E], start: int) -> list[float]:
    """How often a round comes to each state, roughly: as if no card were ever missing from the shoe."""
    weights = [len(group) / automaton.kinds for group in automaton.columns]
    visits = [0.0] * len(automaton.rows)
    visits[start] = 1.0
    for state in range(start, -1, -1):
        for to, weight in zip(automaton.rows[state], weights, strict=True):
            if to >= 0:
                visits[to] += visits[state] * weight
    return visits
