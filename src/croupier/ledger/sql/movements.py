"""Queries for the movements of a player's cash.

The entries of live tables name no player, so their movements are found by the player's rounds.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

from msgspec import json
from sqlalchemy import BigInteger, ColumnElement, Connection, Select, case, cast, select, text, union

from croupier.ledger.entries import COUP_KINDS
from croupier.ledger.protocol import CashMovement
from croupier.ledger.sql.json_functions import JsonText, json_numbers
from croupier.ledger.sql.schema import LONG, LONG_ROUND_MS, OPEN, account, journal, posting, round_

MOVEMENT = (
    journal.c.seq,
    journal.c.at_ms,
    journal.c.kind,
    account.c.currency,
    posting.c.amount_minor,
    posting.c.balance_minor,
    journal.c.table_id,
)
ADJUSTED_FOR = case((journal.c.kind == "adjustment", JsonText(journal.c.body, "reason")), else_="")
SHARED_KINDS = ("stakes", *sorted(COUP_KINDS))
OPEN_OF_PLAYER = text("round.player || '' = :owner")
"""The concatenation makes SQLite use the index of open rounds, which are fewer than a player's rounds."""
CLOCK_MS = 60_000
"""Tolerance for times that aren't quite in the order of the journal.

Otherwise they are while the server runs, and no round of a live table stays open when it stops.
"""


class RoundSelection(NamedTuple):
    """A player's rounds at `tables` (None: at any) in the time from `since_ms` to before `until_ms`."""

    player: str
    tables: Collection[str] | None = None
    since_ms: int = 0
    until_ms: int | None = None

    def started(self) -> list[ColumnElement[bool]]:
        """Return the conditions on rounds that started in the period."""
        return [round_.c.player == self.player, *self._within(round_.c.table_id, round_.c.started_ms)]

    def moved(self) -> list[ColumnElement[bool]]:
        """Return the conditions on entries of the period."""
        return self._within(journal.c.table_id, journal.c.at_ms)

    def _within(self, table: ColumnElement[str], at_ms: ColumnElement[int]) -> list[ColumnElement[bool]]:
        at_table = [] if self.tables is None else [table.in_(self.tables)]
        after = [at_ms >= self.since_ms] if self.since_ms else []
        until = [] if self.until_ms is None else [at_ms < self.until_ms]
        return [*at_table, *after, *until]


class _Floor(NamedTuple):
    """A place in the journal from which on there are enough movements, so that older rounds aren't read."""

    seq: int
    at_ms: int


def newest_movements(
    connection: Connection, selection: RoundSelection, before: int | None, limit: int
) -> tuple[CashMovement, ...]:
    """Return the newest selected movements whose `seq` is below `before`."""
    floor = _floor(connection, selection, before, limit)
    rounds = _rounds_by_seq(connection, selection, floor, before)
    page = [journal.c.seq >= floor.seq, *([] if before is None else [journal.c.seq < before])]
    newest = [*page, *selection.moved()]
    own = connection.execute(_newest(own_movements(selection.player).where(*newest), limit)).all()
    shared = connection.execute(_newest(_movements_at(selection.player, rounds).where(*newest), limit)).all()
    found = [*own, *((*row, rounds[row.seq]) for row in shared)]
    return tuple(CashMovement(*row) for row in sorted(found, reverse=True)[:limit])


def _newest(movements: Select[Any], limit: int) -> Select[Any]:
    return movements.order_by(journal.c.seq.desc()).limit(limit)


def _floor(connection: Connection, selection: RoundSelection, before: int | None, limit: int) -> _Floor:
    """Return the floor of a page: the entry that opens a round moves its stake."""
    older = [] if before is None else [round_.c.opened_seq < before]
    opened = select(round_.c.opened_seq, round_.c.started_ms).where(*selection.started(), *older)
    last = opened.order_by(round_.c.opened_seq.desc()).limit(1).offset(limit - 1)
    found = connection.execute(last).first()
    return _Floor(*found) if found else _Floor(0, selection.since_ms)


def _rounds_by_seq(
    connection: Connection, selection: RoundSelection, floor: _Floor, before: int | None
) -> dict[int, str]:
    """Return the player's rounds that can have movements from the floor on, by the seqs of their entries."""
    at_ms = floor.at_ms - CLOCK_MS
    until_ms = None if selection.until_ms is None else selection.until_ms + CLOCK_MS
    started = selection._replace(since_ms=0, until_ms=until_ms).started()
    older = [] if before is None else [round_.c.opened_seq < before]
    rounds = select(round_.c.id, round_.c.stakes, round_.c.ended_seq)
    recent = rounds.where(*started, *older, round_.c.started_ms >= at_ms - LONG_ROUND_MS)
    long = rounds.where(*started, *older, LONG, round_.c.ended_ms >= at_ms)
    still_open = rounds.where(OPEN, OPEN_OF_PLAYER.bindparams(owner=selection.player))
    found = connection.execute(union(recent, long, still_open))
    return {seq: id_ for id_, stakes, ended_seq in found for seq in (*json.decode(stakes), ended_seq)}


def own_movements(player: str) -> Select[Any]:
    """Return movements of the player's cash by their own entries."""
    return (
        select(*MOVEMENT, journal.c.round, ADJUSTED_FOR)
        .join(posting, posting.c.seq == journal.c.seq)
        .join(account, account.c.id == posting.c.account_id)
        .where(journal.c.player == player, account.c.kind == "cash")
    )


def _movements_at(player: str, seqs: Collection[int]) -> Select[Any]:
    """Return movements of the player's cash by entries of live tables."""
    found = json_numbers(seqs)
    return (
        select(*MOVEMENT)
        .select_from(found)
        .join(journal, journal.c.seq == cast(found.c.value, BigInteger))
        .join(posting, posting.c.seq == journal.c.seq)
        .join(account, account.c.id == posting.c.account_id)
        .where(account.c.owner == player, account.c.kind == "cash", journal.c.kind.in_(SHARED_KINDS))
    )
