"""Figures of all players, from the tables' primary keys, so that no settlement pays for an index.

The rounds of a period are found by where they stand in the journal, whose times are in order but for
CLOCK_MS, and the few long ones by their own index.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Engine, func, literal, select, text

from croupier.ledger.chain import JournalRow, entry_of
from croupier.ledger.entries import SHARES_MAX, Entry
from croupier.ledger.reports import (
    ANY_NOTE,
    Holdings,
    NoteFilter,
    OpenRounds,
    PeriodResult,
    Reply,
    Spread,
    TableResult,
)
from croupier.ledger.sql.json_functions import JsonText
from croupier.ledger.sql.movements import CLOCK_MS
from croupier.ledger.sql.queries import ROW
from croupier.ledger.sql.schema import LONG_ROUND_MS, journal
from croupier.ledger.sql.wide_amounts import PART, join, of_parts, sums

ENDED = """WITH ended AS (
    SELECT table_id, currency, player, status, staked_minor, returned_minor, ended_seq FROM round
        WHERE place >= :first AND place < :last AND ended_ms >= :since_ms AND ended_ms < :until_ms
            AND status <> 'open'
    UNION ALL
    SELECT table_id, currency, player, status, staked_minor, returned_minor, ended_seq
        FROM round INDEXED BY round_long
        WHERE ended_ms > started_ms + 900000 AND place < :first
            AND ended_ms >= :since_ms AND ended_ms < :until_ms)"""
STAKED = f"(CAST(staked AS double precision) * {PART} + staked_low)"
NET = f"(CAST(net AS double precision) * {PART} + net_low)"
RESULTS = text(f"""{ENDED}, coup AS (
    SELECT table_id, currency, status, count(*) AS rounds,
        sum(staked_minor / {PART}) AS staked, sum(staked_minor % {PART}) AS staked_low,
        sum(returned_minor / {PART}) AS returned, sum(returned_minor % {PART}) AS returned_low,
        sum((returned_minor - staked_minor) / {PART}) AS net,
        sum((returned_minor - staked_minor) % {PART}) AS net_low
    FROM ended GROUP BY table_id, currency, status, ended_seq)
    SELECT table_id, currency, sum(rounds) FILTER (WHERE status = 'settled'),
        sum(rounds) FILTER (WHERE status = 'void'), sum(staked) FILTER (WHERE status = 'settled'),
        sum(staked_low) FILTER (WHERE status = 'settled'), sum(returned) FILTER (WHERE status = 'settled'),
        sum(returned_low) FILTER (WHERE status = 'settled'), count(*) FILTER (WHERE status = 'settled'),
        sum({NET} * {NET}), sum({NET} * {STAKED}),
        coalesce(sum({STAKED} * {STAKED}) FILTER (WHERE status = 'settled'), 0.0)
    FROM coup GROUP BY table_id, currency ORDER BY table_id, currency""")  # noqa: S608 - constants
PLAYERS = text(f"""{ENDED}, played AS (SELECT DISTINCT table_id, currency, player FROM ended
        WHERE status = 'settled')
    SELECT table_id, currency, count(*) FROM played GROUP BY table_id, currency
    UNION ALL SELECT '', currency, count(DISTINCT player) FROM played GROUP BY currency""")  # noqa: S608
OPEN_BY_TABLE = text(f"""SELECT table_id, currency, count(*), count(DISTINCT player), {sums("staked_minor")}
    FROM round WHERE status = 'open' GROUP BY table_id, currency ORDER BY table_id, currency""")  # noqa: S608 - constants

LAST_ENTRY = text("SELECT seq, at_ms FROM journal ORDER BY seq DESC LIMIT 1")
TIME_OF = text("SELECT at_ms FROM journal WHERE seq = :seq")
HELD = text(f"""SELECT kind, currency, {sums("balance_minor", "balance_high")} FROM account
    GROUP BY kind, currency""")  # noqa: S608 - constants
MOVED = text(f"""SELECT kind, currency, sum(middle), sum(low), {sums("high")} FROM (
        SELECT account_id, sum(amount_minor / {PART}) AS middle, sum(amount_minor % {PART}) AS low,
            sum(amount_high) AS high FROM posting
        WHERE seq > :after AND seq <= :upto GROUP BY account_id) AS change
    JOIN account ON account.id = account_id GROUP BY kind, currency""")  # noqa: S608 - constants
POSITIONS_KEPT = 400
"""Past positions in the journal whose sums are kept: more than a report of each day of a year needs."""

LAST_KEY = "\U0010ffff"

Sums = Mapping[tuple[str, str], int]


class _Position(NamedTuple):
    seq: int
    minor: Sums


class ReportQueries:
    """Follows `ReportReader`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._positions: dict[int, Sums] = {0: {}}

    def results(self, since_ms: int, until_ms: int) -> PeriodResult:
        with self._engine.connect() as connection:
            first = first_since(connection, since_ms - LONG_ROUND_MS - CLOCK_MS)
            last = first_since(connection, until_ms + CLOCK_MS)
            period = {
                "first": first * SHARES_MAX,
                "last": last * SHARES_MAX,
                "since_ms": since_ms,
                "until_ms": until_ms,
            }
            results = connection.execute(RESULTS, period).all()
            players = {row[:2]: row[2] for row in connection.execute(PLAYERS, period)}
        tables = tuple(_table_result(row, players.get(row[:2], 0)) for row in results)
        return PeriodResult(
            tables, {currency: each for (table, currency), each in players.items() if not table}
        )

    def open_by_table(self) -> tuple[OpenRounds, ...]:
        with self._engine.connect() as connection:
            found = connection.execute(OPEN_BY_TABLE).all()
        return tuple(OpenRounds(*row[:4], *of_parts(row[4:])) for row in found)

    def holdings(self, at_ms: int | None = None) -> Holdings:
        with self._engine.connect() as connection:
            seq, last_ms = connection.execute(LAST_ENTRY).first() or (0, 0)
            present = _Position(seq, _wide_sums(connection.execute(HELD)))
            if at_ms is None or last_ms <= at_ms:
                return Holdings(seq, last_ms, present.minor)
            wanted = first_since(connection, at_ms + 1) - 1
            minor = _sums_at(connection, wanted, self._nearest(wanted, present))
            made_ms = connection.execute(TIME_OF, {"seq": wanted}).scalar() or 0
        self._positions = dict([*self._positions.items()][-POSITIONS_KEPT:]) | {0: {}, wanted: minor}
        return Holdings(wanted, made_ms, minor)

    def notes(self, prefix: str, chosen: NoteFilter = ANY_NOTE, *, limit: int) -> tuple[Entry, ...]:
        query = select(*ROW).where(*_note_conditions(prefix, chosen)).order_by(journal.c.key.desc())
        with self._engine.connect() as connection:
            found = connection.execute(query.limit(limit))
            return tuple(entry_of(JournalRow(*row)) for row in found)

    def _nearest(self, seq: int, present: _Position) -> _Position:
        """Return the known position from which the fewest entries are read."""
        known = [present, *(_Position(*each) for each in self._positions.items())]
        return min(known, key=lambda position: abs(position.seq - seq))


def first_since(connection: Connection, at_ms: int) -> int:
    """Return the seq of the first entry made at `at_ms` or later; the next entry's if there is none."""
    low, high = 1, (connection.execute(LAST_ENTRY).first() or (0, 0))[0] + 1
    while low < high:
        middle = (low + high) // 2
        made_ms: int = connection.execute(TIME_OF, {"seq": middle}).scalar_one()
        low, high = (low, middle) if made_ms >= at_ms else (middle + 1, high)
    return low


def _table_result(row: Any, players: int) -> TableResult:
    table, currency, rounds, voids, *others = row
    staked, returned = of_parts(others[:4])
    spread = Spread(*others[4:])
    return TableResult(table, currency, rounds or 0, voids or 0, players, staked, returned, spread)


def _wide_sums(rows: Iterable[Any]) -> dict[tuple[str, str], int]:
    """Return sums by kind and currency, of which the parts of both columns were selected."""
    return {row[:2]: join(*of_parts(row[2:])) for row in rows}


def _sums_at(connection: Connection, seq: int, known: _Position) -> Sums:
    """Return the sums after entry `seq`, from those of a known position before or after it."""
    between = {"after": min(seq, known.seq), "upto": max(seq, known.seq)}
    moved = _wide_sums(connection.execute(MOVED, between))
    sign = 1 if seq >= known.seq else -1
    sums = dict(known.minor)
    for (kind, currency), minor in moved.items():
        sums[kind, currency] = sums.get((kind, currency), 0) + sign * minor
        # Entries with shares don't post what they move from and to `in_play`; each entry sums to zero.
        sums["in_play", currency] = sums.get(("in_play", currency), 0) - sign * minor
    return {key: minor for key, minor in sums.items() if minor}


def _note_conditions(prefix: str, chosen: NoteFilter) -> list[ColumnElement[bool]]:
    body = journal.c.body
    return [
        journal.c.kind == "note",
        journal.c.key >= prefix + chosen.since,
        journal.c.key < prefix + (chosen.before or LAST_KEY),
        *([journal.c.table_id == chosen.table] if chosen.table else []),
        *([body.icontains(chosen.text, autoescape=True)] if chosen.text else []),
        *(JsonText(body, path) == wanted for path, wanted in chosen.fields.items()),
        *([~_has_reply(prefix, chosen.without)] if chosen.without else []),
    ]


def _has_reply(prefix: str, reply: Reply) -> ColumnElement[bool]:
    other = journal.alias()
    key = literal(reply.prefix) + func.substr(journal.c.key, len(prefix) + 1)
    said = JsonText(other.c.body, reply.field)
    return select(other.c.seq).where(other.c.key == key, said == reply.text).exists()
