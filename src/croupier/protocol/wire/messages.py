"""Messages to a player's browser about the session and the player's own tables."""

from typing import Literal

from msgspec import Struct

from croupier.protocol.wire.base import RoundEvent, RoundView, ServerMessage, Settings, Stake


class Balance(Struct, frozen=True, omit_defaults=True):
    """Balance in one currency. `balance_minor` excludes stakes on open rounds."""

    currency: str
    balance_minor: int
    in_play_minor: int
    session_staked_minor: int
    session_returned_minor: int
    unknown: bool = False
    """True while the operator's wallet hasn't answered and is asked again: `balance_minor` means nothing."""


class PlayerBonus(Struct, frozen=True):
    """A player's bonus: money that becomes cash once `required_minor` has been staked.

    Stakes count by the class of their table: `left_minor` is the amount that is still missing.
    """

    bonus: str
    title: str
    currency: str
    status: Literal["opted_in", "active", "converted", "spent", "expired", "withdrawn", "cancelled"]
    granted_minor: int
    balance_minor: int
    in_play_minor: int
    """Bonus money in open rounds."""
    required_minor: int
    left_minor: int
    granted_ms: int
    expires_ms: int
    max_bet_minor: int
    """Maximum stake of a round while the bonus is active; 0: none."""
    excluded: tuple[str, ...]
    """Tables that can't be played while the bonus is active."""
    multiple: int = 0
    """Wagering requirement, as a multiple of the amount."""
    days: int = 0
    """Days from the grant until it expires."""
    match_percent: int = 0
    """Amount as a percentage of the first deposit; 0: it doesn't come with a deposit."""
    match_max_minor: int = 0


class Welcome(ServerMessage, frozen=True, tag="welcome"):
    """Answer to `hello`, followed by the missed updates of the listed tables."""

    protocol: int
    server: str
    now_ms: int
    player: str
    name: str
    session_started_ms: int
    played_from_ms: int
    """Time of the session's first bet, from which time played counts; 0: none."""
    reminded_ms: int
    """Time from which the next reality check counts: the last answer, or the end of the last break."""
    balances: tuple[Balance, ...]
    bonuses: tuple[PlayerBonus, ...]
    """The player's active bonuses, at most one per currency."""
    settings: Settings
    open_tables: tuple[str, ...]
    """Tables with an unfinished round, for the client to offer."""
    profile: "JurisdictionProfile"
    deposit_limit_due: bool = False
    """True if the player's jurisdiction asks again for a deposit limit, which they once answered."""


class JurisdictionProfile(Struct, frozen=True):
    """Features that the server's jurisdiction allows. A client offers no others."""

    statistics: bool
    """True if decision buttons may show what other players decided."""
    results: bool
    """True if past results and their frequencies may be shown."""
    tables_max: int
    """Maximum number of open tables over all browsers of a player."""
    round_min_ms: int
    """Minimum time from the start of one round to the start of the next, over all tables of a player."""
    reminder_minutes: tuple[int, ...]
    """Allowed reality check intervals; without 0 they can't be switched off."""
    advice: Literal["none", "play_money", "own_tables"]
    """Where advice and the trainer are available; never at live tables."""


class Pong(ServerMessage, frozen=True, tag="pong"):
    """Answer to `ping`."""

    now_ms: int


class Ok(ServerMessage, frozen=True, tag="ok"):
    """The command was executed durably.

    Its effects precede it: the `event` of an own table, or the `mine` of a live table, after the `live` if
    the change is visible to everybody.
    """

    req: str


class No(ServerMessage, frozen=True, tag="no"):
    """The command (or the frame, if `req` is empty) was refused and changed nothing."""

    req: str
    code: str
    args: dict[str, str | int]


class PlayedRound(Struct, frozen=True):
    """Round at an own table."""

    id: str
    number: str
    started_ms: int
    turn: int
    """Number of the current turn; see Decide."""
    view: RoundView


class TableState(Struct, frozen=True):
    """Complete state of an own table. Replaces the previous state."""

    currency: str
    round: PlayedRound | None
    """The current round, or the last one until the next is dealt."""
    next_deal_ms: int
    """Server time before which no round may be dealt; 0: no restriction."""
    last_stakes: tuple[Stake, ...]
    """Stakes of the last round, for Rebet."""
    after: str
    """Id of the last round here, empty if there was none: the turn that the next `deal` answers."""


class TableSnapshot(ServerMessage, frozen=True, tag="snapshot"):
    """Current state of an own table: answer to `join`, and to `hello` if missed updates are lost."""

    table: str
    v: int
    state: TableState


class TableUpdate(ServerMessage, frozen=True, tag="event"):
    """Events at an own table, and its new state."""

    table: str
    v: int
    did: tuple[RoundEvent, ...]
    state: TableState


class BalanceUpdate(ServerMessage, frozen=True, tag="balance"):
    """The player's balance in one currency changed."""

    balance: Balance


class BonusUpdate(ServerMessage, frozen=True, tag="bonus"):
    """A bonus of the player changed: its money, its progress or its status."""

    bonus: PlayerBonus


class SettingsUpdate(ServerMessage, frozen=True, tag="settings"):
    """The player's settings changed, possibly in another browser."""

    settings: Settings


class ReminderAnswered(ServerMessage, frozen=True, tag="reminded"):
    """The player answered a reality check, possibly in another browser."""

    at_ms: int


class DatabaseUpdate(ServerMessage, frozen=True, tag="database"):
    """The server is waiting for its database, or no longer is.

    Commands are answered once the database is back; nothing that was acknowledged is lost. This may come
    before `welcome`, which waits too.
    """

    waiting: bool
    """True while the database doesn't answer."""


class TableAvailability(ServerMessage, frozen=True, tag="availability"):
    """A live table that is open on this connection can't be reached, or can again.

    Meanwhile the player counts as disconnected there, and commands wait. If messages were lost, a snapshot
    comes before the table is available again.
    """

    table: str
    available: bool
    """False while the node that runs the table can't be reached."""


class TakenOver(ServerMessage, frozen=True, tag="taken_over"):
    """The player opened this table on another connection; it is closed on this one."""

    table: str


class Upgrade(ServerMessage, frozen=True, tag="upgrade"):
    """The client uses another protocol version. Nothing else works on this connection."""

    protocol: int
