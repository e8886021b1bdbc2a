"""Copies of all tables of a database in another one, compared row by row."""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from typing import Any

from sqlalchemy import Connection, Engine, MetaData, Row, Table, delete, func, insert, select, text, tuple_
from sqlalchemy.exc import SAWarning

from croupier.ledger.protocol import DatabaseUnusable

RowProgress = Callable[[int, int], None]
"""Called with the number of steps that are done, and of all: each row is written, then compared."""
PAGE_ROWS = 2_000
UNCOPIED = frozenset({"alembic_version"})
"""Tables that the migrations fill."""


class CopyRefused(DatabaseUnusable):
    """A database that can't be copied, or a copy that differs; the message says where."""


class CopySteps:
    """Counts the steps of a copy for its progress."""

    def __init__(self, progress: RowProgress, total: int) -> None:
        self._progress, self._done, self._total = progress, 0, total

    def add(self, rows: int) -> None:
        self._done += rows
        self._progress(self._done, self._total)


def copy_tables(source: Engine, target: Engine, progress: RowProgress) -> Mapping[str, int]:
    """Copy all rows to the empty tables of `target`, read them back, and return their number by table.

    Raise CopyRefused if a table is missing or not empty, or if a row isn't the same there. Then nothing is
    copied, since all is one transaction.
    """
    with source.connect() as reading, target.begin() as writing:
        return _copy_all(reading, writing, progress)


def _copy_all(source: Connection, target: Connection, progress: RowProgress) -> Mapping[str, int]:
    tables = _tables(source)
    others = _tables(target)  # each follows those that it refers to
    if missing := tables.keys() - others.keys():
        raise CopyRefused(f"the target has no table {min(missing)}: it is of another version")
    _check_empty(target, others)
    rows = {name: _count(source, tables[name]) for name in others if name in tables}
    steps = CopySteps(progress, 2 * sum(rows.values()))
    for name in rows:
        _copy(source, target, tables[name], steps)
        _set_next_number(target, others[name])
    for name in rows:
        _compare(source, target, tables[name], steps)
    return rows


def _tables(connection: Connection) -> dict[str, Table]:
    found = MetaData()
    with warnings.catch_warnings():  # about indexes of expressions
        warnings.simplefilter("ignore", SAWarning)
        found.reflect(connection)
    return {table.name: table for table in found.sorted_tables if table.name not in UNCOPIED}


def _check_empty(target: Connection, tables: Mapping[str, Table]) -> None:
    """Delete what the migrations enter; raise CopyRefused if there are other rows."""
    for name in ("journal", *tables):
        if name != "meta" and _count(target, tables[name]):
            raise CopyRefused(f"the target isn't empty: its table {name} has rows")
    target.execute(delete(tables["meta"]))


def _count(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def _copy(source: Connection, target: Connection, table: Table, steps: CopySteps) -> None:
    for rows in _pages(source, table):
        _add(target, table, rows)
        steps.add(len(rows))


def _add(target: Connection, table: Table, rows: Sequence[Row[Any]]) -> None:
    """Insert rows; into PostgreSQL with COPY, which is several times as fast."""
    if target.dialect.name != "postgresql":
        target.execute(insert(table), [row._asdict() for row in rows])
        return
    statement = f"COPY {table.name} ({', '.join(table.columns.keys())}) FROM STDIN"
    with target.connection.cursor() as cursor, cursor.copy(statement) as copy:  # type: ignore[attr-defined]
        for row in rows:
            copy.write_row(row)


def _set_next_number(target: Connection, table: Table) -> None:
    """Make the target number its next rows after those that were copied, where it numbers them."""
    for column in table.columns:
        if column.identity:
            last = f"pg_get_serial_sequence('{table.name}', '{column.name}'), max({column.name})"
            target.execute(text(f"SELECT setval({last}) FROM {table.name} HAVING count(*) > 0"))  # noqa: S608


def _compare(source: Connection, target: Connection, table: Table, steps: CopySteps) -> None:
    """Raise CopyRefused for the first row that is missing, or that isn't the same."""
    copies = (row for rows in _pages(target, table) for row in rows)
    for rows in _pages(source, table):
        for row, copy in zip_longest(rows, islice(copies, len(rows))):
            if row != copy:
                raise CopyRefused(f"the copy differs: row {row[0]} of the table {table.name}")
        steps.add(len(rows))
    if next(copies, None):
        raise CopyRefused(f"the copy differs: it has more rows in the table {table.name}")


def _pages(connection: Connection, table: Table) -> Iterator[Sequence[Row[Any]]]:
    """Yield the rows in the order of their key, some at a time."""
    key = [*table.primary_key]
    query = select(table).order_by(*key).limit(PAGE_ROWS)
    rows = connection.execute(query).all()
    while rows:
        yield rows
        last = [rows[-1]._mapping[column] for column in key]
        rows = connection.execute(query.where(tuple_(*key) > tuple_(*last))).all()
