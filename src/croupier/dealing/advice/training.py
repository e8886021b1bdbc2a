"""A player's training record: how many decisions were judged, what mistakes cost, and the worst of them.

Every judgement is a note in the journal too, under its round.
"""

from collections.abc import Mapping
from concurrent.futures import Future
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from croupier.ledger.entries import Entry

MILLION = 1_000_000
WORST_KEPT = 20


class Counted(Struct, frozen=True, array_like=True):
    """Costs are in millionths of an initial stake: a journal has no fractions."""

    decisions: int = 0
    mistakes: int = 0
    cost_millionths: int = 0

    def plus(self, cost_millionths: int) -> "Counted":
        mistakes = self.mistakes + (cost_millionths > 0)
        return Counted(self.decisions + 1, mistakes, self.cost_millionths + cost_millionths)


class Judgement(Struct, frozen=True):
    """A decision that was made, and what it cost."""

    round: str
    at_ms: int
    table: str
    kind: str
    hand: str
    action: str
    best: str
    cost_millionths: int
    advised: bool


class Record(Struct, frozen=True):
    """The training record of a player.

    `by` has the counts by table and kind. Decisions that advice was asked for are only counted as `advised`.
    """

    advised: int = 0
    by: dict[str, dict[str, Counted]] = {}
    worst: tuple[Judgement, ...] = ()

    @property
    def total(self) -> Counted:
        each = [counted for kinds in self.by.values() for counted in kinds.values()]
        return Counted(
            sum(counted.decisions for counted in each),
            sum(counted.mistakes for counted in each),
            sum(counted.cost_millionths for counted in each),
        )

    def plus(self, one: Judgement) -> "Record":
        if one.advised:
            return replace(self, advised=self.advised + 1)
        kinds = self.by.get(one.table, {})
        counted = kinds.get(one.kind, Counted()).plus(one.cost_millionths)
        by = {**self.by, one.table: {**kinds, one.kind: counted}}
        mistakes = (*self.worst, one) if one.cost_millionths else self.worst
        dearest = sorted(mistakes, key=lambda mistake: -mistake.cost_millionths)
        return replace(self, by=by, worst=tuple(dearest[:WORST_KEPT]))


class TrainingRecords(Protocol):
    """The repository. See `accounts.repository` for the order of calls and their futures."""

    def read(self, player: str) -> Future[Record]:
        """Return the player's record; an empty one if nothing was judged."""

    def add(self, player: str, one: Judgement, note: Entry) -> Future[Record]:
        """Count a judgement and post its note, once; return the record with it."""


def units(millionths: int) -> float:
    """Return an amount in initial stakes."""
    return millionths / MILLION


def millionths(worths: Mapping[str, float]) -> dict[str, int]:
    """Return worths as the journal has them."""
    return {action: round(worth * MILLION) for action, worth in worths.items()}
