"""The protocol that every ledger store implements, and the records it returns."""

from collections.abc import Collection, Container, Mapping, Sequence
from concurrent.futures import Future
from typing import Literal, NamedTuple, Protocol

from msgspec import Struct

from croupier.ledger.entries import Entry, Json, Kind, Posted, Ticket
from croupier.ledger.leases import Fence
from croupier.ledger.reports import ReportReader
from croupier.ledger.wallet_entries import WalletCall
from croupier.refusal import Refused

Status = Literal["open", "settled", "void"]


class LedgerBroken(RuntimeError):
    """A commit failed, so the state on disk is unknown and the ledger refuses everything until a restart.

    Pending work may or may not be done; after the restart its key shows which.
    """


class DatabaseUnreachable(RuntimeError):
    """The database can't be read now, since its server doesn't answer; it may be tried again."""


class DatabaseLocked(RuntimeError):
    """Another process has the database open for writing."""


class DatabaseUnusable(RuntimeError):
    """The database can't be used; the message says why and what to do."""


class RoundSummary(Struct, frozen=True, gc=False):
    """A round without its course.

    `staked_minor` is the total stake so far; `returned_minor` is 0 while the round is open, and the whole
    stake when it's void. `opened_seq` and `ended_seq` are the entries that opened and ended it; `ended_ms`
    and `ended_seq` are 0 while it's open. `place` orders rounds by opening, also those that one entry opened;
    `stakes` is a JSON list of the seqs of `stakes` entries that changed its stake.
    """

    id: str
    player: str
    table: str
    currency: str
    number: str
    started_ms: int
    ended_ms: int
    status: Status
    staked_minor: int
    returned_minor: int
    opened_seq: int
    ended_seq: int
    place: int
    stakes: str = "[]"

    @property
    def ticket(self) -> Ticket:
        return Ticket(self.id, self.player, self.table, self.currency)


class RoundRecord(RoundSummary, frozen=True, gc=True, kw_only=True):
    """A round as recorded, with everything needed to replay it.

    `deal` is the body of the entry that opened it, `steps` and `keys` the steps and keys of its own entries
    in order; all are empty if its entries are shared with other rounds. `coup` is the body of the coup that
    ended it, if one did, and `share` its place there.
    """

    deal: Mapping[str, Json]
    steps: tuple[str, ...]
    keys: tuple[str, ...]
    coup: Mapping[str, Json] | None = None
    share: int = 0


class Settlement(NamedTuple):
    """A settled round, its display number, and the body of the entry that settled it."""

    round: str
    number: str
    body: Mapping[str, Json]


class StakeTotals(NamedTuple):
    """Amounts staked and returned, in one currency."""

    staked_minor: int
    returned_minor: int


class TableTotals(NamedTuple):
    """A player's ended rounds at a table in one currency: their number and amounts."""

    table: str
    currency: str
    rounds: int
    staked_minor: int
    returned_minor: int


class CashMovement(NamedTuple):
    """A movement of a player's cash: the signed amount, the balance after it, and why staff adjusted it."""

    seq: int
    at_ms: int
    kind: Kind
    currency: str
    amount_minor: int
    balance_minor: int
    table: str
    round: str
    reason: str = ""


class JournalPart(NamedTuple):
    """Entries and their positions; `last_seq`: the position up to which they are complete.

    `more`: whether there were more than were read at once.
    """

    last_seq: int
    entries: tuple[tuple[int, Entry], ...]
    more: bool


class LedgerReader(Protocol):
    """Queries, from any thread; they see everything that has been acknowledged."""

    @property
    def reports(self) -> ReportReader:
        """The figures of all players."""

    def balances(self, owner: str) -> dict[str, dict[str, int]]:
        """Return the balances of a player or a table by currency and kind of account (`cash` ...)."""

    def round(self, round_id: str) -> RoundRecord | None: ...

    def rounds_named(self, round_id: str, *, player: str = "", limit: int = 50) -> tuple[RoundSummary, ...]:
        """Return the round with this id or, where it is the id of a coup, those of its players, by id.

        With a player, theirs alone.
        """

    def open_rounds(self) -> tuple[RoundRecord, ...]:
        """Return all open rounds, oldest first."""

    def wallet_calls(self, round_id: str = "") -> tuple[WalletCall, ...]:
        """Return the open calls to an operator's wallet, of all rounds or of one, oldest first."""

    def open_rounds_of(self, player: str) -> tuple[RoundSummary, ...]:
        """Return the player's open rounds, oldest first."""

    def rounds(
        self,
        player: str,
        *,
        before: str | None = None,
        tables: Collection[str] | None = None,
        since_ms: int = 0,
        until_ms: int | None = None,
        limit: int = 50,
    ) -> tuple[RoundSummary, ...]:
        """Return the player's rounds, newest first: those dealt before the round `before`.

        They were dealt at one of `tables` (None: any), started at `since_ms` or later, and before `until_ms`.
        """

    def first_started_ms(self, player: str, *, since_ms: int) -> int:
        """Return the start of the player's first round since then; 0 if there was none."""

    def recent_tables(self, player: str, *, limit: int) -> tuple[str, ...]:
        """Return the tables of the player's last rounds, newest first; old rounds aren't searched."""

    def settlements(self, player: str, table: str, *, limit: int = 50) -> tuple[Settlement, ...]:
        """Return the player's settled rounds at an own table, newest first."""

    def totals(
        self,
        player: str,
        *,
        tables: Collection[str] | None = None,
        since_ms: int = 0,
        until_ms: int | None = None,
    ) -> dict[str, StakeTotals]:
        """Return totals by currency of the player's ended rounds; filters are those of `rounds`."""

    def table_totals(
        self, player: str, *, since_ms: int = 0, until_ms: int | None = None
    ) -> tuple[TableTotals, ...]:
        """Return totals by table and currency of the player's ended rounds that started in this period."""

    def deposited(self, player: str, *, since_ms: int = 0, without: Collection[str] = ()) -> dict[str, int]:
        """Return the player's deposits since then by currency, without the entries of these keys."""

    def statement(
        self,
        player: str,
        *,
        before: int | None = None,
        tables: Collection[str] | None = None,
        since_ms: int = 0,
        until_ms: int | None = None,
        limit: int = 50,
    ) -> tuple[CashMovement, ...]:
        """Return the movements of the player's cash, newest first: those whose `seq` is below `before`.

        They were made at one of `tables` (None: anywhere), at `since_ms` or later, and before `until_ms`.
        """

    def hashes(self, seqs: Collection[int]) -> dict[int, str]:
        """Return the hashes of these entries in hexadecimal, by seq; each covers all entries before it."""

    def entry(self, key: str) -> Entry | None:
        """Return the entry with this key."""

    def entries(self, prefix: str) -> tuple[Entry, ...]:
        """Return the entries whose key has this prefix, in the order of the journal."""

    def uses_currency(self, currency: str) -> bool:
        """Return whether any account is in this currency."""

    def last_ms(self) -> int:
        """Return the time of the last entry; 0 if there is none."""

    def last_seq(self) -> int:
        """Return the position of the last entry; 0 if there is none."""

    def after(self, seq: int, own: Container[int]) -> JournalPart:
        """Return the next entries after this position, except those at the positions in `own`.

        They are the entries of one player, those of many players' stakes, and notes of no table.
        """

    def notes(self, prefix: str, *, limit: int = 50) -> tuple[Entry, ...]:
        """Return notes by key prefix, last key first."""


class Ledger(LedgerReader, Protocol):
    """Posts entries. Safe to call from any thread.

    A future resolves after the durable commit. It fails with Refused when a rule of the ledger forbids the
    change (nothing has changed then), or with LedgerBroken when the store has failed. It can't be cancelled:
    submitted work is done.

    With a `fence` it fails with LeaseLost unless the fence is up to date in the transaction of the commit.
    """

    def post(self, entries: Sequence[Entry], fence: Fence | None = None) -> Future[tuple[Posted, ...]]:
        """Post all of `entries` (at least one) in this order, or none of them.

        Posted again, they return as `duplicate` and change nothing (`at_ms` may differ). Refused:
        `key_reused` (key), `not_covered` (currency, balance_minor, needed_minor), `over_maximum` (currency,
        balance_minor), `round_open` (round: the one that is open), `balance_too_high` (currency,
        max_minor: before the first stake of a round), `round_exists`, `round_unknown`,
        `round_ended` (round), `wrong_stake` (round, staked_minor). In a sequence of several entries a share
        of `stakes` that is refused refuses them all.
        """

    def post_each(
        self, entries: Sequence[Entry], fence: Fence | None = None
    ) -> Future[tuple[Posted | Refused, ...]]:
        """Post each of `entries` by itself, in this order and in one commit.

        A refused entry has its refusal as result and changes nothing. Refused shares of `stakes` are left out
        of the entry (see Posted).
        """

    def post_groups(
        self, groups: Sequence[Sequence[Entry]], fence: Fence | None = None
    ) -> Future[tuple[tuple[Posted, ...] | Refused, ...]]:
        """Post each of `groups` as `post` does, in this order and in one commit.

        A refused group has its refusal as result and changes nothing.
        """

    def prepare(self, entries: Sequence[Entry]) -> Future[bool]:
        """Write ahead the entries (at least one) that are likely to begin the next posted sequence.

        They take effect only when exactly they are posted, and no query sees them before; other work comes
        first. The future's result is whether they could be written; there is no need to await it.
        """

    def close(self) -> None:
        """Finish the submitted work, then close."""
