"""Writing what was worked out: a few statements, however many rows."""

from collections.abc import Iterable, Sequence
from itertools import chain
from sqlite3 import Connection
from typing import Any

import msgspec
from msgspec.structs import astuple

from croupier.ledger.book import RoundLine
from croupier.ledger.chain import Row, chained
from croupier.ledger.portions import portions
from croupier.ledger.sheet import Sheet
from croupier.ledger.slate import Purse, Slate

ADD_ROWS = "INSERT INTO journal (seq, key, kind, at_ms, player, table_id, round, moves, shares, body, hash)"
ADD_ACCOUNTS = "INSERT INTO account (id, owner, kind, currency, balance_minor)"
ADD_ROUNDS = """INSERT INTO round (id, player, table_id, currency, number, started_ms, ended_ms, status,
    staked_minor, returned_minor, opened_seq, ended_seq, place, stakes)"""
ADD_POSTINGS = """INSERT INTO posting SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3
    FROM json_each(?)"""
SET_BALANCES = """UPDATE account SET balance_minor = value FROM json_each(?)
    WHERE account.id = CAST(key AS INTEGER)"""
SET_ROUNDS = """UPDATE round SET ended_ms = value ->> 1, status = value ->> 2, staked_minor = value ->> 3,
    returned_minor = value ->> 4, ended_seq = value ->> 5, stakes = value ->> 6 FROM json_each(?)
    WHERE round.opened_seq = value ->> 0 AND round.place = value ->> 7"""
END_ROUNDS = """UPDATE round SET ended_ms = ?, status = ?, ended_seq = ?, returned_minor = value ->> 2
    FROM json_each(?) WHERE round.opened_seq = value ->> 0 AND round.place = value ->> 1"""
SET_HEAD = "INSERT INTO meta VALUES ('head', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
"""Only whole numbers and the ledger's own words go through JSON: SQLite ends a text in it at a NUL."""

_encode = msgspec.json.Encoder().encode


def _json(value: object) -> str:
    return _encode(value).decode()


def write(connection: Connection, slate: Slate, rows: Sequence[Row], sheets: Sequence[Sheet]) -> None:
    """The rows of the journal, and from the slate what the sheets have changed."""
    if not rows:
        return
    slate.head, hashes = chained(slate.head, rows)
    _insert(connection, ADD_ROWS, [(*row, hash_) for row, hash_ in zip(rows, hashes, strict=True)])
    _write_balances(connection, slate, sheets)
    _write_rounds(connection, slate, sheets, first=rows[0].seq)
    _write_postings(connection, slate, sheets)
    connection.execute(SET_HEAD, (str(slate.head),))


def _insert(connection: Connection, statement: str, rows: Sequence[Sequence[Any]]) -> None:
    for some in portions(rows):
        marks = f"({','.join('?' * len(some[0]))})"
        values = f"{statement} VALUES {','.join([marks] * len(some))}"
        connection.execute(values, tuple(chain.from_iterable(some)))


def _write_balances(connection: Connection, slate: Slate, sheets: Iterable[Sheet]) -> None:
    """Accounts that are new are opened as they stand."""
    changed: dict[Purse, dict[str, int]] = {}
    for sheet in sheets:
        for purse, before in sheet.accounts.items():
            changed.setdefault(purse, {}).update(before)
    balances: dict[int, int] = {}
    for purse, owners in changed.items():
        ids, now = slate.ids[purse], slate.balances[purse]
        _open_accounts(connection, slate, purse, [owner for owner in owners if owner not in ids])
        balances |= {ids[owner]: now[owner] for owner in owners}
    connection.execute(SET_BALANCES, (_json(balances),))


def _open_accounts(connection: Connection, slate: Slate, purse: Purse, owners: Sequence[str]) -> None:
    ids = {owner: slate.last_account + place for place, owner in enumerate(owners, 1)}
    _insert(connection, ADD_ACCOUNTS, [(id_, owner, *purse, 0) for owner, id_ in ids.items()])
    slate.ids[purse] |= ids
    slate.last_account += len(ids)


def _write_rounds(connection: Connection, slate: Slate, sheets: Iterable[Sheet], first: int) -> None:
    """Rounds from before `first` go first: one that ends makes room at its table for a new one."""
    now = {round_id: slate.rounds[round_id] for sheet in sheets for round_id in sheet.rounds}
    for sheet in sheets:
        for lines in sheet.coups:
            _end_rounds(connection, slate, [line for line in lines if line.id not in now])
    old = [line for line in now.values() if line.opened_seq < first]
    if old:
        connection.execute(SET_ROUNDS, (_json([_end(line) for line in old]),))
    _insert(connection, ADD_ROUNDS, [astuple(line) for line in now.values() if line.opened_seq >= first])


def _end(line: RoundLine) -> tuple[int | str, ...]:
    of, money = (line.opened_seq, line.ended_ms, line.status), (line.staked_minor, line.returned_minor)
    return *of, *money, line.ended_seq, line.stakes, line.place


def _end_rounds(connection: Connection, slate: Slate, before: Sequence[RoundLine]) -> None:
    """Those of a coup end all alike, but for what returns."""
    if before:
        lines = [slate.rounds[line.id] for line in before]
        returned = [(line.opened_seq, line.place, line.returned_minor) for line in lines]
        alike = lines[0].ended_ms, lines[0].status, lines[0].ended_seq
        connection.execute(END_ROUNDS, (*alike, _json(returned)))


def _write_postings(connection: Connection, slate: Slate, sheets: Iterable[Sheet]) -> None:
    ids = slate.ids
    postings = [
        (seq, ids[purse][owner], amount, balance)
        for sheet in sheets
        for seq, purse, owner, amount, balance in sheet.postings
    ]
    if postings:
        connection.execute(ADD_POSTINGS, (_json(postings),))
