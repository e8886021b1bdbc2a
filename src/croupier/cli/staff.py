"""`staff add`, `staff list`, `staff remove`: manage dealers and shift managers."""

import asyncio
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table as Grid

from croupier.cli.output import DATA, Data, JsonFlag, console, print_json, refuse
from croupier.cli.problems import report_problems
from croupier.ledger.protocol import DatabaseLocked

if TYPE_CHECKING:
    from croupier.staff.admin_commands import AdminResult, AnyAdminCommand

app = typer.Typer(
    name="staff",
    help="Manage dealers and shift managers, whether the server is running or not.",
    no_args_is_help=True,
)

REFUSALS = {
    "staff_exists": "that name is taken; remove that person first, or choose another name",
    "no_such_staff": "no member of staff has that name; see `croupier staff list`",
    "staff_name": "a name has 1 to 40 visible characters and doesn't begin or end with a space",
}


class StaffRole(StrEnum):
    dealer = "dealer"
    manager = "manager"


StaffName = Annotated[str, typer.Argument(help="The name shown at the tables and in the event log.")]


@app.command()
def add(
    name: StaffName,
    role: Annotated[
        StaffRole, typer.Option(help="A dealer deals and chats at a table; a manager runs the floor.")
    ],
    data: Data = DATA,
    json: JsonFlag = False,
) -> None:
    """Add a dealer or a shift manager, and print their sign-in code.

    The code is shown only once; the server keeps its hash. To replace a lost code, remove the person and add
    them again.

    Example: `croupier staff add Ada --role manager`
    """
    from croupier.staff.admin_commands import AddStaff

    done = _execute(data, AddStaff(name, role.value))
    if json:
        print_json({"name": name, "role": role.value, "code": done.code, "address": done.address})
        return
    page = f"{done.address}staff" if done.address else "/staff at the server's address, once it is running"
    typer.echo(f"{name} signs in as {role.value} at {page}\n  name  {name}\n  code  {done.code}")


@app.command("list")
def list_(data: Data = DATA, json: JsonFlag = False) -> None:
    """List the staff."""
    from croupier.staff.admin_commands import ListStaff

    members = _execute(data, ListStaff()).members
    if json:
        print_json([member._asdict() for member in members])
        return
    grid = Grid("name", "role", "added")
    for member in members:
        added = datetime.fromtimestamp(member.added_ms / 1000, UTC)
        grid.add_row(member.name, member.role, f"{added:%Y-%m-%d %H:%M} UTC")
    console.print(grid)


@app.command()
def remove(name: StaffName, data: Data = DATA, json: JsonFlag = False) -> None:
    """Remove a dealer or a manager: their sessions end at once, and their code becomes invalid.

    Their actions stay in the event log. Example: `croupier staff remove Ada`
    """
    from croupier.staff.admin_commands import RemoveStaff

    _execute(data, RemoveStaff(name))
    if json:
        print_json({"removed": name})
    else:
        typer.echo(f"{name} is no longer a member of staff")


def _execute(data: Path, command: "AnyAdminCommand") -> "AdminResult":
    """Have the running server execute the command, or execute it here; exit if it is refused."""
    from croupier.app.serve import BOOKS
    from croupier.staff.admin_commands import AddStaff

    if not isinstance(command, AddStaff) and not (data / BOOKS).exists():
        refuse(f"no database in {data}; start the server there with `croupier serve --data {data}`")
    with report_problems(data):
        try:
            done = asyncio.run(_execute_async(data, command))
        except DatabaseLocked as held:
            refuse(f"the server is running but can't be reached: {held}")
    if done.refused:
        refuse(REFUSALS[done.refused])
    return done


async def _execute_async(data: Path, command: "AnyAdminCommand") -> "AdminResult":
    from croupier.app.serve import open_books
    from croupier.runtime.clock_watch import set_clock
    from croupier.runtime.ledger_gateway import standalone_gateway
    from croupier.staff.admin_commands import execute
    from croupier.staff.admin_socket import send_admin_command
    from croupier.storage.sqlite.stores import sqlite_stores

    done = await send_admin_command(data, command)
    if done is not None:
        return done
    ledger = open_books(data)
    try:
        await set_clock(ledger)
        return await execute(standalone_gateway(ledger), sqlite_stores(ledger).staff, command)
    finally:
        ledger.close()
