"""Messages about live tables."""

from typing import Literal

from msgspec import Struct

from croupier.protocol.wire.base import RoundEvent, RoundView, ServerMessage, Stake
from croupier.tables.live.phases import Light, Phase


class LiveClock(Struct, frozen=True):
    """Phase and timing of the round at a live table."""

    phase: Phase
    light: Light
    deadline_ms: int | None
    left_ms: int | None
    paused: str
    """Reason for a pause; empty while the table isn't paused."""
    round: str
    number: str
    opened_ms: int
    bets_close_ms: int | None
    """Time at which betting closes, after the warning; null while bets are closed or the table is paused."""


class OccupiedSeat(Struct, frozen=True):
    """An occupied seat and its player's name."""

    seat: int
    name: str


class DecisionShare(Struct, frozen=True):
    """Number of players who chose an action, of those who decided in the same situation."""

    box: int
    hand: int
    action: str
    chose: int
    decided: int


class LiveState(Struct, frozen=True):
    """State of a live table as all players on the same path of decisions see it.

    `round` is present from the close of betting until the next opening. In a shared deal its amounts are
    those of a player with `unit_minor` on every bet, and the client scales them to the player's own stakes.
    At a table with seats `unit_minor` is 0 and the amounts are the actual stakes. `covered` is always true,
    since the client knows the balance.
    """

    clock: LiveClock
    players: int
    seats: tuple[OccupiedSeat, ...]
    round: RoundView | None
    turn: int
    """Number of the current turn; see Decide."""
    unit_minor: int
    statistics: tuple[DecisionShare, ...]


class PlayerDecision(Struct, frozen=True):
    """A decision for one of the player's hands in this round."""

    box: int
    hand: int
    action: str
    by: str
    waiting: bool
    """True if its cards are still to come: its window is open, or it was made in advance."""


class StakeResult(Struct, frozen=True):
    """Result of one stake."""

    box: int
    hand: int
    bet: str
    stake_minor: int
    returned_minor: int
    outcome: str


class PlayerResult(Struct, frozen=True):
    """Result of the player's last completed round at this table."""

    round: str
    number: str
    staked_minor: int
    returned_minor: int
    void: bool
    reason: str
    lines: tuple[StakeResult, ...]


class PlayerState(Struct, frozen=True, omit_defaults=True):
    """The player's own part of a live table's state."""

    currency: str
    balance_minor: int
    in_play_minor: int
    """Total at stake in this currency, at all tables."""
    seats: tuple[int, ...]
    stakes: tuple[Stake, ...]
    """The bet in this round."""
    held_minor: int
    """Amount reserved in this round: the bet and the cost of decisions."""
    can_undo: bool
    at_maximum: tuple[str, ...]
    """Bets that the last change limited to their maximum."""
    made: tuple[PlayerDecision, ...]
    """Decisions in this round, including those made in advance."""
    last_stakes: tuple[Stake, ...]
    """Stakes of the last round with a bet, for Repeat."""
    result: PlayerResult | None
    unknown: bool = False
    """True while `balance_minor` isn't known, see Balance."""


class LiveSnapshot(ServerMessage, frozen=True, tag="live_snapshot"):
    """Current state of a live table: answer to `join`, and to `hello` for a table listed there."""

    table: str
    v: int
    state: LiveState
    mine: PlayerState
    chat: tuple["ChatLine", ...]


class LiveUpdate(ServerMessage, frozen=True, tag="live"):
    """Events at a live table and its new state, the same for all players on one path of decisions."""

    table: str
    v: int
    did: tuple[RoundEvent, ...]
    state: LiveState


class PlayerUpdate(ServerMessage, frozen=True, tag="mine"):
    """The player's own part of a live table at version `v`. Follows the `live` of that version."""

    table: str
    v: int
    round: str
    mine: PlayerState


class Pulse(ServerMessage, frozen=True, tag="pulse"):
    """Number of players and their decisions, sent several times a second while they change."""

    table: str
    round: str
    players: int
    statistics: tuple[DecisionShare, ...]


class ChatLine(Struct, frozen=True):
    """A chat line, or a server notice given by `code` and `args`."""

    line: int
    at_ms: int
    role: Literal["player", "dealer", "house"]
    player: str
    who: str
    text: str
    code: str
    args: dict[str, str | int]


class ChatPosted(ServerMessage, frozen=True, tag="chat"):
    """A new chat line."""

    table: str
    line: ChatLine


class ChatRemoved(ServerMessage, frozen=True, tag="chat_gone"):
    """Staff removed chat lines."""

    table: str
    lines: tuple[int, ...]
