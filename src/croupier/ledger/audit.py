"""Working the books out again from the journal, row by row, and comparing them with what is kept."""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from sqlite3 import Connection
from typing import Any, NamedTuple, NoReturn

import msgspec
from msgspec.structs import astuple

from croupier.ledger.audited_rows import PREFIX, RowAudit
from croupier.ledger.chain import START, JournalRow, entry_of, link
from croupier.ledger.entries import (
    COUP_KINDS,
    PLAYER_KINDS,
    ROUND_KINDS,
    SHARES_MAX,
    Account,
    Entry,
    Shares,
)
from croupier.ledger.entry_checks import check
from croupier.ledger.protocol import RoundRecord, RoundSummary
from croupier.ledger.reference_posting import changes_by_account
from croupier.ledger.round_records import follow, record, shared, staked
from croupier.refusal import Refused

Replay = Callable[[RoundRecord], tuple[int, int] | None]
"""Plays a round again from its record: what it staked and what it returned (of no matter until it is
settled); None when it can't be played again here. The ledger itself knows no games."""

POSTINGS = """SELECT p.seq, p.account_id, a.owner, a.kind, a.currency, p.amount_minor, p.balance_minor
    FROM posting AS p LEFT JOIN account AS a ON a.id = p.account_id ORDER BY p.seq, p.account_id"""
FIND_ROUND = """SELECT id, player, table_id, currency, number, started_ms, ended_ms, status, staked_minor,
    returned_minor, opened_seq, ended_seq, place, stakes FROM round WHERE id = ?"""
NEVER_DEALT = """SELECT id FROM round WHERE NOT EXISTS (SELECT 1 FROM journal WHERE seq = opened_seq AND (
    kind = 'deal' AND round = id
    OR kind = 'stakes' AND shares ->> ('$[1][' || (place - opened_seq * ?) || '][0]') = id))"""


class BadRow(NamedTuple):
    """The first row that is wrong: of which table, which one, and why."""

    table: str
    row: str
    why: str


class KnownHash(NamedTuple):
    """A hash that an entry of the journal had, and who says so."""

    seq: int
    hash: str
    source: str


class AuditFailed(Exception):
    def __init__(self, table: str, row: str, why: str) -> None:
        super().__init__(table, row, why)
        self.bad = BadRow(table, row, why)


class StoredPosting(NamedTuple):
    """`account` is a text where the books have no such account."""

    seq: int
    account: Account | str
    amount_minor: int
    balance_minor: int

    def stray(self) -> NoReturn:
        name = self.account if isinstance(self.account, str) else _name(self.account)
        raise AuditFailed("posting", f"seq {self.seq} {name}", "no entry made it")


class Audit:
    """`head`, `rounds` and `replayed` tell how far it came."""

    def __init__(self, connection: Connection, replay: Replay, marks: Sequence[KnownHash] = ()) -> None:
        self.head = START
        self.rounds = self.replayed = 0
        self._connection = connection
        self._replay = replay
        self._posted: Iterator[StoredPosting] = iter(())
        self._next: StoredPosting | None = None
        self._balances: Counter[Account] = Counter()
        self._moved: set[Account] = set()
        self._open: dict[str, RoundSummary] = {}
        self._playing: set[tuple[str, str]] = set()
        self._entries: dict[str, list[Entry]] = defaultdict(list)
        self._rows = RowAudit()
        self._marks = deque(sorted(marks))

    def entries(self) -> int:
        """How many rows the journal has."""
        (count,) = self._connection.execute("SELECT count(*) FROM journal").fetchone()
        return int(count)

    def journal(self) -> Iterator[int]:
        """Go through the journal, its postings and the rounds that ended; gives each seq as it is done."""
        self._compare_marks()
        self._posted = (_posting(row) for row in self._connection.execute(POSTINGS))
        self._next = next(self._posted, None)
        for *columns, hash_ in self._connection.execute("SELECT * FROM journal ORDER BY seq"):
            entry = self._chained(JournalRow(*columns), hash_)
            self._postings(entry)
            if entry.kind in ROUND_KINDS:
                self._follow(entry)
            if entry.shares:
                self._shared(entry, entry.shares)
            if entry.key.startswith(PREFIX):
                self._rows_changed(entry)
            yield self.head.seq
        if self._next:
            self._next.stray()

    def close(self) -> None:
        """What can only be said at the journal's end."""
        self._ends_at_head()
        self._accounts()
        self._stakes_in_play()
        for line in self._open.values():
            self._index(line)
        for wrong in self._rows.wrong(self._connection):
            raise AuditFailed(*wrong)
        for (round_id,) in self._connection.execute(NEVER_DEALT, (SHARES_MAX,)):
            raise AuditFailed("round", round_id, "was never dealt")
        for (trouble,) in self._connection.execute("PRAGMA integrity_check(1)"):
            if trouble != "ok":
                raise AuditFailed("file", "", trouble)

    def _rows_changed(self, entry: Entry) -> None:
        try:
            self._rows.follow(entry)
        except msgspec.ValidationError as error:
            self._wrong_entry(str(error))

    def _chained(self, row: JournalRow, hash_: bytes) -> Entry:
        if row.seq != self.head.seq + 1:
            raise AuditFailed("journal", f"seq {self.head.seq + 1}", f"is missing: seq {row.seq} comes next")
        self.head = link(self.head, row)
        if self.head.hash != hash_:
            self._wrong_entry("its hash doesn't follow from the row and the one before")
        self._compare_marks()
        try:
            check(entry := entry_of(row))
        except (ValueError, msgspec.MsgspecError) as error:
            self._wrong_entry(str(error))
        return entry

    def _compare_marks(self) -> None:
        """The entry has the hash that is known of it from elsewhere."""
        while self._marks and self._marks[0].seq <= self.head.seq:
            mark = self._marks.popleft()
            if mark.hash != self.head.hash.hex():
                changed = f"it or an entry before it was changed since, for {mark.source} has another hash"
                self._wrong_entry(changed)

    def _postings(self, entry: Entry) -> None:
        """They are what the entry moves, with the balances after it; no player's is negative."""
        found = dict(self._found())
        moved = changes_by_account(entry)
        for account, amount in moved.items():
            self._balances[account] += amount
            balance = self._balances[account]
            if balance < 0 and account.kind in PLAYER_KINDS:
                self._wrong_entry(f"{_name(account)} is negative after it")
            if amount:
                self._moved.add(account)
            if amount and not (entry.shares and account.kind == "in_play"):
                posted = found.pop(account, None)
                if posted is None or (posted.amount_minor, posted.balance_minor) != (amount, balance):
                    row = f"seq {self.head.seq} {_name(account)}"
                    raise AuditFailed("posting", row, f"is {posted} and not {amount} to {balance}")
        for stray in found.values():
            stray.stray()

    def _found(self) -> Iterator[tuple[Account | str, StoredPosting]]:
        while self._next and self._next.seq <= self.head.seq:
            if self._next.seq < self.head.seq:
                self._next.stray()
            yield self._next.account, self._next
            self._next = next(self._posted, None)

    def _follow(self, entry: Entry) -> None:
        try:
            line = follow(self._open.get(entry.round), entry, self.head.seq)
        except Refused as refusal:
            self._wrong_entry(str(refusal))
        if entry.kind == "deal":
            self._opens(line)
        self._open[line.id] = line
        self._entries[line.id].append(entry)
        if line.status != "open":
            self._ends(line)
            self._index(line)

    def _opens(self, line: RoundSummary) -> None:
        """A player has one round open at a table: no index holds that, so it is looked for here."""
        if (line.player, line.table) in self._playing:
            self._wrong_entry(f"{line.player} has a round open at {line.table} already")
        self._playing.add((line.player, line.table))
        self.rounds += 1

    def _ends(self, line: RoundSummary) -> None:
        self._playing.remove((line.player, line.table))
        del self._open[line.id]

    def _shared(self, entry: Entry, shares: Shares) -> None:
        if entry.kind in COUP_KINDS:
            self._coup(entry, shares)
        else:
            self._stakes(entry, shares)

    def _stakes(self, entry: Entry, shares: Shares) -> None:
        for place, share in enumerate(shares.each):
            before = self._open.get(share.round)
            try:
                line = staked(before, entry, share, self.head.seq, place)
            except Refused as refusal:
                self._wrong_entry(str(refusal))
            if before is None:
                self._opens(line)
            self._open[line.id] = line

    def _coup(self, entry: Entry, shares: Shares) -> None:
        try:
            ended = shared(self._open, entry, shares, self.head.seq)
        except Refused as refusal:
            self._wrong_entry(str(refusal))
        for place, line in enumerate(ended):
            self._ends(line)
            self._index(line, entry, place)

    def _index(self, line: RoundSummary, coup: Entry | None = None, share: int = 0) -> None:
        """The round's line in the index is what the journal makes it, and so is the round played again."""
        found = self._connection.execute(FIND_ROUND, (line.id,)).fetchone()
        if found != astuple(line):
            raise AuditFailed("round", line.id, f"is {found} and not {astuple(line)}")
        self._played_again(record(line, self._entries.pop(line.id, []), coup, share))

    def _played_again(self, played: RoundRecord) -> None:
        try:
            again = self._replay(played)
        except Exception as error:
            raise AuditFailed("round", played.id, f"can't be played again: {error!r}") from error
        if again is None:
            return
        self.replayed += 1
        staked, returned = again
        if staked != played.staked_minor or (
            played.status == "settled" and returned != played.returned_minor
        ):
            booked = played.staked_minor, played.returned_minor
            raise AuditFailed("round", played.id, f"played again it makes {again} and not {booked}")

    def _ends_at_head(self) -> None:
        """The journal's last row is the one that was last written, so none is missing at its end."""
        for mark in self._marks:
            cut = f"is missing: {mark.source} has a journal that goes on to seq {mark.seq}"
            raise AuditFailed("journal", f"seq {self.head.seq + 1}", cut)
        found = self._connection.execute("SELECT value FROM meta WHERE key = 'head'").fetchone()
        if found != (str(self.head),) and (found or self.head != START):
            raise AuditFailed(
                "meta", "head", f"is {found} and not {str(self.head)!r}: the journal was cut short"
            )

    def _accounts(self) -> None:
        """Each holds what was moved there, and none is missing."""
        for owner, kind, currency, balance in self._connection.execute(
            "SELECT owner, kind, currency, balance_minor FROM account ORDER BY id"
        ):
            account = Account(owner, kind, currency)
            if balance != self._balances[account]:
                raise AuditFailed(
                    "account", _name(account), f"holds {balance} and not {self._balances[account]}"
                )
            if account not in self._balances:
                raise AuditFailed("account", _name(account), "no entry made it")
            self._moved.discard(account)
        for account in sorted(self._moved):
            raise AuditFailed("account", _name(account), f"is missing: it holds {self._balances[account]}")

    def _stakes_in_play(self) -> None:
        staked: Counter[Account] = Counter()
        for line in self._open.values():
            staked[line.ticket.account("in_play")] += line.staked_minor
        for account, balance in self._balances.items():
            if account.kind == "in_play" and balance != staked[account]:
                raise AuditFailed("account", _name(account), f"holds {balance}: {staked[account]} is staked")

    def _wrong_entry(self, why: str) -> NoReturn:
        raise AuditFailed("journal", f"seq {self.head.seq}", why)


def _name(account: Account) -> str:
    return " ".join(account)


def _posting(row: tuple[Any, ...]) -> StoredPosting:
    seq, id_, owner, kind, currency, amount, balance = row
    account = Account(owner, kind, currency) if owner else f"account {id_}"
    return StoredPosting(seq, account, amount, balance)
