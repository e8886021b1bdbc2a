"""Recompute the database from its journal, row by row, and compare."""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, NoReturn

import msgspec
from msgspec.structs import astuple

from croupier.ledger.audit import BadRow, KnownHash, Replay
from croupier.ledger.chain import START, JournalRow, entry_of, link
from croupier.ledger.entries import (
    COUP_KINDS,
    DEBT,
    PLAYER_KINDS,
    ROUND_KINDS,
    ROWS,
    SHARES_MAX,
    WALLET_KINDS,
    Account,
    Entry,
    Shares,
)
from croupier.ledger.entry_checks import check
from croupier.ledger.protocol import RoundRecord, RoundSummary
from croupier.ledger.reference_posting import net_amounts
from croupier.ledger.round_records import end_all, follow, follow_stake, record
from croupier.ledger.sql.audited_rows import RowAudit
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.dialect import dialect_of, has_column
from croupier.ledger.sql.wallet_audit import WalletAudit
from croupier.ledger.sql.wide_amounts import join
from croupier.refusal import Refused

JOURNAL = "SELECT * FROM journal ORDER BY seq"
POSTINGS = """SELECT p.seq, p.account_id, a.owner, a.kind, a.currency, p.amount_minor, p.balance_minor, {}
    FROM posting AS p LEFT JOIN account AS a ON a.id = p.account_id ORDER BY p.seq, p.account_id"""
ACCOUNTS = "SELECT owner, kind, currency, balance_minor, {} FROM account ORDER BY id"
FIND_ROUND = """SELECT id, player, table_id, currency, number, started_ms, ended_ms, status, staked_minor,
    returned_minor, opened_seq, ended_seq, place, stakes FROM round WHERE id = ?"""
COUNT_ROUNDS = "SELECT count(*) FROM round"
OPENED = """SELECT r.id, r.place - r.opened_seq * ?, j.kind, j.round, j.shares
    FROM round AS r LEFT JOIN journal AS j ON j.seq = r.opened_seq ORDER BY r.place"""


class AuditFailed(Exception):
    def __init__(self, table: str, row: str, why: str) -> None:
        super().__init__(table, row, why)
        self.bad = BadRow(table, row, why)


class StoredPosting(NamedTuple):
    """A row of `posting`; `account` is a text where the database has no such account."""

    seq: int
    account: Account | str
    amount_minor: int
    balance_minor: int

    def fail_as_stray(self) -> NoReturn:
        name = self.account if isinstance(self.account, str) else _name(self.account)
        raise AuditFailed("posting", f"seq {self.seq} {name}", "no entry made it")


class Audit:
    """One pass over the database; `head`, `rounds` and `replayed` show how far it came."""

    def __init__(self, connection: Connection, replay: Replay, known: Sequence[KnownHash] = ()) -> None:
        self.head = START
        self.rounds = self.replayed = 0
        self._connection = connection
        self._replay = replay
        self._stored_postings: Iterator[StoredPosting] = iter(())
        self._next_posting: StoredPosting | None = None
        self._balances: Counter[Account] = Counter()
        self._moved: set[Account] = set()
        self._open: dict[str, RoundSummary] = {}
        self._playing: set[tuple[str, str]] = set()
        self._entries: dict[str, list[Entry]] = defaultdict(list)
        self._rows = RowAudit()
        self._wallet = WalletAudit()
        self._known = deque(sorted(known))

    def entries(self) -> int:
        """Return the number of journal rows."""
        (count,) = self._connection.execute("SELECT count(*) FROM journal").fetchone()
        return int(count)

    def check_journal(self) -> Iterator[int]:
        """Check the journal, its postings and the rounds that ended; yield the seq of each checked entry."""
        self._compare_known_hashes()
        query = POSTINGS.format(self._high("p.amount_high, p.balance_high"))
        self._stored_postings = map(_stored_posting, self._stream(query))
        self._next_posting = next(self._stored_postings, None)
        for *columns, hash_ in self._stream(JOURNAL):
            entry = self._check_row(JournalRow(*columns), hash_)
            self._check_postings(entry)
            if entry.kind in ROUND_KINDS:
                self._follow_round(entry)
            if entry.shares:
                self._follow_shares(entry, entry.shares)
            if entry.kind in WALLET_KINDS:
                self._follow_wallet_call(entry)
            if entry.key.startswith(ROWS):
                self._follow_audited_rows(entry)
            yield self.head.seq
        if self._next_posting:
            self._next_posting.fail_as_stray()

    def _stream(self, query: str) -> Iterable[Any]:
        return dialect_of(self._connection).stream(self._connection, query)

    def _high(self, columns: str) -> str:
        """Return these columns, or zeros if the database is of an older version."""
        if has_column(self._connection, "account", "balance_high"):
            return columns
        return ", ".join("0" for _ in columns.split(","))

    def check_end(self) -> None:
        """Check what is known only at the journal's end."""
        self._check_head()
        self._check_accounts()
        self._check_in_play()
        for round_ in self._open.values():
            self._check_round(round_)
        faults = *self._wallet.faults(self._connection, self._balances), *self._rows.faults(self._connection)
        for fault in faults:
            raise AuditFailed(*fault)
        (rounds,) = self._connection.execute(COUNT_ROUNDS).fetchone()
        if rounds != self.rounds:
            self._fail_at_stray_round()
        if problem := dialect_of(self._connection).file_problem(self._connection):
            raise AuditFailed("file", "", problem)

    def _fail_at_stray_round(self) -> NoReturn:
        """Find the round that no entry opened, since every other one has been compared."""
        for round_id, place, kind, dealt, shares in self._connection.execute(OPENED, (SHARES_MAX,)):
            if not _is_dealt(round_id, place, kind, dealt, shares):
                raise AuditFailed("round", round_id, "was never dealt")
        raise AuditFailed("round", "", "has another number of rows than the journal has rounds")

    def _follow_audited_rows(self, entry: Entry) -> None:
        try:
            self._rows.follow(entry)
        except msgspec.ValidationError as error:
            self._fail_entry(str(error))

    def _follow_wallet_call(self, entry: Entry) -> None:
        try:
            self._wallet.follow(entry, self.head.seq)
        except (ValueError, msgspec.ValidationError) as error:
            self._fail_entry(str(error))

    def _check_row(self, row: JournalRow, hash_: bytes) -> Entry:
        if row.seq != self.head.seq + 1:
            raise AuditFailed("journal", f"seq {self.head.seq + 1}", f"is missing: seq {row.seq} comes next")
        self.head = link(self.head, row)
        if self.head.hash != hash_:
            self._fail_entry("its hash doesn't follow from the row and the one before")
        self._compare_known_hashes()
        try:
            check(entry := entry_of(row))
        except (ValueError, msgspec.MsgspecError) as error:
            self._fail_entry(str(error))
        return entry

    def _compare_known_hashes(self) -> None:
        while self._known and self._known[0].seq <= self.head.seq:
            known = self._known.popleft()
            if known.hash != self.head.hash.hex():
                changed = f"it or an entry before it was changed since, for {known.source} has another hash"
                self._fail_entry(changed)

    def _check_postings(self, entry: Entry) -> None:
        """Compare the entry's postings with its moves.

        No player's balance may be negative, and no debt positive.
        """
        found = dict(self._postings_of_entry())
        for account, amount in net_amounts(entry).items():
            self._balances[account] += amount
            balance = self._balances[account]
            if balance < 0 and account.kind in PLAYER_KINDS:
                self._fail_entry(f"{_name(account)} is negative after it")
            if balance > 0 and account.kind == DEBT:
                self._fail_entry(f"{_name(account)} is positive after it")
            if amount:
                self._moved.add(account)
            if amount and not (entry.shares and account.kind == "in_play"):
                posted = found.pop(account, None)
                if posted is None or (posted.amount_minor, posted.balance_minor) != (amount, balance):
                    row = f"seq {self.head.seq} {_name(account)}"
                    raise AuditFailed("posting", row, f"is {posted} and not {amount} to {balance}")
        for stray in found.values():
            stray.fail_as_stray()

    def _postings_of_entry(self) -> Iterator[tuple[Account | str, StoredPosting]]:
        while self._next_posting and self._next_posting.seq <= self.head.seq:
            if self._next_posting.seq < self.head.seq:
                self._next_posting.fail_as_stray()
            yield self._next_posting.account, self._next_posting
            self._next_posting = next(self._stored_postings, None)

    def _follow_round(self, entry: Entry) -> None:
        try:
            round_ = follow(self._open.get(entry.round), entry, self.head.seq)
        except Refused as refusal:
            self._fail_entry(str(refusal))
        if entry.kind == "deal":
            self._open_round(round_)
        self._open[round_.id] = round_
        self._entries[round_.id].append(entry)
        if round_.status != "open":
            self._end_round(round_)
            self._check_round(round_)

    def _open_round(self, round_: RoundSummary) -> None:
        """Check that the player has no other round open at the table; no index enforces that."""
        if (round_.player, round_.table) in self._playing:
            self._fail_entry(f"{round_.player} has a round open at {round_.table} already")
        self._playing.add((round_.player, round_.table))
        self.rounds += 1

    def _end_round(self, round_: RoundSummary) -> None:
        self._playing.remove((round_.player, round_.table))
        del self._open[round_.id]

    def _follow_shares(self, entry: Entry, shares: Shares) -> None:
        if entry.kind in COUP_KINDS:
            self._follow_coup(entry, shares)
        else:
            self._follow_stakes(entry, shares)

    def _follow_stakes(self, entry: Entry, shares: Shares) -> None:
        for place, share in enumerate(shares.each):
            before = self._open.get(share.round)
            try:
                round_ = follow_stake(before, entry, share, self.head.seq, place)
            except Refused as refusal:
                self._fail_entry(str(refusal))
            if before is None:
                self._open_round(round_)
            self._open[round_.id] = round_

    def _follow_coup(self, entry: Entry, shares: Shares) -> None:
        try:
            ended = end_all(self._open, entry, shares, self.head.seq)
        except Refused as refusal:
            self._fail_entry(str(refusal))
        for place, round_ in enumerate(ended):
            self._end_round(round_)
            self._check_round(round_, entry, place)

    def _check_round(self, round_: RoundSummary, coup: Entry | None = None, share: int = 0) -> None:
        """Compare the round with its row, and with its replay."""
        found = self._connection.execute(FIND_ROUND, (round_.id,)).fetchone()
        if found != astuple(round_):
            raise AuditFailed("round", round_.id, f"is {found} and not {astuple(round_)}")
        self._check_replay(record(round_, self._entries.pop(round_.id, []), coup, share))

    def _check_replay(self, recorded: RoundRecord) -> None:
        try:
            replayed = self._replay(recorded)
        except Exception as error:
            raise AuditFailed("round", recorded.id, f"can't be played again: {error!r}") from error
        if replayed is None:
            return
        self.replayed += 1
        staked, returned = replayed
        if staked != recorded.staked_minor or (
            recorded.status == "settled" and returned != recorded.returned_minor
        ):
            booked = recorded.staked_minor, recorded.returned_minor
            raise AuditFailed("round", recorded.id, f"played again it makes {replayed} and not {booked}")

    def _check_head(self) -> None:
        """Check that the journal ends with the row written last."""
        for known in self._known:
            cut = f"is missing: {known.source} has a journal that goes on to seq {known.seq}"
            raise AuditFailed("journal", f"seq {self.head.seq + 1}", cut)
        found = self._connection.execute("SELECT value FROM meta WHERE key = 'head'").fetchone()
        if found != (str(self.head),) and (found or self.head != START):
            cut = f"is {found} and not {str(self.head)!r}: the journal was cut short"
            raise AuditFailed("meta", "head", cut)

    def _check_accounts(self) -> None:
        """Compare every account's balance; none may be missing."""
        for owner, kind, currency, minor, high in self._connection.execute(
            ACCOUNTS.format(self._high("balance_high"))
        ):
            account, balance = Account(owner, kind, currency), join(minor, high)
            if balance != self._balances[account]:
                held = f"holds {balance} and not {self._balances[account]}"
                raise AuditFailed("account", _name(account), held)
            if account not in self._balances:
                raise AuditFailed("account", _name(account), "no entry made it")
            self._moved.discard(account)
        for account in sorted(self._moved):
            raise AuditFailed("account", _name(account), f"is missing: it holds {self._balances[account]}")

    def _check_in_play(self) -> None:
        """Compare the `in_play` accounts with the stakes of open rounds."""
        staked: Counter[Account] = Counter()
        for round_ in self._open.values():
            staked[round_.ticket.account("in_play")] += round_.staked_minor
        for account, balance in self._balances.items():
            if account.kind == "in_play" and balance != staked[account]:
                raise AuditFailed("account", _name(account), f"holds {balance}: {staked[account]} is staked")

    def _fail_entry(self, why: str) -> NoReturn:
        raise AuditFailed("journal", f"seq {self.head.seq}", why)


def _is_dealt(round_id: str, place: int, kind: str | None, dealt: str, shares: str) -> bool:
    """Return whether the entry at which a round's row says it was opened did open it."""
    if kind != "stakes":
        return kind == "deal" and dealt == round_id
    _, each = msgspec.json.decode(shares)
    return 0 <= place < len(each) and each[place][0] == round_id


def _name(account: Account) -> str:
    return " ".join(account)


def _stored_posting(row: tuple[Any, ...]) -> StoredPosting:
    seq, id_, owner, kind, currency, amount, balance, amount_high, balance_high = row
    account = Account(owner, kind, currency) if owner else f"account {id_}"
    return StoredPosting(seq, account, join(amount, amount_high), join(balance, balance_high))
