"""The queries, in SQLAlchemy Core, which any SQL store can use."""

from collections.abc import Collection, Container, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Engine,
    Select,
    TextClause,
    and_,
    case,
    func,
    literal,
    or_,
    select,
)

from croupier.ledger.chain import JournalRow, entry_of
from croupier.ledger.entries import COUP_KINDS, ROUND_KINDS, SHARED_KINDS, Entry
from croupier.ledger.protocol import (
    CashMovement,
    JournalPart,
    RoundRecord,
    RoundSummary,
    Settlement,
    StakeTotals,
    TableTotals,
)
from croupier.ledger.round_records import record
from croupier.ledger.sql.movements import (
    OPEN_OF_PLAYER,
    RoundSelection,
    newest_movements,
    own_movements,
)
from croupier.ledger.sql.schema import DEPOSITS, OPEN, account, journal, posting, round_, wallet_call
from croupier.ledger.sql.wide_amounts import join, of_parts, sum_parts
from croupier.ledger.wallet_entries import WalletCall, WalletCallState, call_of, round_prefix

ROW = [column for column in journal.columns if column.name != "hash"]
ROUND = list(round_.columns)
ENTRY = select(*ROW)
BALANCES = select(account.c.currency, account.c.kind, account.c.balance_minor, account.c.balance_high)
SUMS = *sum_parts(round_.c.staked_minor), *sum_parts(round_.c.returned_minor)
RoundFilter = ColumnElement[bool] | TextClause

RECENT_ROUNDS = 200
"""Rounds of a player that `recent_tables` searches."""

LAST_SEQ = 2**63 - 1
"""The upper bound of an open round's entries."""

FOLLOWED_MAX = 1000
"""Entries read at once by a process that follows the journal."""

COUPS_CACHED = 4
"""Coups in the cache; with thousands of players, one takes some megabytes."""


class LedgerQueries:
    """The queries of `LedgerReader`, each in one state of the database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._coups: dict[int, Entry] = {}

    def round(self, round_id: str) -> RoundRecord | None:
        return next(iter(self._records(round_.c.id == round_id)), None)

    def rounds_named(self, round_id: str, *, player: str = "", limit: int = 50) -> tuple[RoundSummary, ...]:
        of_coup = _begins_with(round_.c.id, f"{round_id}.")
        query = select(*ROUND).where(or_(round_.c.id == round_id, of_coup)).order_by(round_.c.id).limit(limit)
        if player:
            query = query.where(round_.c.player == player)
        return tuple(RoundSummary(*row) for row in self._all(query))

    def open_rounds(self) -> tuple[RoundRecord, ...]:
        return self._records(OPEN)

    def wallet_calls(self, round_id: str = "") -> tuple[WalletCall, ...]:
        opened = select(wallet_call.c.state, *ROW).join(journal, journal.c.seq == wallet_call.c.opened_seq)
        if round_id:
            opened = opened.where(_keys(round_prefix(round_id)))
        found = self._all(opened.order_by(journal.c.seq))
        return tuple(
            call_of(entry_of(JournalRow(*row)), msgspec.convert(state, WalletCallState))
            for state, *row in found
        )

    def open_rounds_of(self, player: str) -> tuple[RoundSummary, ...]:
        query = select(*ROUND).where(OPEN, OPEN_OF_PLAYER.bindparams(owner=player)).order_by(round_.c.place)
        return tuple(RoundSummary(*row) for row in self._all(query))

    def rounds(
        self,
        player: str,
        *,
        before: str | None = None,
        tables: Collection[str] | None = None,
        since_ms: int = 0,
        until_ms: int | None = None,
        limit: int = 50,
    ) -> tuple[RoundSummary, ...]:
        conditions = RoundSelection(player, tables, since_ms, until_ms).started()
        query = select(*ROUND).where(*conditions).order_by(round_.c.opened_seq.desc()).limit(limit)
        if before is not None:
            last = round_.alias()
            query = query.where(
                round_.c.opened_seq < select(last.c.opened_seq).where(last.c.id == before).scalar_subquery()
            )
        return tuple(RoundSummary(*row) for row in self._all(query))

    def first_started_ms(self, player: str, *, since_ms: int) -> int:
        query = select(func.min(round_.c.started_ms)).where(
            *RoundSelection(player, since_ms=since_ms).started()
        )
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
        self,
        player: str,
        *,
        tables: Collection[str] | None = None,
        since_ms: int = 0,
        until_ms: int | None = None,
    ) -> dict[str, StakeTotals]:
        conditions = RoundSelection(player, tables, since_ms, until_ms).started()
        query = select(round_.c.currency, *SUMS).where(*conditions, round_.c.ended_ms > 0)
        return {
            row[0]: StakeTotals(*of_parts(row[1:])) for row in self._all(query.group_by(round_.c.currency))
        }

    def table_totals(
        self, player: str, *, since_ms: int = 0, until_ms: int | None = None
    ) -> tuple[TableTotals, ...]:
        conditions = RoundSelection(player, None, since_ms, until_ms).started()
        keys = round_.c.table_id, round_.c.currency
        query = select(*keys, func.count(), *SUMS).where(*conditions, round_.c.ended_ms > 0)
        found = self._all(query.group_by(*keys).order_by(*keys))
        return tuple(TableTotals(*row[:3], *of_parts(row[3:])) for row in found)

    def deposited(self, player: str, *, since_ms: int = 0, without: Collection[str] = ()) -> dict[str, int]:
        deposits = own_movements(player).where(DEPOSITS, journal.c.at_ms >= since_ms)
        if without:
            deposits = deposits.where(journal.c.key.not_in(without))
        rows = deposits.with_only_columns(account.c.currency, *sum_parts(posting.c.amount_minor))
        found = self._all(rows.group_by(account.c.currency))
        return {row[0]: of_parts(row[1:])[0] for row in found}

    def statement(
        self,
        player: str,
        *,
        before: int | None = None,
        tables: Collection[str] | None = None,
        since_ms: int = 0,
        until_ms: int | None = None,
        limit: int = 50,
    ) -> tuple[CashMovement, ...]:
        selection = RoundSelection(player, tables, since_ms, until_ms)
        with self._engine.connect() as connection:
            return newest_movements(connection, selection, before, limit)

    def balances(self, owner: str) -> dict[str, dict[str, int]]:
        by_currency: dict[str, dict[str, int]] = {}
        for currency, kind, minor, high in self._all(BALANCES.where(account.c.owner == owner)):
            by_currency.setdefault(currency, {})[kind] = join(minor, high)
        return by_currency

    def entry(self, key: str) -> Entry | None:
        return next(
            (entry_of(JournalRow(*row)) for row in self._all(ENTRY.where(journal.c.key == key))), None
        )

    def entries(self, prefix: str) -> tuple[Entry, ...]:
        found = self._all(select(*ROW).where(_keys(prefix)))
        return tuple(entry_of(JournalRow(*row)) for row in sorted(found))

    def uses_currency(self, currency: str) -> bool:
        return bool(self._all(select(account.c.id).where(account.c.currency == currency).limit(1)))

    def last_ms(self) -> int:
        found = self._all(select(journal.c.at_ms).order_by(journal.c.seq.desc()).limit(1))
        return found[0][0] if found else 0

    def last_seq(self) -> int:
        return int(self._all(select(func.coalesce(func.max(journal.c.seq), 0)))[0][0])

    def after(self, seq: int, own: Container[int]) -> JournalPart:
        last_seq = self.last_seq()  # first: what is posted meanwhile belongs to the next part
        news = journal.c.seq > seq, journal.c.seq <= last_seq
        notes = (journal.c.kind == "note") & (journal.c.table_id == "")
        coups = journal.c.kind.in_(SHARED_KINDS)
        query = select(*ROW).where(*news, (journal.c.player != "") | notes | coups)
        found = self._all(query.order_by(journal.c.seq).limit(FOLLOWED_MAX))
        entries = tuple((row.seq, entry_of(JournalRow(*row))) for row in found if row.seq not in own)
        more = len(found) == FOLLOWED_MAX
        return JournalPart(found[-1].seq if more else last_seq, entries, more)

    def notes(self, prefix: str, *, limit: int = 50) -> tuple[Entry, ...]:
        query = select(*ROW).where(_keys(prefix), journal.c.kind == "note")
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


def _keys(prefix: str) -> ColumnElement[bool]:
    """Return the condition of the entries whose key has this prefix."""
    return _begins_with(journal.c.key, prefix)


def _begins_with(column: ColumnElement[str], prefix: str) -> ColumnElement[bool]:
    """Return a condition that an index of the column decides, unlike LIKE."""
    return and_(column >= prefix, column < f"{prefix}\U0010ffff")


def _record(round_: RoundSummary, entries: Sequence[Entry], coup: Entry | None) -> RoundRecord:
    rounds = [share.round for share in coup.shares.each] if coup and coup.shares else [round_.id]
    return record(round_, entries, coup, rounds.index(round_.id))


def _entries_of(connection: Connection, condition: RoundFilter) -> Mapping[str, list[Entry]]:
    """Search the players' entries between the one that opened a round and the one that ended it."""
    until = case((round_.c.ended_seq > 0, round_.c.ended_seq), else_=literal(LAST_SEQ, BigInteger))
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
