"""`backup` and `restore`: copy the data folder while the server runs, and start from a copy."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.admin import existing_database, postgresql
from croupier.cli.output import DATA, Data, DatabaseUrl, JsonFlag, print_json, progress_bar, progress_step
from croupier.cli.problems import report_problems

if TYPE_CHECKING:
    from croupier.app.backups.restore import Restored


def backup(
    to: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new folder for the backup.")],
    keys: Annotated[
        Path | None,
        typer.Option(
            help="A folder for `shoes.key` and `anchor.key`. Keep it apart from the backup: with the key, "
            "a copy of the database reveals undealt cards.",
            show_default=False,
        ),
    ] = None,
    keep: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Number of backups of this database to keep in the parent folder, the new one included: "
            "older ones are deleted once it is complete. By default all are kept.",
            show_default=False,
        ),
    ] = None,
    data: Data = DATA,
    database: DatabaseUrl = "",
    json: JsonFlag = False,
) -> None:
    """Back up the data folder: database and anchors, as of one moment. The server may be running.

    The folder appears under its name only once it is complete. `croupier restore` checks it and starts a new
    data folder from it. Your own files (configuration, tables, secrets) aren't in it.

    A PostgreSQL database is dumped by `pg_dump`, PostgreSQL's own tool, which must be installed.

    Example: `croupier backup /mnt/backups/2026-11-25 --keys /mnt/safe/keys`
    """
    from croupier.app.backups.backup import make_backup
    from croupier.app.backups.pruning import prune_backups

    url = postgresql(database)
    existing_database(data, database)
    with report_problems(data), progress_bar(hidden=json) as progress:
        made = make_backup(data, to, keys, progress_step(progress, "pages"), url)
        deleted = prune_backups(to, keep) if keep else []
    if json:
        print_json(made)
        return
    typer.echo(f"{to} has the journal up to entry {made.entries:,}, head {made.head}")
    for folder in deleted:
        typer.echo(f"deleted {folder}")
    if keys is None:
        typer.echo("The keys aren't in it. Copy them once to a safe place with --keys FOLDER.")


def restore(
    backup: Annotated[Path, typer.Argument(metavar="BACKUP", help="A folder that `croupier backup` wrote.")],
    keys: Annotated[
        Path | None, typer.Option(help="The folder with the keys of the backup.", show_default=False)
    ] = None,
    verify: Annotated[
        bool, typer.Option(help="Verify every entry, sum and round, as `croupier verify` does.")
    ] = True,
    data: Data = DATA,
    database: DatabaseUrl = "",
    json: JsonFlag = False,
) -> None:
    """Restore a backup into a new data folder, and verify it before it appears there.

    What happened after the backup is lost. Where anchors are kept elsewhere, tell whoever keeps them.

    A backup of a PostgreSQL database goes into an empty database, which `--database` names (`createdb NAME`).

    Exit 0: restored. Exit 1: the backup is wrong, and nothing was restored.

    Example: `croupier restore /mnt/backups/2026-11-25 --keys /mnt/safe/keys --data new-data`
    """
    from croupier.app.backups.restore import restore_backup

    url = postgresql(database)
    with report_problems(data), progress_bar(hidden=json) as progress:
        step = progress_step(progress, "entries") if verify else None
        restored = restore_backup(backup, data, keys, step, url)
    bad = restored.report.bad if restored.report else None
    if json:
        print_json(
            {"backup": restored.manifest, "bad": bad and bad._asdict(), "needs_key": restored.needs_key}
        )
    else:
        _print_restored(restored, data)
    raise typer.Exit(1 if bad else 0)


def _print_restored(restored: "Restored", data: Path) -> None:
    report, manifest = restored.report, restored.manifest
    if report and report.bad:
        typer.echo(f"WRONG: {report.bad.table} {report.bad.row}: {report.bad.why}. Nothing was restored.")
        return
    checked = f"{report.rounds:,} rounds verified" if report else "not verified"
    typer.echo(f"{data} has the journal up to entry {manifest.entries:,} ({checked}), head {manifest.head}")
    if restored.needs_key:
        typer.echo(
            "It has no shoes.key. If a round at an own table is open, the server starts only with the key "
            "(--keys FOLDER), or with --void-unreadable."
        )
