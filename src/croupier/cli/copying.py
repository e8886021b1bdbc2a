"""`copy-database`: move to another store."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.output import DATA, Data, JsonFlag, print_json, progress_bar, progress_step, refuse
from croupier.cli.problems import report_problems

if TYPE_CHECKING:
    from croupier.app.backups.copying import DatabaseCopy
    from croupier.ledger.sql.databases import Database


def copy_database(
    source: Annotated[
        str, typer.Argument(metavar="FROM", help="The database: an SQLite file, a data folder, or a URL.")
    ],
    target: Annotated[
        str,
        typer.Argument(metavar="TO", help="An empty PostgreSQL database by its URL, or a new SQLite file."),
    ],
    verify: Annotated[
        bool, typer.Option(help="Verify every entry, sum and round of the copy, as `croupier verify` does.")
    ] = True,
    data: Data = DATA,
    json: JsonFlag = False,
) -> None:
    """Copy a database to PostgreSQL, or back to SQLite, and compare the copy row by row.

    Stop the servers first: what they enter later isn't in the copy. The copy is one transaction, so it's
    whole or absent. Then start the server with the same data folder, which has the keys and the anchors, and
    with `--database TO`: accounts, balances, sessions and open rounds at own tables go on. Move the old
    database away, so that no server starts on it again.

    Create the database with `createdb croupier`; croupier makes its tables. Anyone can see a command line,
    so put the password in the variable PGPASSWORD or in ~/.pgpass, not into the URL.

    Exit 0: copied. Exit 1: the copy is as the original, but verifying finds an error in it.

    Example: `croupier copy-database croupier-data postgresql://croupier@db.example/croupier`
    """
    from croupier.app.backups.copying import copy_database

    with report_problems(data), progress_bar(hidden=json) as progress:
        audited = progress_step(progress, "entries") if verify else None
        places = _source(source), _target(target)
        copy = copy_database(*places, data, progress_step(progress, "rows"), audited)
    bad = copy.report.bad if copy.report else None
    if json:
        rows = {"rows": copy.rows, "head": copy.report and copy.report.head}
        print_json(rows | {"bad": bad and bad._asdict()})
    else:
        _print_copy(copy, places[1])
    raise typer.Exit(1 if bad else 0)


def _source(text: str) -> "Database":
    """Return an existing database; exit if there is none."""
    from croupier.app.serve import DATABASE

    place = _target(text)
    if not isinstance(place, Path):
        return place
    path = place / DATABASE if place.is_dir() else place
    if not path.exists():
        refuse(f"no database at {path}")
    return path


def _target(text: str) -> "Database":
    from croupier.ledger.sql.databases import postgresql_url

    return postgresql_url(text) if "://" in text else Path(text)


def _print_copy(copy: "DatabaseCopy", target: "Database") -> None:
    if copy.report and copy.report.bad:
        bad = copy.report.bad
        typer.echo(f"WRONG, in the original too: {bad.table} {bad.row}: {bad.why}")
        return
    typer.echo(f"{target} has all {sum(copy.rows.values()):,} rows, which are the same as in the original.")
    if copy.report:
        verified = f"{copy.report.entries:,} entries and {copy.report.rounds:,} rounds verified"
        typer.echo(f"{verified}, head {copy.report.head}")
