"""Commands of the operator's terminal: add, reset, remove and list staff; grant, cancel and list bonuses.

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
from croupier.action_log import Actor, log_action
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.clock import now_ms
from croupier.protocol.staff_wire import CancelBonus, GrantBonus
from croupier.protocol.wire import Identifier, PlayerBonus
from croupier.refusal import Refused

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


class ResetStaff(AdminCommand, frozen=True, tag="reset_staff"):
    """Replace a member's code, and end their sessions."""

    name: str


class RemoveStaff(AdminCommand, frozen=True, tag="remove_staff"):
    """Remove a member of staff and end their sessions."""

    name: str


class ListStaff(AdminCommand, frozen=True, tag="list_staff"):
    pass


class ListBonuses(AdminCommand, frozen=True, tag="list_bonuses"):
    player: Identifier


MemberCommand = AddStaff | ResetStaff | RemoveStaff | ListStaff
BonusCommand = GrantBonus | CancelBonus | ListBonuses
AnyAdminCommand = MemberCommand | BonusCommand


class AdminResult(Struct, frozen=True):
    """Result of an admin command.

    `code` is the member's new code, to be shown once; `address` is that of a running server;
    `bonuses` are the player's, newest first; `refused` is the code of a refusal.
    """

    members: tuple[Member, ...] = ()
    bonuses: tuple[PlayerBonus, ...] = ()
    code: str = ""
    address: str = ""
    refused: str = ""


decode_command = Decoder(AnyAdminCommand).decode
decode_result = Decoder(AdminResult).decode


async def execute(gateway: LedgerGateway, staff: StaffMembers, command: MemberCommand) -> AdminResult:
    """Execute and log a command about staff; `StaffBonuses` executes the others."""
    match command:
        case ListStaff():
            return AdminResult(await gateway.durable(staff.members()))
        case RemoveStaff(name):
            result, change = AdminResult(), partial(staff.remove, name, now_ms())
        case AddStaff(name, role):
            result = AdminResult(code=new_code())
            change = partial(staff.add, name, role, result.code, now_ms())
        case ResetStaff(name):
            result = AdminResult(code=new_code())
            change = partial(staff.reset, name, result.code, now_ms())
    try:
        await log_action(gateway, OPERATOR, command, lambda: gateway.durable(change()))
    except Refused as refused:
        return AdminResult(refused=refused.code)
    return result
