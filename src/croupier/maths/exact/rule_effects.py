"""What each rule is worth: one table turned into another field by field, and what every step changes."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from croupier.maths.exact.cached_figures import cached_figures_of
from croupier.play.contract.game import Table
from croupier.play.tables.files import InvalidTables, with_rules


class RuleChange(NamedTuple):
    """Fields that change together, from what to what, and the return per initial stake before and after."""

    changes: dict[str, tuple[Any, Any]]
    before: float
    after: float

    @property
    def difference(self) -> float:
        return self.after - self.before


def rule_changes(table: Table, other: Table, bet: str = "") -> Iterator[RuleChange]:
    """In the order of the rules' fields; a step that no table can take alone is taken with the next.

    Of a `bet` that nobody can play well or badly; without one, of the best main bet at its best.
    """
    now, before = table, returned(table, bet)
    waiting: dict[str, tuple[Any, Any]] = {}
    for field, change in differences(table, other):
        waiting[field] = change
        try:
            then = with_rules(now, {name: new for name, (_, new) in waiting.items()})
        except InvalidTables:
            continue
        after = returned(then, bet)
        yield RuleChange(waiting, before, after)
        now, before, waiting = then, after, {}


def differences(table: Table, other: Table) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """The fields in which two tables of one game differ, with both values."""
    old, new = msgspec.to_builtins(table.rules), msgspec.to_builtins(other.rules)
    return ((field, (old[field], new[field])) for field in old if old[field] != new[field])


def returned(table: Table, bet: str = "") -> float:
    """Per initial stake. ValueError when the table hasn't that bet, with those it has."""
    figures = cached_figures_of(table)
    if not bet:
        return 1 + figures.mean
    odds = {odds.bet: odds for odds in figures.bets}
    if bet not in odds:
        raise ValueError(f"{table.title} has no bet {bet!r} under these rules; there are: {', '.join(odds)}")
    return float(odds[bet].returned)
