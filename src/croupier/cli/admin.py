"""Commands that a running server executes, or this process while the server is stopped."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import ValidationError

from croupier.cli.output import refuse
from croupier.cli.problems import report_problems
from croupier.ledger.protocol import DatabaseLocked

if TYPE_CHECKING:
    from croupier.ledger.sqlite.store import SqliteLedger
    from croupier.staff.admin_commands import AdminResult, AnyAdminCommand

ExecuteHere = Callable[["SqliteLedger"], Awaitable["AdminResult"]]


def require_database(data: Path) -> None:
    """Exit if there is no database in the data folder."""
    from croupier.app.serve import DATABASE

    if not (data / DATABASE).exists():
        refuse(f"no database in {data}; start the server there with `croupier serve --data {data}`")


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
    from croupier.app.serve import open_ledger
    from croupier.runtime.clock_watch import set_clock
    from croupier.staff.admin_socket import send_admin_command

    done = await send_admin_command(data, command)
    if done is not None:
        return done
    ledger = open_ledger(data)
    try:
        await set_clock(ledger)
        return await here(ledger)
    finally:
        ledger.close()
