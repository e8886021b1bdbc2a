"""What the server tells of a live table."""

from typing import Literal

from msgspec import Struct

from croupier.protocol.wire.base import RoundEvent, RoundView, ServerMessage, Stake
from croupier.tables.live.phases import Light, Phase


class LiveClock(Struct, frozen=True):
    """Where the round at a live table is."""

    phase: Phase
    light: Light
    deadline_ms: int | None
    left_ms: int | None
    paused: str
    """The floor's reason; empty while the table isn't paused."""
    round: str
    number: str
    opened_ms: int
    bets_close_ms: int | None
    """While bets are open: when they close, behind the warning. None also while the table is paused."""


class OccupiedSeat(Struct, frozen=True):
    """A seat that is taken, and by whom."""

    seat: int
    name: str


class DecisionShare(Struct, frozen=True):
    """Of `decided` players in the same situation, `chose` chose this action."""

    box: int
    hand: int
    action: str
    chose: int
    decided: int


class LiveState(Struct, frozen=True):
    """What everybody on the same path of decisions sees of a live table.

    `round` is there from the close of the bets until the next opening. Where all share one deal, its
    amounts are those of a player with `unit_minor` on every bet of the table, and the client shows each
    player his own in proportion. `unit_minor` 0: the stakes themselves, at a table of seats. `covered` is
    always true: the client knows the balance.
    """

    clock: LiveClock
    players: int
    seats: tuple[OccupiedSeat, ...]
    round: RoundView | None
    turn: int
    """Names what players may decide now; see Decide."""
    unit_minor: int
    statistics: tuple[DecisionShare, ...]


class PlayerDecision(Struct, frozen=True):
    """A decision about the player's hand in this round."""

    box: int
    hand: int
    action: str
    by: str
    waiting: bool
    """Its window is still open, or it was made ahead: the cards haven't followed yet."""


class StakeResult(Struct, frozen=True):
    """What one stake returned."""

    box: int
    hand: int
    bet: str
    stake_minor: int
    returned_minor: int
    outcome: str


class PlayerResult(Struct, frozen=True):
    """The player's last round at this table that has ended."""

    round: str
    number: str
    staked_minor: int
    returned_minor: int
    void: bool
    reason: str
    lines: tuple[StakeResult, ...]


class PlayerState(Struct, frozen=True):
    """The viewer's own part of a live table."""

    currency: str
    balance_minor: int
    in_play_minor: int
    """All that he has at stake in this currency, here and elsewhere."""
    seats: tuple[int, ...]
    stakes: tuple[Stake, ...]
    """The bet that counts in this round."""
    held_minor: int
    """All that is set aside in this round: the bet, and what decisions cost."""
    can_undo: bool
    at_maximum: tuple[str, ...]
    """Bets that the last change stopped at their maximum."""
    made: tuple[PlayerDecision, ...]
    """Decided in this round, also ahead of one's turn."""
    last_stakes: tuple[Stake, ...]
    """Of the last round he bet in, for Repeat."""
    result: PlayerResult | None


class LiveSnapshot(ServerMessage, frozen=True, tag="live_snapshot"):
    """A live table as it is now: answers `join`, and `hello` for a table that is listed there."""

    table: str
    v: int
    state: LiveState
    mine: PlayerState
    chat: tuple["ChatLine", ...]


class LiveUpdate(ServerMessage, frozen=True, tag="live"):
    """What changed at a live table, and its new state. All players on one path of decisions get the same."""

    table: str
    v: int
    did: tuple[RoundEvent, ...]
    state: LiveState


class PlayerUpdate(ServerMessage, frozen=True, tag="mine"):
    """The player's own part of a live table, as it is at version `v`.

    It follows the `live` of that version.
    """

    table: str
    v: int
    round: str
    mine: PlayerState


class Pulse(ServerMessage, frozen=True, tag="pulse"):
    """How many players are here and what they decided, some times a second while it changes."""

    table: str
    round: str
    players: int
    statistics: tuple[DecisionShare, ...]


class ChatLine(Struct, frozen=True):
    """A line of chat, or a notice of the server's told by `code` and `args`."""

    line: int
    at_ms: int
    role: Literal["player", "dealer", "house"]
    player: str
    who: str
    text: str
    code: str
    args: dict[str, str | int]


class ChatPosted(ServerMessage, frozen=True, tag="chat"):
    """A new line of chat."""

    table: str
    line: ChatLine


class ChatRemoved(ServerMessage, frozen=True, tag="chat_gone"):
    """The staff removed lines of chat."""

    table: str
    lines: tuple[int, ...]
