"""The infrequent queries, in SQLAlchemy Core, which any SQL store can use."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
import sqlalchemy
from sqlalchemy import ColumnElement, Connection, Engine, Select, TextClause, case, func, select

from croupier.ledger.chain import JournalRow, entry_of
from croupier.ledger.entries import COUP_KINDS, ROUND_KINDS, Entry
from croupier.ledger.protocol import CashMovement, RoundRecord, RoundSummary, Settlement, StakeTotals
from croupier.ledger.round_records import record
from croupier.ledger.sqlite.schema import DEPOSITS, OPEN, account, journal, posting, round_

ROW = [column for column in journal.columns if column.name != "hash"]
ROUND = list(round_.columns)
MOVEMENT = (
    journal.c.seq,
    journal.c.at_ms,
    journal.c.kind,
    account.c.currency,
    posting.c.amount_minor,
    posting.c.balance_minor,
    journal.c.table_id,
)
RoundFilter = ColumnElement[bool] | TextClause

RECENT_ROUNDS = 200
"""Rounds of a player that `recent_tables` searches."""

LAST_SEQ = 2**63 - 1
"""The upper bound of an open round's entries."""

COUPS_CACHED = 4
"""With thousands of players, one takes some megabytes."""


class LedgerQueries:
    """The infrequent queries of `LedgerReader`, each in one state of the database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._coups: dict[int, Entry] = {}

    def round(self, round_id: str) -> RoundRecord | None:
        return next(iter(self._records(round_.c.id == round_id)), None)

    def open_rounds(self) -> tuple[RoundRecord, ...]:
        return self._records(OPEN)

    def rounds(
        self,
        player: str,
        *,
        before: str | None = None,
        table: str | None = None,
        since_ms: int = 0,
        until_ms: int | None = None,
        limit: int = 50,
    ) -> tuple[RoundSummary, ...]:
        conditions = _started(player, table, since_ms, until_ms)
        query = select(*ROUND).where(*conditions).order_by(round_.c.opened_seq.desc()).limit(limit)
        if before is not None:
            last = round_.alias()
            query = query.where(
                round_.c.opened_seq < select(last.c.opened_seq).where(last.c.id == before).scalar_subquery()
            )
        return tuple(RoundSummary(*row) for row in self._all(query))

    def first_started_ms(self, player: str, *, since_ms: int) -> int:
        query = select(func.min(round_.c.started_ms)).where(*_started(player, None, since_ms, None))
        return next(row[0] for row in self._all(query)) or 0

    def recent_tables(self, player: str, *, limit: int) -> tuple[str, ...]:
        newest = round_.c.opened_seq.desc()
        last = select(round_.c.table_id, round_.c.opened_seq).where(round_.c.player == player)
        found = last.order_by(newest).limit(RECENT_ROUNDS).subquery()
        tables = select(found.c.table_id).group_by(found.c.table_id)
        return tuple(
            row[0] for row in self._all(tables.order_by(func.max(found.c.opened_seq).desc()).limit(limit))
        )

    def settlements(self, player: str, table: str, *, limit: int = 50) -> tuple[Settlement, ...]:
        query = (
            select(round_.c.id, round_.c.number, journal.c.body)
            .join(journal, journal.c.seq == round_.c.ended_seq)
            .where(round_.c.player == player, round_.c.table_id == table, journal.c.kind == "settle")
        )
        found = self._all(query.order_by(round_.c.opened_seq.desc()).limit(limit))
        return tuple(Settlement(id_, number, msgspec.json.decode(body)) for id_, number, body in found)

    def totals(
        self, player: str, table: str | None = None, since_ms: int = 0, until_ms: int | None = None
    ) -> dict[str, StakeTotals]:
        sums = func.sum(round_.c.staked_minor), func.sum(round_.c.returned_minor)
        conditions = _started(player, table, since_ms, until_ms)
        query = select(round_.c.currency, *sums).where(*conditions, round_.c.ended_ms > 0)
        return {row[0]: StakeTotals(row[1], row[2]) for row in self._all(query.group_by(round_.c.currency))}

    def deposited(self, player: str, *, since_ms: int = 0) -> dict[str, int]:
        deposits = _own_movements(player).where(DEPOSITS, journal.c.at_ms >= since_ms)
        rows = deposits.with_only_columns(account.c.currency, func.sum(posting.c.amount_minor))
        return dict(tuple(row) for row in self._all(rows.group_by(account.c.currency)))

    def statement(
        self, player: str, *, before: int | None = None, limit: int = 50
    ) -> tuple[CashMovement, ...]:
        with self._engine.connect() as connection:
            found = [
                row
                for movements in (_own_movements(player), _stake_movements(player), _coup_movements(player))
                for row in connection.execute(_newest(movements, before, limit))
            ]
        return tuple(CashMovement(*row) for row in sorted(found, reverse=True)[:limit])

    def last_ms(self) -> int:
        found = self._all(select(journal.c.at_ms).order_by(journal.c.seq.desc()).limit(1))
        return found[0][0] if found else 0

    def notes(
        self,
        prefix: str,
        *,
        before: str | None = None,
        table: str | None = None,
        text: str = "",
        limit: int = 50,
    ) -> tuple[Entry, ...]:
        keys = journal.c.key >= prefix, journal.c.key < (before or f"{prefix}\U0010ffff")
        at_table = [] if table is None else [journal.c.table_id == table]
        found = [journal.c.body.icontains(text, autoescape=True)] if text else []
        query = select(*ROW).where(*keys, journal.c.kind == "note", *at_table, *found)
        return tuple(
            entry_of(JournalRow(*row)) for row in self._all(query.order_by(journal.c.key.desc()).limit(limit))
        )

    def hashes(self, seqs: Collection[int]) -> dict[int, str]:
        found = self._all(select(journal.c.seq, journal.c.hash).where(journal.c.seq.in_(seqs)))
        return {seq: hash_.hex() for seq, hash_ in found}

    def _all(self, query: Select[Any]) -> Sequence[Any]:
        with self._engine.connect() as connection:
            return connection.execute(query).all()

    def _records(self, condition: RoundFilter) -> tuple[RoundRecord, ...]:
        with self._engine.connect() as connection:
            found = connection.execute(select(*ROUND).where(condition)).all()
            rounds = sorted(found, key=lambda row: row.place)
            entries = _entries_of(connection, condition)
            coups = self._coups_of(connection, {row.ended_seq for row in rounds if row.ended_seq})
        return tuple(
            _record(RoundSummary(*row), entries.get(row.id, ()), coups.get(row.ended_seq)) for row in rounds
        )

    def _coups_of(self, connection: Connection, seqs: Collection[int]) -> Mapping[int, Entry]:
        """Return coups by seq, the last ones from a cache: thousands of players may ask for the same."""
        cached = self._coups
        if unknown := [seq for seq in seqs if seq not in cached]:
            query = select(*ROW).where(journal.c.seq.in_(unknown), journal.c.kind.in_(COUP_KINDS))
            cached = cached | {row.seq: entry_of(JournalRow(*row)) for row in connection.execute(query)}
            self._coups = dict([*cached.items()][-COUPS_CACHED:])
        return {seq: cached[seq] for seq in seqs if seq in cached}


def _record(round_: RoundSummary, entries: Sequence[Entry], coup: Entry | None) -> RoundRecord:
    rounds = [share.round for share in coup.shares.each] if coup and coup.shares else [round_.id]
    return record(round_, entries, coup, rounds.index(round_.id))


def _started(
    player: str, table: str | None, since_ms: int, until_ms: int | None
) -> list[ColumnElement[bool]]:
    at_table = [] if table is None else [round_.c.table_id == table]
    after = [round_.c.started_ms >= since_ms] if since_ms else []
    until = [] if until_ms is None else [round_.c.started_ms < until_ms]
    return [round_.c.player == player, *at_table, *after, *until]


def _entries_of(connection: Connection, condition: RoundFilter) -> Mapping[str, list[Entry]]:
    """Search the players' entries between the one that opened a round and the one that ended it."""
    until = case((round_.c.ended_seq > 0, round_.c.ended_seq), else_=LAST_SEQ)
    query = (
        select(*ROW)
        .select_from(round_)
        .join(journal, journal.c.player == round_.c.player)
        .where(condition, journal.c.seq.between(round_.c.opened_seq, until), journal.c.round == round_.c.id)
        .where(journal.c.kind.in_(ROUND_KINDS))
    )
    entries: dict[str, list[Entry]] = {}
    for row in sorted(connection.execute(query)):  # by seq; with ORDER BY, SQLite would scan the table
        entries.setdefault(row.round, []).append(entry_of(JournalRow(*row)))
    return entries


def _own_movements(player: str) -> Select[Any]:
    """Movements of the player's cash by their own entries."""
    return (
        select(*MOVEMENT, journal.c.round)
        .join(posting, posting.c.seq == journal.c.seq)
        .join(account, account.c.id == posting.c.account_id)
        .where(journal.c.player == player, account.c.kind == "cash")
    )


def _stake_movements(player: str) -> Select[Any]:
    """Movements of the player's cash by `stakes`, found by the player's rounds."""
    seqs = func.json_each(round_.c.stakes).table_valued("value")
    return (
        select(*MOVEMENT, round_.c.id)
        .select_from(round_)
        .join(seqs, sqlalchemy.true())
        .join(journal, journal.c.seq == seqs.c.value)
        .join(account, (account.c.owner == round_.c.player) & (account.c.currency == round_.c.currency))
        .join(posting, (posting.c.seq == journal.c.seq) & (posting.c.account_id == account.c.id))
        .where(round_.c.player == player, account.c.kind == "cash")
    )


def _coup_movements(player: str) -> Select[Any]:
    """Movements of the player's cash by coups, found by the player's rounds."""
    return (
        select(*MOVEMENT, round_.c.id)
        .select_from(round_)
        .join(journal, journal.c.seq == round_.c.ended_seq)
        .join(account, (account.c.owner == round_.c.player) & (account.c.currency == round_.c.currency))
        .join(posting, (posting.c.seq == journal.c.seq) & (posting.c.account_id == account.c.id))
        .where(round_.c.player == player, account.c.kind == "cash", journal.c.kind.in_(COUP_KINDS))
    )


def _newest(movements: Select[Any], before: int | None, limit: int) -> Select[Any]:
    older = movements if before is None else movements.where(journal.c.seq < before)
    return older.order_by(journal.c.seq.desc()).limit(limit)
