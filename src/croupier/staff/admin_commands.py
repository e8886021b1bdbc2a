"""Commands of the operator's terminal: add, remove and list staff.

While the server is stopped, the terminal command opens the database and executes them itself. A running
server holds the database, so the command goes to its admin socket in the data folder, which only the
folder's owner can use.
"""

from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.json import Decoder

from croupier.accounts.repository import StaffMembers
from croupier.accounts.staff_members import Member, Role, new_code
from croupier.clock import now_ms
from croupier.refusal import Refused
from croupier.runtime.ledger_gateway import LedgerGateway
from croupier.staff import event_log
from croupier.staff.event_log import Actor

SOCKET_NAME = "staff.sock"
LINE_BYTES_MAX = 4096
OPERATOR = Actor("operator", "operator")


def socket_path(folder: Path) -> Path:
    """Return the path of the admin socket of a running server."""
    return folder / SOCKET_NAME


class AdminCommand(Struct, frozen=True, tag_field="t", forbid_unknown_fields=True):
    """Base of all admin commands."""


class AddStaff(AdminCommand, frozen=True, tag="add_staff"):
    name: str
    role: Role


class RemoveStaff(AdminCommand, frozen=True, tag="remove_staff"):
    """Remove a member of staff and end their sessions."""

    name: str


class ListStaff(AdminCommand, frozen=True, tag="list_staff"):
    pass


AnyAdminCommand = AddStaff | RemoveStaff | ListStaff


class AdminResult(Struct, frozen=True):
    """Result of an admin command.

    `code` is the new member's sign-in code, to be shown once; `address` is that of a running server;
    `refused` is the code of a refusal.
    """

    members: tuple[Member, ...] = ()
    code: str = ""
    address: str = ""
    refused: str = ""


decode_command = Decoder(AnyAdminCommand).decode
decode_result = Decoder(AdminResult).decode


async def execute(gateway: LedgerGateway, staff: StaffMembers, command: AnyAdminCommand) -> AdminResult:
    """Execute and log a command."""
    match command:
        case ListStaff():
            return AdminResult(await gateway.durable(staff.members()))
        case RemoveStaff(name):
            result, change = AdminResult(), partial(staff.remove, name, now_ms())
        case AddStaff(name, role):
            result = AdminResult(code=new_code())
            change = partial(staff.add, name, role, result.code, now_ms())
    try:
        await event_log.log_action(gateway, OPERATOR, command, lambda: gateway.durable(change()))
    except Refused as refused:
        return AdminResult(refused=refused.code)
    return result
