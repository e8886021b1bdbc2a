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
from croupier.runtime.ledger_gateway import Bank
from croupier.staff import event_log
from croupier.staff.event_log import Actor

DOOR = "staff.sock"
LONGEST = 4096
OPERATOR = Actor("operator", "operator")


def door_of(folder: Path) -> Path:
    """The socket file of a house that is open."""
    return folder / DOOR


class Order(Struct, frozen=True, tag_field="t", forbid_unknown_fields=True):
    """The base of all orders."""


class AddStaff(Order, frozen=True, tag="add_staff"):
    name: str
    role: Role


class RemoveStaff(Order, frozen=True, tag="remove_staff"):
    """His sessions end at once."""

    name: str


class ListStaff(Order, frozen=True, tag="list_staff"):
    pass


AnyOrder = AddStaff | RemoveStaff | ListStaff


class Done(Struct, frozen=True):
    """`code` is the new member's, to be shown once; `address` the house's, if it is open.

    Refused: `refused` is the code of the refusal, and nothing was done.
    """

    members: tuple[Member, ...] = ()
    code: str = ""
    address: str = ""
    refused: str = ""


read_order = Decoder(AnyOrder).decode
read_done = Decoder(Done).decode


async def carry_out(bank: Bank, staff: StaffMembers, order: AnyOrder) -> Done:
    """The order, in the event log and in one piece of work of the writer."""
    match order:
        case ListStaff():
            return Done(await bank.durable(staff.members()))
        case RemoveStaff(name):
            done, change = Done(), partial(staff.remove, name, now_ms())
        case AddStaff(name, role):
            done = Done(code=new_code())
            change = partial(staff.add, name, role, done.code, now_ms())
    try:
        await event_log.logged(bank, OPERATOR, order, lambda: bank.durable(change()))
    except Refused as no:
        return Done(refused=no.code)
    return done
