"""What a ledger can be asked: the protocol every store follows, and the records it answers with."""

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from typing import Generic, Literal, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from croupier.ledger.entries import Entry, Json, Kind, Posted, Ticket
from croupier.refusal import Refused

T = TypeVar("T")
Status = Literal["open", "settled", "void"]


class LedgerBroken(RuntimeError):
    """A commit failed, so what is on disk is unknown: nothing more is done before a restart.

    Work that was under way may or may not stand; after the restart its key tells.
    """


class DatabaseLocked(RuntimeError):
    """Another process writes these books."""


class DatabaseUnusable(RuntimeError):
    """The database can't be used as it is; the message says why, and what to do."""


class Recorded(NamedTuple, Generic[T]):
    """The result of some work, and entries that are to be entered in the same transaction."""

    result: T
    entries: tuple[Entry, ...]


class RoundSummary(Struct, frozen=True, gc=False):
    """One line of the index of rounds.

    `staked_minor` is all that was staked so far, `returned_minor` what came back: 0 while the
    round is open, all of the stake when it is void. `opened_seq` and `ended_seq` are the entries that
    opened and ended it; `ended_ms` and `ended_seq` are 0 while it is open. `place` is its place in the order
    of opening, also among those that one entry opened; `stakes` are the seqs of the entries of this kind
    that moved its stake, as a JSON list.
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
    """A round as it was recorded: enough to play it again.

    `deal` is the body of the entry that opened it, `steps` the steps of all its entries in order,
    `keys` the keys of those entries: nothing where all of them are shared with others. `coup` is the body
    of the coup that ended it, if one did, and `share` its place there.
    """

    deal: Mapping[str, Json]
    steps: tuple[str, ...]
    keys: tuple[str, ...]
    coup: Mapping[str, Json] | None = None
    share: int = 0


class Settlement(NamedTuple):
    """A round that has ended, its number for people, and the body of the entry that settled it."""

    round: str
    number: str
    body: Mapping[str, Json]


class StakeTotals(NamedTuple):
    """What was staked and what came back, of one currency."""

    staked_minor: int
    returned_minor: int


class CashMovement(NamedTuple):
    """A movement of a player's cash: `amount_minor` is signed, `balance_minor` what he had after it."""

    seq: int
    at_ms: int
    kind: Kind
    currency: str
    amount_minor: int
    balance_minor: int
    table: str
    round: str


class LedgerReader(Protocol):
    """What is read of the books; from any thread, and all that was acknowledged is seen."""

    def balances(self, player: str) -> dict[str, dict[str, int]]:
        """By currency, by kind of account (`cash`, `in_play` ...): what the player has."""

    def round(self, round_id: str) -> RoundRecord | None: ...

    def open_rounds(self) -> tuple[RoundRecord, ...]:
        """All rounds that are under way, oldest first."""

    def rounds(
        self,
        player: str,
        *,
        before: str | None = None,
        table: str | None = None,
        since_ms: int = 0,
        until_ms: int | None = None,
        limit: int = 50,
    ) -> tuple[RoundSummary, ...]:
        """The player's rounds, newest first: those dealt before the round `before`.

        They started at `since_ms` or later, and before `until_ms`.
        """

    def first_started_ms(self, player: str, *, since_ms: int) -> int:
        """When the first of the player's rounds since then started; 0: there was none."""

    def recent_tables(self, player: str, *, limit: int) -> tuple[str, ...]:
        """The tables of the player's last rounds, each once, newest first; long ago isn't searched."""

    def settlements(self, player: str, table: str, *, limit: int = 50) -> tuple[Settlement, ...]:
        """The player's rounds at a table of his own that were settled, newest first."""

    def totals(
        self, player: str, table: str | None = None, since_ms: int = 0, until_ms: int | None = None
    ) -> dict[str, StakeTotals]:
        """By currency, over the player's rounds that started in this time and have ended."""

    def deposited(self, player: str, *, since_ms: int = 0) -> dict[str, int]:
        """By currency, what the player has brought to the cashier since then."""

    def statement(
        self, player: str, *, before: int | None = None, limit: int = 50
    ) -> tuple[CashMovement, ...]:
        """The movements of the player's cash, newest first: those whose `seq` is below `before`."""

    def hashes(self, seqs: Collection[int]) -> dict[int, str]:
        """The hashes of these entries in hexadecimal, by seq: each covers all that was entered before it."""

    def entry(self, key: str) -> Entry | None:
        """The entry that was posted with this key."""

    def last_ms(self) -> int:
        """The time of the last entry; 0 where there is none."""

    def notes(
        self,
        prefix: str,
        *,
        before: str | None = None,
        table: str | None = None,
        text: str = "",
        limit: int = 50,
    ) -> tuple[Entry, ...]:
        """Notes whose keys begin so, last key first: those below `before`, with `text` in the body."""


class Ledger(LedgerReader, Protocol):
    """The books of the house. Safe to call from any thread.

    A future resolves after the durable commit, fails with Refused when a rule of the books forbids
    it (nothing has changed then), or with LedgerBroken when the store has failed. It can't be
    cancelled: what was handed in is carried out.
    """

    def post(self, entries: Sequence[Entry]) -> Future[tuple[Posted, ...]]:
        """Enter all of `entries` (one at least) in this order, or none of them.

        Posted again, they answer `duplicate` and move nothing (`at_ms` may differ). Refused:
        `key_reused` (key), `not_covered` (currency, balance_minor, needed_minor), `over_maximum`
        (currency, balance_minor), `round_open` (round: the one that is open), `round_exists`,
        `round_unknown`, `round_ended` (round), `wrong_stake` (round, staked_minor).
        """

    def post_each(self, entries: Sequence[Entry]) -> Future[tuple[Posted | Refused, ...]]:
        """Enter each of `entries` that the books allow, in this order, in one commit.

        The answer has the refusal in the place of an entry that was refused: it has changed nothing.
        What the books refuse of `stakes` is left out of the entry (see Posted).
        """

    def prepare(self, entries: Sequence[Entry]) -> Future[bool]:
        """Write ahead what is likely to begin the next sequence that is posted, exactly so.

        One entry at least. It stands when it's posted, no sooner, and nobody sees it before. Anything else
        that comes first is done first. The future tells whether it could be written: nobody needs to wait.
        """

    def close(self) -> None:
        """Carry out what was handed in, then close the books."""
