"""The books as their one writer knows them, so that it needn't read what it has written."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from sqlite3 import Connection

from croupier.ledger.chain import START, Head
from croupier.ledger.entries import COUP_KINDS, Entry
from croupier.ledger.protocol import RoundSummary
from croupier.ledger.sqlite.batching import chunks

FIND_HEAD = "SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1"
FIND_ACCOUNTS = (
    "SELECT owner, id, balance_minor FROM account WHERE kind = ? AND currency = ? AND owner IN ({})"
)
LAST_ACCOUNT = "SELECT coalesce(max(id), 0) FROM account"
LINE = """SELECT id, player, table_id, currency, number, started_ms, ended_ms, status, staked_minor,
    returned_minor, opened_seq, ended_seq, place, stakes FROM round"""
FIND_ROUNDS = LINE + " WHERE id IN ({})"
FIND_OPEN = LINE + " WHERE status = 'open'"

ACCOUNTS_MAX = 500_000
"""With more than these it forgets them all and reads again what it needs."""

AccountGroup = tuple[str, str]
"""All accounts of one kind in one currency: the player's cash, say."""
PlayerAtTable = tuple[str, str]
"""A player at a table."""


class LedgerCache:
    """`balances` and `ids` by purse and owner; `rounds` by id: those that are open, and those just ended."""

    def __init__(self) -> None:
        self.stale = True
        """Whether it isn't known to be what the books say."""
        self.head = START
        self.last_account = 0
        self.balances: dict[AccountGroup, dict[str, int]] = defaultdict(dict)
        self.ids: dict[AccountGroup, dict[str, int]] = defaultdict(dict)
        self.rounds: dict[str, RoundSummary] = {}
        self.open: dict[PlayerAtTable, str] = {}
        self._ended: list[str] = []

    def open_round_at(self, player: str, table: str) -> str | None:
        """The round that the player has open there: one at most, and no index of the books holds that."""
        return self.open.get((player, table))

    def put(self, lines: Iterable[RoundSummary]) -> None:
        """The rounds as they are now."""
        for line in lines:
            self.rounds[line.id] = line
            place = line.player, line.table
            if line.status == "open":
                self.open[place] = line.id
            else:
                self._ended.append(line.id)
                if self.open.get(place) == line.id:
                    del self.open[place]

    def end(self, lines: Iterable[RoundSummary]) -> None:
        """Rounds that were open, as they end."""
        rounds, open_, ended = self.rounds, self.open, self._ended
        for line in lines:
            rounds[line.id] = line
            del open_[line.player, line.table]
            ended.append(line.id)

    def remove(self, line: RoundSummary) -> None:
        """A round that isn't dealt after all."""
        del self.rounds[line.id]
        if self.open.get((line.player, line.table)) == line.id:
            del self.open[line.player, line.table]

    # --- what it reads

    def load(self, connection: Connection, entries: Sequence[Entry]) -> None:
        """Read what `entries` touch and it doesn't know; forget what it needn't know any longer."""
        if self.stale or sum(map(len, self.ids.values())) > ACCOUNTS_MAX:
            self._begin(connection)
        for round_id in self._ended:
            if (line := self.rounds.get(round_id)) and line.status != "open":
                del self.rounds[round_id]
        self._ended.clear()
        self._load_accounts(connection, _touched(entries))
        self._load_rounds(connection, [round_ for entry in entries for round_ in _rounds(entry)])

    def _begin(self, connection: Connection) -> None:
        """The rounds that are open, and the accounts they are staked from; others when they are needed."""
        for known in (self.balances, self.ids, self.rounds, self.open):
            known.clear()
        self.head = Head(*(connection.execute(FIND_HEAD).fetchone() or START))
        (self.last_account,) = connection.execute(LAST_ACCOUNT).fetchone()
        self.put(RoundSummary(*row) for row in connection.execute(FIND_OPEN))
        self._load_accounts(connection, _staked(self.rounds.values()))
        self.stale = False

    def _load_accounts(self, connection: Connection, touched: Mapping[AccountGroup, set[str]]) -> None:
        for group, owners in touched.items():
            ids = self.ids[group]  # of many thousands: each owner is looked up, the whole never walked
            for some in chunks(sorted([owner for owner in owners if owner not in ids])):
                asked = FIND_ACCOUNTS.format(",".join("?" * len(some)))
                for owner, id_, balance in connection.execute(asked, (*group, *some)):
                    ids[owner], self.balances[group][owner] = id_, balance

    def _load_rounds(self, connection: Connection, named: Iterable[str]) -> None:
        unknown = dict.fromkeys(round_ for round_ in named if round_ not in self.rounds)
        for some in chunks(list(unknown)):
            found = connection.execute(FIND_ROUNDS.format(",".join("?" * len(some))), some)
            self.put(RoundSummary(*row) for row in found)


def _touched(entries: Iterable[Entry]) -> dict[AccountGroup, set[str]]:
    touched: dict[AccountGroup, set[str]] = defaultdict(set)
    for entry in entries:
        for move in entry.moves:
            for owner, kind, currency in (move.debit, move.credit):
                touched[kind, currency].add(owner)
        if entry.shares and entry.kind in COUP_KINDS:  # whoever has a round open has accounts that are known
            touched["table", entry.shares.currency].add(entry.table)
        elif entry.shares:
            for kind in ("cash", "in_play"):
                touched[kind, entry.shares.currency].update([share.player for share in entry.shares.each])
    return touched


def _staked(lines: Iterable[RoundSummary]) -> dict[AccountGroup, set[str]]:
    touched: dict[AccountGroup, set[str]] = defaultdict(set)
    for line in lines:
        for kind in ("cash", "in_play"):
            touched[kind, line.currency].add(line.player)
    return touched


def _rounds(entry: Entry) -> Iterable[str]:
    if entry.shares:
        return [share.round for share in entry.shares.each]
    return (entry.round,) if entry.round else ()
