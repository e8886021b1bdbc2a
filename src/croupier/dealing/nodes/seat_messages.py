"""Messages between gateways and the owners of live tables.

A player at a table of another node has a *seat* on the link between their gateway and the table's owner. The
gateway's messages are about the player; the owner's have the table's messages for them as they are sent to
browsers.
"""

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from croupier.play.contract.amounts import StakeLimits
from croupier.protocol import wire
from croupier.protocol.wire import LiveTableStatus
from croupier.refusal import Refused

LiveCommand = (
    wire.PlaceBet | wire.Undo | wire.Decide | wire.Sit | wire.StandUp | wire.PostChat | wire.ReportChatLine
)
"""Commands that a live table executes in its own queue, without delaying other commands."""
T = TypeVar("T")

OWNERS, ASK_OWNERS = "owners", "owners.ask"
"""Subjects: the live tables of each node, and the question which they are."""
GONE_WRONG = -1
"""Number of a batch that says that the link has lost a batch, or isn't known."""


def owner_subject(node: str) -> str:
    """Return the subject of messages to the owner of live tables."""
    return f"owner.{node}"


def gateway_subject(node: str) -> str:
    """Return the subject of messages to a gateway."""
    return f"gateway.{node}"


class SeatBatch(Struct, Generic[T], array_like=True, frozen=True):
    """Messages of one turn of the event loop. `number` counts the batches of a link, so that a gap shows.

    An empty batch shows that its sender is there, and whether an earlier batch was lost.
    """

    sender: str
    link: str
    number: int
    messages: list[T]


# --- of gateways


class JoinSeat(Struct, array_like=True, frozen=True, tag="join"):
    """A player opens a table, in a browser of this `session`; or changes the currency there.

    The owner looks up the player and the session.
    """

    seat: int
    table: str
    session: str
    player: str
    currency: str


class LeaveSeat(Struct, array_like=True, frozen=True, tag="leave"):
    """The player closes the table; `lost`: their connection is lost."""

    seat: int
    lost: bool


class SeatCommand(Struct, array_like=True, frozen=True, tag="command"):
    seat: int
    command: LiveCommand


GatewayMessage = JoinSeat | LeaveSeat | SeatCommand


# --- of owners


class SeatRefusal(Struct, array_like=True, frozen=True):
    """A refusal as it travels; without a code there is none."""

    code: str = ""
    args: Mapping[str, str | int] = {}

    @property
    def refused(self) -> Refused | None:
        values = dict[str, Any](self.args)
        return Refused(self.code, **values) if self.code else None


ACCEPTED = SeatRefusal()


def seat_refusal(refused: Refused | None) -> SeatRefusal:
    return SeatRefusal(refused.code, refused.args_) if refused else ACCEPTED


class SeatJoined(Struct, array_like=True, frozen=True, tag="joined"):
    """The table is open: its snapshot has been sent. Or it is refused."""

    seat: int
    outcome: SeatRefusal


class SeatFrames(Struct, array_like=True, tag="frames"):
    """Framed messages for the browsers of these seats."""

    seats: list[int]
    frames: bytes


class SeatAnswer(Struct, array_like=True, frozen=True, tag="answer"):
    """The command is durable, or refused."""

    seat: int
    req: str
    outcome: SeatRefusal


class SeatEnded(Struct, array_like=True, frozen=True, tag="ended"):
    """The seat is no more. `taken_over`: the player has opened the table in another browser."""

    seat: int
    taken_over: bool


OwnerMessage = SeatJoined | SeatFrames | SeatAnswer | SeatEnded


# --- of owners, to everyone


class TableLimits(Struct, array_like=True, frozen=True):
    """All limits of a table, as `Table` has them."""

    limits: Mapping[str, StakeLimits]
    side_limits: Mapping[str, StakeLimits]
    kind_limits: Mapping[str, Mapping[str, StakeLimits]]
    table_limits: Mapping[str, StakeLimits]


class OwnedTable(Struct, array_like=True, frozen=True):
    """A live table that a node runs; its lease has this epoch. `limits`: those that staff have set."""

    table: str
    epoch: int
    status: LiveTableStatus
    limits: TableLimits | None = None


class Owner(Struct, array_like=True, frozen=True):
    """A node and all its live tables."""

    node: str
    tables: tuple[OwnedTable, ...]


encode_seats = msgspec.msgpack.Encoder().encode
decode_of_gateway = msgspec.msgpack.Decoder(SeatBatch[GatewayMessage]).decode
decode_of_owner = msgspec.msgpack.Decoder(SeatBatch[OwnerMessage]).decode
decode_owner = msgspec.msgpack.Decoder(Owner).decode
