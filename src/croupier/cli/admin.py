"""Commands that a running server executes, or this process while the server is stopped."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import ValidationError

from croupier.cli.output import refuse
from croupier.cli.problems import report_problems
from croupier.ledger.protocol import DatabaseLocked, DatabaseUnusable

if TYPE_CHECKING:
    from croupier.ledger.sql.databases import Database, PostgresqlUrl
    from croupier.ledger.sql.store import SqlLedger
    from croupier.staff.admin_commands import AdminResult, AnyAdminCommand

ExecuteHere = Callable[["SqlLedger"], Awaitable["AdminResult"]]


def postgresql(url: str | None = None) -> "PostgresqlUrl | None":
    """Return the PostgreSQL database that an option or the environment names; exit if that is no URL."""
    from croupier.ledger.sql.databases import postgresql_url

    text = os.environ.get("CROUPIER_DATABASE", "") if url is None else url
    try:
        return postgresql_url(text) if text else None
    except DatabaseUnusable as error:
        refuse(f"--database, or CROUPIER_DATABASE: {error}")


def existing_database(data: Path, url: str | None = None) -> "Database":
    """Return the database of a data folder; exit if there is none."""
    from croupier.app.serve import DATABASE

    database = postgresql(url) or data / DATABASE
    if isinstance(database, Path) and not _exists(database):
        refuse(f"no database in {data}; start the server there with `croupier serve --data {data}`")
    return database


def _exists(file: Path) -> bool:
    try:
        return file.exists()
    except PermissionError:
        refuse(f"{file.parent} can't be read by this user")


def execute_admin_command(
    data: Path, command: "AnyAdminCommand", here: ExecuteHere, refusals: Mapping[str, str]
) -> "AdminResult":
    """Have the running server execute the command, or execute it here; exit if it is refused or invalid."""
    from croupier.protocol.encoding import encode
    from croupier.staff.admin_commands import decode_command

    try:
        decode_command(encode(command))
    except ValidationError as error:
        refuse(str(error))
    with report_problems(data):
        try:
            done = asyncio.run(_execute(data, command, here))
        except DatabaseLocked as held:
            refuse(f"the server is running but can't be reached: {held}")
    if done.refused:
        refuse(refusals[done.refused])
    return done


async def _execute(data: Path, command: "AnyAdminCommand", here: ExecuteHere) -> "AdminResult":
    from croupier.app.clock_watch import set_clock
    from croupier.app.serve import open_ledger
    from croupier.staff.admin_socket import send_admin_command

    done = await send_admin_command(data, command)
    if done is not None:
        return done
    ledger = open_ledger(data, postgresql())
    try:
        await set_clock(ledger)
        return await here(ledger)
    finally:
        ledger.close()
