"""`staff add`, `staff reset`, `staff list`, `staff remove`: manage dealers and shift managers."""

from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table as Grid

from croupier.cli.admin import execute_admin_command, existing_database
from croupier.cli.output import DATA, Data, JsonFlag, console, print_json

if TYPE_CHECKING:
    from croupier.ledger.sql.store import SqlLedger
    from croupier.staff.admin_commands import AdminResult, MemberCommand

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


CODE_NOTE = """\
The code is valid once, for 24 hours: with it they set up a passkey or an authenticator app.
Where [staff] has sign_in = "code", it is valid until it is reset."""


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
    """Add a dealer or a shift manager, and print their code.

    The code is shown only once; the server keeps its hash. `croupier staff reset` replaces a lost one.

    Example: `croupier staff add Ada --role manager`
    """
    from croupier.staff.admin_commands import AddStaff

    done = _execute(data, AddStaff(name, role.value))
    if json:
        print_json({"name": name, "role": role.value, "code": done.code, "address": done.address})
        return
    _print_code(f"{name} signs in as {role.value}", name, done)


@app.command()
def reset(name: StaffName, data: Data = DATA, json: JsonFlag = False) -> None:
    """Print a new code for a dealer or a manager, who loses passkeys and authenticator app.

    Their sessions end at once. Example: `croupier staff reset Ada`
    """
    from croupier.staff.admin_commands import ResetStaff

    done = _execute(data, ResetStaff(name))
    if json:
        print_json({"name": name, "code": done.code, "address": done.address})
    else:
        _print_code(f"{name} signs in", name, done)


def _print_code(says: str, name: str, done: "AdminResult") -> None:
    page = f"{done.address}staff" if done.address else "/staff at the server's address, once it is running"
    typer.echo(f"{says} at {page}\n  name  {name}\n  code  {done.code}\n{CODE_NOTE}")


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


def _execute(data: Path, command: "MemberCommand") -> "AdminResult":
    """Have the running server execute the command, or execute it here; exit if it is refused."""
    from croupier.staff.admin_commands import AddStaff

    if not isinstance(command, AddStaff):
        existing_database(data)
    return execute_admin_command(data, command, lambda ledger: _execute_here(ledger, command), REFUSALS)


async def _execute_here(ledger: "SqlLedger", command: "MemberCommand") -> "AdminResult":
    from croupier.admission.ledger_gateway import standalone_gateway
    from croupier.staff.admin_commands import execute
    from croupier.storage.sql.stores import sql_stores

    return await execute(standalone_gateway(ledger), sql_stores(ledger).staff, command)
