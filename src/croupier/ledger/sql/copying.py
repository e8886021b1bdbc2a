"""Copies of whole databases, from one store to the other or within one."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from sqlalchemy import Engine

from croupier.ledger.sql.databases import Database, PostgresqlUrl
from croupier.ledger.sql.dialect import dialect_of
from croupier.ledger.sql.opening import open_reader
from croupier.ledger.sql.table_copies import CopyRefused, RowProgress, copy_tables


def copy_all(source: Database, target: Database, progress: RowProgress) -> Mapping[str, int]:
    """Copy all rows to a new or empty database, compare them, and return their number by table.

    The schema of the source is brought up to date first. Raise CopyRefused, with nothing copied, if the
    target isn't empty or a row differs; DatabaseLocked if a server has the file of the source open.
    """
    if isinstance(target, Path) and target.exists():
        raise CopyRefused(f"{target} exists: a copy is written into a new file")
    try:
        with _open(source) as reading, _open(target) as writing:
            _check_stopped(source)
            return copy_tables(reading, writing, progress)
    except BaseException:
        if isinstance(target, Path):
            _remove(target)
        raise


@contextmanager
def _open(database: Database) -> Iterator[Engine]:
    """Migrate a database, and yield an engine that may write it; an SQLite file stays locked."""
    with ExitStack() as stack:
        if isinstance(database, Path):
            engine = _sqlite_engine(database, stack)
        else:
            engine = _postgresql_engine(database)
        stack.callback(engine.dispose)
        yield engine


def _sqlite_engine(path: Path, stack: ExitStack) -> Engine:
    from croupier.ledger.sqlite import connection, migrations, store

    stack.enter_context(connection.lock_database(path))
    migrations.upgrade(path)
    return store.writer_engine(path)


def _postgresql_engine(url: PostgresqlUrl) -> Engine:
    from croupier.ledger.postgresql import migrations, store

    migrations.upgrade(url)
    return store.writer_engine(url)


def _check_stopped(source: Database) -> None:
    """Raise CopyRefused if a live table is leased. An SQLite file needs no check: it is locked."""
    if isinstance(source, Path):
        return
    with closing(open_reader(source)) as reader:
        now = dialect_of(reader).clock_ms
        if reader.execute(f"SELECT 1 FROM lease WHERE expires_ms > {now}").fetchone():  # noqa: S608
            raise CopyRefused(f"a server runs tables in {source}: stop all its servers first")


def _remove(path: Path) -> None:
    from croupier.ledger.sqlite.connection import SUFFIXES

    for suffix in SUFFIXES:
        Path(f"{path}{suffix}").unlink(missing_ok=True)
