"""Writing what was worked out: a few statements, however many rows."""

from collections.abc import Iterable, Sequence
from itertools import chain
from sqlite3 import Connection
from typing import Any

from msgspec.structs import astuple

from croupier.ledger.cache import AccountGroup, LedgerCache
from croupier.ledger.chain import JournalRow, chained
from croupier.ledger.posting import UnitOfWork
from croupier.ledger.protocol import RoundSummary
from croupier.ledger.sqlite.batching import chunks

ADD_ROWS = """INSERT INTO journal (seq, key, kind, at_ms, player, table_id, round, moves, shares, body,
    hash) {}"""
ADD_ACCOUNTS = "INSERT INTO account (id, owner, kind, currency, balance_minor) {}"
ADD_ROUNDS = """INSERT INTO round (id, player, table_id, currency, number, started_ms, ended_ms, status,
    staked_minor, returned_minor, opened_seq, ended_seq, place, stakes) {}"""
ADD_POSTINGS = "INSERT INTO posting (seq, account_id, amount_minor, balance_minor) {}"
SET_BALANCES = """WITH now (id, balance_minor) AS ({}) UPDATE account SET balance_minor = now.balance_minor
    FROM now WHERE account.id = now.id"""
SET_STAKES = """WITH now (place, staked_minor, stakes) AS ({})
    UPDATE round SET staked_minor = now.staked_minor, stakes = now.stakes
    FROM now WHERE round.place = now.place"""
SET_ROUNDS = """WITH now (place, ended_ms, status, staked_minor, returned_minor, ended_seq, stakes) AS ({})
    UPDATE round SET ended_ms = now.ended_ms, status = now.status, staked_minor = now.staked_minor,
    returned_minor = now.returned_minor, ended_seq = now.ended_seq, stakes = now.stakes
    FROM now WHERE round.place = now.place"""
END_ROUNDS = """WITH now (place, returned_minor) AS ({})
    UPDATE round SET returned_minor = now.returned_minor, ended_ms = ?, status = ?, ended_seq = ?
    FROM now WHERE round.place = now.place"""
SET_HEAD = "INSERT INTO meta VALUES ('head', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"


def write(
    connection: Connection, cache: LedgerCache, rows: Sequence[JournalRow], units: Sequence[UnitOfWork]
) -> None:
    """The rows of the journal, and from the slate what the sheets have changed."""
    if not rows:
        return
    cache.head, hashes = chained(cache.head, rows)
    _many(connection, ADD_ROWS, [(*row, hash_) for row, hash_ in zip(rows, hashes, strict=True)])
    _write_balances(connection, cache, units)
    _write_rounds(connection, cache, units, first=rows[0].seq)
    _write_postings(connection, cache, units)
    connection.execute(SET_HEAD, (str(cache.head),))


def _many(connection: Connection, statement: str, rows: Sequence[Sequence[Any]], *alike: Any) -> None:
    """The statement for all of the rows, bound in the place of its {}; then comes what is `alike` in all.

    Many rows take half the time in the order of their keys: the next one is on the same page, or the next.
    """
    for some in chunks(rows):
        marks = f"({','.join('?' * len(some[0]))})"
        values = f"VALUES {','.join([marks] * len(some))}"
        connection.execute(statement.format(values), (*chain.from_iterable(some), *alike))


def _write_balances(connection: Connection, cache: LedgerCache, units: Iterable[UnitOfWork]) -> None:
    """Accounts that are new are opened as they stand."""
    changed: dict[AccountGroup, dict[str, int]] = {}
    for unit in units:
        for group, before in unit.accounts.items():
            changed.setdefault(group, {}).update(before)
    balances: list[tuple[int, int]] = []
    for group, owners in changed.items():
        ids, now = cache.ids[group], cache.balances[group]
        _open_accounts(connection, cache, group, [owner for owner in owners if owner not in ids])
        balances += [(ids[owner], now[owner]) for owner in owners]
    _many(connection, SET_BALANCES, sorted(balances))


def _open_accounts(
    connection: Connection, cache: LedgerCache, group: AccountGroup, owners: Sequence[str]
) -> None:
    ids = {owner: cache.last_account + place for place, owner in enumerate(owners, 1)}
    _many(connection, ADD_ACCOUNTS, [(id_, owner, *group, 0) for owner, id_ in ids.items()])
    cache.ids[group] |= ids
    cache.last_account += len(ids)


def _write_rounds(
    connection: Connection, cache: LedgerCache, units: Iterable[UnitOfWork], first: int
) -> None:
    """Those from before `first` are changed; the ones that go on by themselves, because to write `status`
    writes the index of open rounds.
    """
    now = {round_id: cache.rounds[round_id] for unit in units for round_id in unit.rounds}
    for unit in units:
        for coup in unit.coups:
            _end_rounds(connection, [cache.rounds[line.id] for line in coup if line.id not in now])
    old = [line for line in now.values() if line.opened_seq < first]
    _many(connection, SET_ROUNDS, [_set(line) for line in old if line.ended_seq])
    _many(connection, SET_STAKES, sorted([_set_stakes(line) for line in old if not line.ended_seq]))
    _many(connection, ADD_ROUNDS, [astuple(line) for line in now.values() if line.opened_seq >= first])


def _end_rounds(connection: Connection, lines: Sequence[RoundSummary]) -> None:
    """Those of a coup end all alike, but for what returns: less is to be written."""
    if lines:
        alike = lines[0].ended_ms, lines[0].status, lines[0].ended_seq
        ended = sorted([(line.place, line.returned_minor) for line in lines])
        _many(connection, END_ROUNDS, ended, *alike)


def _set(line: RoundSummary) -> tuple[int | str, ...]:
    money = line.staked_minor, line.returned_minor
    return line.place, line.ended_ms, line.status, *money, line.ended_seq, line.stakes


def _set_stakes(line: RoundSummary) -> tuple[int | str, ...]:
    return line.place, line.staked_minor, line.stakes


def _write_postings(connection: Connection, cache: LedgerCache, units: Iterable[UnitOfWork]) -> None:
    ids = cache.ids
    postings = [
        (seq, ids[group][owner], amount, balance)
        for unit in units
        for seq, group, owner, amount, balance in unit.postings
    ]
    _many(connection, ADD_POSTINGS, sorted(postings))
