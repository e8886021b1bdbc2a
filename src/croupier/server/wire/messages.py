"""What the server tells a player's browser: who he is, and his own tables."""

from msgspec import Struct

from croupier.server.wire.basis import FromServer, Happening, RoundView, Settings, Stake


class Balance(Struct, frozen=True):
    """`in_play_minor` is staked on open rounds and no longer part of `balance_minor`.

    What the session staked and returned is of the rounds that have ended.
    """

    currency: str
    balance_minor: int
    in_play_minor: int
    session_staked_minor: int
    session_returned_minor: int


class Welcome(FromServer, frozen=True, tag="welcome"):
    """Answers Hello; the snapshots of the followed tables come after it."""

    protocol: int
    server: str
    now_ms: int
    player: str
    name: str
    session_started_ms: int
    balances: tuple[Balance, ...]
    settings: Settings
    open_tables: tuple[str, ...]
    """Tables where a round of this player's is unfinished: to be offered again."""
    profile: "Profile"


class Profile(Struct, frozen=True):
    """What the house's jurisdiction allows its players; the client shows nothing else."""

    statistics: bool
    """What others decided, in the decision buttons."""
    results: bool
    """What came up in the last rounds, and how often."""
    tables_max: int
    """Tables open at once in one window."""
    round_min_ms: int
    reminder_minutes: tuple[int, ...]
    """The reality checks to choose from; without 0 it can't be switched off."""


class Pong(FromServer, frozen=True, tag="pong"):
    now_ms: int


class Ok(FromServer, frozen=True, tag="ok"):
    req: str


class No(FromServer, frozen=True, tag="no"):
    """A refusal: `code` and `args` make the sentence; nothing has changed."""

    req: str
    code: str
    args: dict[str, str | int]


class PlayedRound(Struct, frozen=True):
    """`number` is for people (#HH:MM:SS, GMT); `id` is unique."""

    id: str
    number: str
    started_ms: int
    view: RoundView


class TableState(Struct, frozen=True):
    """All that a player's own table shows. Values are absolute: a state replaces the one before."""

    currency: str
    round: PlayedRound | None
    """The round in play, or the last one until the next is dealt."""
    next_deal_ms: int
    """Server time before which no round may be dealt; 0: at once."""
    last_stakes: tuple[Stake, ...]
    """The stakes of the last round, for Rebet."""


class Snapshot(FromServer, frozen=True, tag="snapshot"):
    table: str
    v: int
    state: TableState


class Event(FromServer, frozen=True, tag="event"):
    table: str
    v: int
    did: tuple[Happening, ...]
    state: TableState


class BalanceNow(FromServer, frozen=True, tag="balance"):
    balance: Balance


class SettingsNow(FromServer, frozen=True, tag="settings"):
    settings: Settings


class TakenOver(FromServer, frozen=True, tag="taken_over"):
    """The same player opened this table in another browser; this one has left it."""

    table: str


class Upgrade(FromServer, frozen=True, tag="upgrade"):
    """The browser speaks another protocol: reload the page."""

    protocol: int
