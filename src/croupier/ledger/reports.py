"""The figures that reports read from the ledger, and the protocol of a store that has them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol

from croupier.ledger.entries import Entry


class Spread(NamedTuple):
    """Sums over coups, in squared smallest units, from which the variance of the net result follows.

    The players of a coup win and lose together, so all that a table's coup staked and returned in one
    currency is one result. At an own table each round is.
    """

    coups: int = 0
    net_squares: float = 0.0
    net_by_stake: float = 0.0
    stake_squares: float = 0.0

    def plus(self, other: "Spread") -> "Spread":
        """Return the sums over the coups of both."""
        return Spread(*(mine + others for mine, others in zip(self, other, strict=True)))  # type: ignore[arg-type]


class TableResult(NamedTuple):
    """The rounds that ended at a table in one currency: void ones count in `voids` only."""

    table: str
    currency: str
    rounds: int
    voids: int
    players: int
    staked_minor: int
    returned_minor: int
    spread: Spread


class PeriodResult(NamedTuple):
    """The rounds that ended in a period, by table and currency; `players` are those of all tables."""

    tables: tuple[TableResult, ...]
    players: Mapping[str, int]
    """The players whose rounds were settled, by currency."""


class OpenRounds(NamedTuple):
    """The open rounds at a table in one currency."""

    table: str
    currency: str
    rounds: int
    players: int
    staked_minor: int


class Holdings(NamedTuple):
    """The balances after journal entry `seq`, summed by kind of account and currency."""

    seq: int
    at_ms: int
    minor: Mapping[tuple[str, str], int]


class Reply(NamedTuple):
    """A note about another one: it has the same key but for its prefix, and this text in a field."""

    prefix: str
    field: str
    text: str


class NoteFilter(NamedTuple):
    """A choice of notes; `since` and `before` bound their keys, without the prefix. Empty: any."""

    since: str = ""
    before: str = ""
    table: str = ""
    text: str = ""
    """A text anywhere in the body."""
    fields: Mapping[str, str] = MappingProxyType({})
    """Texts of fields of the body, by path such as `details.player`."""
    without: Reply | None = None
    """Leave out the notes that have this reply."""


ANY_NOTE = NoteFilter()


class ReportReader(Protocol):
    """Reads figures of all players. Safe to call from any thread; each call sees one state of the ledger."""

    def results(self, since_ms: int, until_ms: int) -> PeriodResult:
        """Return the rounds that ended at `since_ms` or later, and before `until_ms`."""

    def open_by_table(self) -> tuple[OpenRounds, ...]:
        """Return the open rounds by table and currency."""

    def holdings(self, at_ms: int | None = None) -> Holdings:
        """Return the balances after the last entry made at `at_ms` or before; None: after the last entry."""

    def notes(self, prefix: str, chosen: NoteFilter = ANY_NOTE, *, limit: int) -> tuple[Entry, ...]:
        """Return the chosen notes by key prefix, last key first."""
