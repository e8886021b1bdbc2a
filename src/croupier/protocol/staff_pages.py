"""Requests and answers of the staff's HTTP API; `staff_wire` has the messages of the WebSocket."""

from msgspec import Struct

from croupier.protocol.wire import Identifier, PlayerBonus
from croupier.tables.live.inputs import ReasonText


class BonusOffer(Struct, frozen=True):
    """A bonus that managers may grant; see `PlayerBonus` for its terms."""

    name: str
    title: str
    currency: str
    amount_minor: int
    multiple: int
    """Wagering requirement, as a multiple of the amount."""
    days: int
    max_bet_minor: int
    excluded: tuple[str, ...]


class PlayerBonuses(Struct, frozen=True):
    """The last bonuses of a player, newest first."""

    player: str
    bonuses: tuple[PlayerBonus, ...]


class GrantBonus(Struct, frozen=True, tag_field="t", tag="grant_bonus", forbid_unknown_fields=True):
    """Request to grant a player the bonus of this name."""

    player: Identifier
    bonus: Identifier
    reason: ReasonText


class CancelBonus(Struct, frozen=True, tag_field="t", tag="cancel_bonus", forbid_unknown_fields=True):
    """Request to cancel the player's bonus with this id; its money is taken back."""

    player: Identifier
    bonus: Identifier
    reason: ReasonText


class EventLogLine(Struct, frozen=True):
    """An entry of the event log."""

    id: str
    at_ms: int
    name: str
    role: str
    """Role; `operator` for commands from the terminal, `house` for the server's own."""
    what: str
    table: str
    round: str
    reason: str
    details: dict[str, str]
    answer: str


class EventLogPage(Struct, frozen=True):
    """A page of the event log."""

    lines: tuple[EventLogLine, ...]
    more: bool
