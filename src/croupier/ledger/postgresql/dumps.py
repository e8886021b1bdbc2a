"""Dumps of a database by PostgreSQL's own tools, `pg_dump` and `pg_restore`."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from croupier.ledger.postgresql.connection import connect
from croupier.ledger.postgresql.migrations import upgrade
from croupier.ledger.protocol import DatabaseUnusable
from croupier.ledger.sql.databases import PostgresqlUrl

COMMON = "--no-owner", "--no-privileges"
TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
DROP_FUNCTIONS = "DROP FUNCTION IF EXISTS forbid_change CASCADE"
"""Those that the migrations create."""


def dump(url: PostgresqlUrl, snapshot: str, to: Path) -> None:
    """Write all of a database, as of an exported snapshot, durably into a new file of its owner's only."""
    to.touch(mode=0o600)
    _run("pg_dump", url, *COMMON, "--format=custom", f"--snapshot={snapshot}", f"--file={to}")
    with to.open("rb") as file:
        os.fsync(file.fileno())


@contextmanager
def loaded(url: PostgresqlUrl, dumped: Path) -> Iterator[Callable[[], None]]:
    """Load a dump into an empty database and bring its schema up to date; yield what keeps it.

    Empty the database again if it isn't kept. Raise DatabaseUnusable if it isn't empty before.
    """
    if _tables(url):
        raise DatabaseUnusable(f"{url} isn't empty: create another database for the backup")
    kept: list[bool] = []
    try:
        _run("pg_restore", url, *COMMON, "--single-transaction", "--exit-on-error", str(dumped))
        upgrade(url)
        yield lambda: kept.append(True)
    finally:
        if not kept:
            _empty(url)


def _tables(url: PostgresqlUrl) -> list[str]:
    with closing(connect(url, {})) as connection:
        return [name for (name,) in connection.execute(TABLES).fetchall()]


def _empty(url: PostgresqlUrl) -> None:
    names = _tables(url)
    with closing(connect(url, {})) as connection, connection.transaction():
        for name in names:
            connection.execute(f'DROP TABLE "{name}" CASCADE')
        connection.execute(DROP_FUNCTIONS)


def _run(tool: str, url: PostgresqlUrl, *options: str) -> None:
    """Run a tool; raise DatabaseUnusable with its first complaint if it fails.

    The password goes through the environment, since other users can see a command line.
    """
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    if not (path := shutil.which(tool)):
        raise DatabaseUnusable(f"{tool} is missing: install PostgreSQL's client tools (postgresql-client)")
    parameters: dict[str, Any] = conninfo_to_dict(url.text)
    password = parameters.pop("password", "")
    environment = os.environ | ({"PGPASSWORD": password} if password else {})
    command = [path, *options, f"--dbname={make_conninfo(**parameters)}"]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    if ran.returncode:
        complaint = ran.stderr.strip().partition("\n")[0].removeprefix(f"{tool}: ")
        raise DatabaseUnusable(f"{tool} failed: {complaint}")
