"""`migrate`: bring a database to the schema of this version without starting the server."""

from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.admin import existing_database
from croupier.cli.output import DATA, Data, DatabaseUrl, JsonFlag, print_json
from croupier.cli.problems import report_problems

if TYPE_CHECKING:
    from croupier.ledger.sql.schema_versions import Migration


def migrate(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be done, and change nothing.")
    ] = False,
    data: Data = DATA,
    database: DatabaseUrl = "",
    json: JsonFlag = False,
) -> None:
    """Bring a database to the schema of this version, as the start of the server does.

    Stop the server of an SQLite database first. Servers on a PostgreSQL database may go on: migrate it once
    with the new version, then restart one node after the other. An empty PostgreSQL database gets all tables.
    All steps are done or none.

    The way back is a backup: an older version doesn't start on a newer schema.

    Exit 0: the schema is that of this version, or what it lacks was printed with `--dry-run`.

    Example: `croupier migrate --dry-run --data croupier-data`
    """
    from croupier.ledger.migrate import migrate, needed_migration_of

    place = existing_database(data, database)
    with report_problems(data):
        found = needed_migration_of(place) if dry_run else migrate(place)
    if json:
        steps = [step._asdict() for step in found.steps]
        print_json(found._asdict() | {"steps": steps, "migrated": not dry_run and bool(steps)})
    else:
        typer.echo("\n".join(_lines(str(place), found, done=not dry_run)))


def _lines(place: str, found: "Migration", *, done: bool) -> list[str]:
    if not found.steps:
        return [f"{place} has the schema of this version, {found.target}. There is nothing to do."]
    change = f"migrated from {found.current} to {found.target}" if found.current else "given all tables"
    return [
        f"{place} {'was' if done else 'would be'} {change}",
        *(f"  {step.version}  {step.adds}" for step in found.steps),
    ]
