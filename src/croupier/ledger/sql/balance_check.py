"""Compare the balances with the journal when a database is opened: from a checkpoint on, or all of it.

This part of the audit is quick enough for every start. It reads the journal from a checkpoint, whose balances
an earlier start compared.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing

import msgspec
from msgspec import Struct

from croupier.ledger.chain import NO_SHARES, START, Head, JournalRow, entry_of, link
from croupier.ledger.entries import Account
from croupier.ledger.protocol import DatabaseUnusable
from croupier.ledger.reference_posting import net_amounts
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.databases import Database, database_errors
from croupier.ledger.sql.dialect import dialect_of
from croupier.ledger.sql.opening import open_reader
from croupier.ledger.sql.wide_amounts import join

NEW = "SELECT * FROM journal WHERE seq > ? ORDER BY seq"
HASH = "SELECT hash FROM journal WHERE seq = ?"
HEAD = "SELECT value FROM meta WHERE key = 'head'"
BALANCES = "SELECT owner, kind, currency, balance_minor, balance_high FROM account"
IN_PLAY = """SELECT player, 'in_play', currency, sum(staked_minor), 0 FROM round WHERE status = 'open'
    GROUP BY player, currency"""
NO_MOVES = "[]"
UNREADABLE: tuple[type[Exception], ...] = ValueError, TypeError, LookupError, msgspec.MsgspecError
"""Errors of rows that were damaged."""


class Checkpoint(Struct, frozen=True):
    """The balances by the journal up to entry `seq`, whose hash is `head`."""

    seq: int
    head: str
    balances: tuple[tuple[str, str, str, int], ...]


class Stopped(Exception):
    """The comparison was stopped before its end."""


NOTHING = Checkpoint(START.seq, START.hash.hex(), ())


def compare_balances(
    database: Database, since: Checkpoint = NOTHING, stopped: Callable[[], bool] = lambda: False
) -> Checkpoint:
    """Compute the balances from the journal, compare them, and return the checkpoint of the present.

    DatabaseUnusable when they disagree or can't be read; Stopped once `stopped` returns true.
    """
    try:
        with closing(open_reader(database)) as connection:
            connection.execute("BEGIN")
            return _compared(connection, since, stopped)
    except UNREADABLE + database_errors() as error:
        raise DatabaseUnusable(f"{database} can't be read ({error})") from error


def _compared(connection: Connection, since: Checkpoint, stopped: Callable[[], bool]) -> Checkpoint:
    start = since if _is_in(connection, since) else NOTHING
    head = Head(start.seq, bytes.fromhex(start.head))
    balances = Counter({Account(*each[:3]): each[3] for each in start.balances})
    for *columns, hash_ in dialect_of(connection).stream(connection, NEW, (start.seq,)):
        row = JournalRow(*columns)
        head = _linked(head, row, hash_)
        if row.moves != NO_MOVES or row.shares != NO_SHARES:
            balances.update(net_amounts(entry_of(row)))
        if stopped():
            raise Stopped
    _check_head(connection, head)
    _compare(balances, _accounts(connection, BALANCES), "holds {} and not {}, as the journal has it")
    in_play = Counter({account: minor for account, minor in balances.items() if account.kind == "in_play"})
    _compare(_accounts(connection, IN_PLAY), in_play, "holds {}, and {} is staked in open rounds")
    held = tuple((*account, minor) for account, minor in balances.items())
    return Checkpoint(head.seq, head.hash.hex(), held)


def _is_in(connection: Connection, checkpoint: Checkpoint) -> bool:
    """Return whether the journal has the entry that the checkpoint was made at."""
    found: tuple[object] | None = connection.execute(HASH, (checkpoint.seq,)).fetchone()
    return found == (bytes.fromhex(checkpoint.head),)


def _linked(head: Head, row: JournalRow, hash_: bytes) -> Head:
    after = link(head, row)
    if (row.seq, hash_) != (head.seq + 1, after.hash):
        raise DatabaseUnusable(f"the journal is broken after entry {head.seq}")
    return after


def _check_head(connection: Connection, head: Head) -> None:
    found = connection.execute(HEAD).fetchone()
    if found != (str(head),) and (found or head != START):
        raise DatabaseUnusable(f"the journal ends with entry {head.seq}, and another was written last")


def _accounts(connection: Connection, query: str) -> Counter[Account]:
    return Counter({Account(*row[:3]): join(*row[3:]) for row in connection.execute(query)})


def _compare(expected: Counter[Account], found: Counter[Account], why: str) -> None:
    for account in _different(expected, found):
        reason = why.format(found[account], expected[account])
        raise DatabaseUnusable(f"the account {' '.join(account)} {reason}")


def _different(one: Counter[Account], other: Counter[Account]) -> Iterator[Account]:
    return (account for account in {**one, **other} if one[account] != other[account])
