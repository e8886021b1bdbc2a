"""The cold queries, in SQLAlchemy Core: the same for every store that speaks SQL."""

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
LINE = list(round_.columns)
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
"""Rounds of a player that are searched for the tables of the last ones."""

LAST_SEQ = 2**63 - 1
"""Of any journal: the rounds that are open end nowhere yet."""

COUPS_KEPT = 4
"""Of the table with the most players one is some megabytes."""


class LedgerQueries:
    """The colder questions of the `Ledger` protocol, each answered from one state of the books."""

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
        played = _played(player, table, since_ms, until_ms)
        query = select(*LINE).where(*played).order_by(round_.c.opened_seq.desc()).limit(limit)
        if before is not None:
            last = round_.alias()
            query = query.where(
                round_.c.opened_seq < select(last.c.opened_seq).where(last.c.id == before).scalar_subquery()
            )
        return tuple(RoundSummary(*row) for row in self._all(query))

    def first_started_ms(self, player: str, *, since_ms: int) -> int:
        query = select(func.min(round_.c.started_ms)).where(*_played(player, None, since_ms, None))
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
        played = _played(player, table, since_ms, until_ms)
        query = select(round_.c.currency, *sums).where(*played, round_.c.ended_ms > 0)
        return {row[0]: StakeTotals(row[1], row[2]) for row in self._all(query.group_by(round_.c.currency))}

    def deposited(self, player: str, *, since_ms: int = 0) -> dict[str, int]:
        brought = _moved(player).where(DEPOSITS, journal.c.at_ms >= since_ms)
        rows = brought.with_only_columns(account.c.currency, func.sum(posting.c.amount_minor))
        return dict(tuple(row) for row in self._all(rows.group_by(account.c.currency)))

    def statement(
        self, player: str, *, before: int | None = None, limit: int = 50
    ) -> tuple[CashMovement, ...]:
        with self._engine.connect() as connection:
            found = [
                line
                for movements in (_moved(player), _staked(player), _shared(player))
                for line in connection.execute(_page(movements, before, limit))
            ]
        return tuple(CashMovement(*line) for line in sorted(found, reverse=True)[:limit])

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

    def _records(self, which: RoundFilter) -> tuple[RoundRecord, ...]:
        with self._engine.connect() as connection:
            found = connection.execute(select(*LINE).where(which)).all()
            lines = sorted(found, key=lambda line: line.place)
            entries = _entries_of(connection, which)
            coups = self._coups_of(connection, {line.ended_seq for line in lines if line.ended_seq})
        return tuple(
            _record(RoundSummary(*line), entries.get(line.id, ()), coups.get(line.ended_seq))
            for line in lines
        )

    def _coups_of(self, connection: Connection, seqs: Collection[int]) -> Mapping[int, Entry]:
        """The last ones are kept: ten thousand players may ask for their part of the same."""
        kept = self._coups
        if unknown := [seq for seq in seqs if seq not in kept]:
            query = select(*ROW).where(journal.c.seq.in_(unknown), journal.c.kind.in_(COUP_KINDS))
            kept = kept | {row.seq: entry_of(JournalRow(*row)) for row in connection.execute(query)}
            self._coups = dict([*kept.items()][-COUPS_KEPT:])
        return {seq: kept[seq] for seq in seqs if seq in kept}


def _record(line: RoundSummary, entries: Sequence[Entry], coup: Entry | None) -> RoundRecord:
    rounds = [share.round for share in coup.shares.each] if coup and coup.shares else [line.id]
    return record(line, entries, coup, rounds.index(line.id))


def _played(player: str, table: str | None, since_ms: int, until_ms: int | None) -> list[ColumnElement[bool]]:
    at_table = [] if table is None else [round_.c.table_id == table]
    after = [round_.c.started_ms >= since_ms] if since_ms else []
    until = [] if until_ms is None else [round_.c.started_ms < until_ms]
    return [round_.c.player == player, *at_table, *after, *until]


def _entries_of(connection: Connection, which: RoundFilter) -> Mapping[str, list[Entry]]:
    """Found among their players' entries, from the one that opened the round to the one that ended it."""
    until = case((round_.c.ended_seq > 0, round_.c.ended_seq), else_=LAST_SEQ)
    query = (
        select(*ROW)
        .select_from(round_)
        .join(journal, journal.c.player == round_.c.player)
        .where(which, journal.c.seq.between(round_.c.opened_seq, until), journal.c.round == round_.c.id)
        .where(journal.c.kind.in_(ROUND_KINDS))
    )
    entries: dict[str, list[Entry]] = {}
    for row in sorted(connection.execute(query)):  # by seq; asked for so, it would leaf through all
        entries.setdefault(row.round, []).append(entry_of(JournalRow(*row)))
    return entries


def _moved(player: str) -> Select[Any]:
    """Movements of the player's cash by entries of his own."""
    return (
        select(*MOVEMENT, journal.c.round)
        .join(posting, posting.c.seq == journal.c.seq)
        .join(account, account.c.id == posting.c.account_id)
        .where(journal.c.player == player, account.c.kind == "cash")
    )


def _staked(player: str) -> Select[Any]:
    """Movements of the player's cash by `stakes`, found by the rounds of his that they are about."""
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


def _shared(player: str) -> Select[Any]:
    """Movements of the player's cash by coups, found by the rounds of his that they ended."""
    return (
        select(*MOVEMENT, round_.c.id)
        .select_from(round_)
        .join(journal, journal.c.seq == round_.c.ended_seq)
        .join(account, (account.c.owner == round_.c.player) & (account.c.currency == round_.c.currency))
        .join(posting, (posting.c.seq == journal.c.seq) & (posting.c.account_id == account.c.id))
        .where(round_.c.player == player, account.c.kind == "cash", journal.c.kind.in_(COUP_KINDS))
    )


def _page(movements: Select[Any], before: int | None, limit: int) -> Select[Any]:
    older = movements if before is None else movements.where(journal.c.seq < before)
    return older.order_by(journal.c.seq.desc()).limit(limit)
