"""What the server tells a player's browser: who he is, and his own tables."""

from typing import Literal

from msgspec import Struct

from croupier.protocol.wire.base import RoundEvent, RoundView, ServerMessage, Settings, Stake


class Balance(Struct, frozen=True):
    """A player's money in one currency. Money at stake on open rounds isn't part of `balance_minor`."""

    currency: str
    balance_minor: int
    in_play_minor: int
    session_staked_minor: int
    session_returned_minor: int


class Welcome(ServerMessage, frozen=True, tag="welcome"):
    """Answers `hello`. What was missed at the listed tables comes after it."""

    protocol: int
    server: str
    now_ms: int
    player: str
    name: str
    session_started_ms: int
    played_from_ms: int
    """When the first bet of this session was made: the time played counts from then; 0: there was none."""
    reminded_ms: int
    """When the player answered the last reality check of this session; 0: there was none."""
    balances: tuple[Balance, ...]
    settings: Settings
    open_tables: tuple[str, ...]
    """Tables where a round of this player's is unfinished: to be offered again."""
    profile: "JurisdictionProfile"


class JurisdictionProfile(Struct, frozen=True):
    """What the server's jurisdiction allows its players. A client shows nothing else."""

    statistics: bool
    """What others decided, in the decision buttons."""
    results: bool
    """What came up in the last rounds, and how often."""
    tables_max: int
    """Tables open at once, over all browsers of a player."""
    round_min_ms: int
    """From the start of one round to the start of the next, over all tables of a player."""
    reminder_minutes: tuple[int, ...]
    """The reality checks to choose from; without 0 it can't be switched off."""
    advice: Literal["none", "play_money", "own_tables"]
    """Where advice and the trainer may be used; never at a live table."""


class Pong(ServerMessage, frozen=True, tag="pong"):
    """Answers `ping`."""

    now_ms: int


class Ok(ServerMessage, frozen=True, tag="ok"):
    """The command is carried out and durable.

    What it changed has been told before: by the `event` of an own table; by the `mine` of a live table,
    behind the `live` where everybody sees it.
    """

    req: str


class No(ServerMessage, frozen=True, tag="no"):
    """The command, or the frame where `req` is empty, is refused and nothing has changed."""

    req: str
    code: str
    args: dict[str, str | int]


class PlayedRound(Struct, frozen=True):
    """A round at an own table."""

    id: str
    number: str
    started_ms: int
    turn: int
    """Names what the player may decide now; see Decide."""
    view: RoundView


class TableState(Struct, frozen=True):
    """All that an own table shows. It replaces the state before."""

    currency: str
    round: PlayedRound | None
    """The round in play, or the last one until the next is dealt."""
    next_deal_ms: int
    """Server time before which no round may be dealt; 0: at once."""
    last_stakes: tuple[Stake, ...]
    """The stakes of the last round, for Rebet."""


class TableSnapshot(ServerMessage, frozen=True, tag="snapshot"):
    """An own table as it is now: answers `join`, and `hello` where missed events are lost."""

    table: str
    v: int
    state: TableState


class TableUpdate(ServerMessage, frozen=True, tag="event"):
    """What changed at an own table, and its new state."""

    table: str
    v: int
    did: tuple[RoundEvent, ...]
    state: TableState


class BalanceUpdate(ServerMessage, frozen=True, tag="balance"):
    """The player's money in one currency has changed."""

    balance: Balance


class SettingsUpdate(ServerMessage, frozen=True, tag="settings"):
    """The player's settings have changed, perhaps in another browser."""

    settings: Settings


class ReminderAnswered(ServerMessage, frozen=True, tag="reminded"):
    """The player answered a reality check, perhaps in another browser."""

    at_ms: int


class TakenOver(ServerMessage, frozen=True, tag="taken_over"):
    """The player opened this table on another connection; this one has left it."""

    table: str


class Upgrade(ServerMessage, frozen=True, tag="upgrade"):
    """The client speaks another version of the protocol. Nothing else works on this connection."""

    protocol: int
