"""What the operator orders from a terminal: staff added, removed and listed.

While the house is shut, the command opens the books and carries the order out by itself. While it is
open the books are the house's, and the order goes through the door: a socket file in the data folder,
for whoever may write there.
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
    """The socket file of a house that is open."""
    return folder / SOCKET_NAME


class AdminCommand(Struct, frozen=True, tag_field="t", forbid_unknown_fields=True):
    """The base of all orders."""


class AddStaff(AdminCommand, frozen=True, tag="add_staff"):
    name: str
    role: Role


class RemoveStaff(AdminCommand, frozen=True, tag="remove_staff"):
    """His sessions end at once."""

    name: str


class ListStaff(AdminCommand, frozen=True, tag="list_staff"):
    pass


AnyAdminCommand = AddStaff | RemoveStaff | ListStaff


class AdminResult(Struct, frozen=True):
    """`code` is the new member's, to be shown once; `address` the house's, if it is open.

    Refused: `refused` is the code of the refusal, and nothing was done.
    """

    members: tuple[Member, ...] = ()
    code: str = ""
    address: str = ""
    refused: str = ""


decode_command = Decoder(AnyAdminCommand).decode
decode_result = Decoder(AdminResult).decode


async def carry_out(gateway: LedgerGateway, staff: StaffMembers, order: AnyAdminCommand) -> AdminResult:
    """The order, in the event log and in one piece of work of the writer."""
    match order:
        case ListStaff():
            return AdminResult(await gateway.durable(staff.members()))
        case RemoveStaff(name):
            done, change = AdminResult(), partial(staff.remove, name, now_ms())
        case AddStaff(name, role):
            done = AdminResult(code=new_code())
            change = partial(staff.add, name, role, done.code, now_ms())
    try:
        await event_log.log_action(gateway, OPERATOR, order, lambda: gateway.durable(change()))
    except Refused as no:
        return AdminResult(refused=no.code)
    return done
