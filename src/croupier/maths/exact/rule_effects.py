"""The value of each rule: one table is turned into another rule by rule."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from croupier.maths.exact.cached_figures import cached_figures_of
from croupier.play.contract.game import Table
from croupier.play.tables.files import InvalidTables, with_rules


class RuleChange(NamedTuple):
    """Fields that change together, and the return per initial stake before and after."""

    changes: dict[str, tuple[Any, Any]]
    before: float
    after: float

    @property
    def difference(self) -> float:
        return self.after - self.before


def rule_changes(table: Table, other: Table, bet: str = "") -> Iterator[RuleChange]:
    """Yield the changes in field order; a change that is invalid alone is combined with the next.

    Returns are those of `bet`, or of the best main bet at its best.
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
    """Return the fields in which two tables of one game differ, with both values."""
    old, new = msgspec.to_builtins(table.rules), msgspec.to_builtins(other.rules)
    return ((field, (old[field], new[field])) for field in old if old[field] != new[field])


def returned(table: Table, bet: str = "") -> float:
    """Return the return per initial stake. Raises ValueError for an unknown bet."""
    figures = cached_figures_of(table)
    if not bet:
        return 1 + figures.mean
    odds = {odds.bet: odds for odds in figures.bets}
    if bet not in odds:
        raise ValueError(f"{table.title} has no bet {bet!r} under these rules; there are: {', '.join(odds)}")
    return float(odds[bet].returned)
