"""Write applied units of work: a few statements, however many rows."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from msgspec.structs import astuple

from croupier.ledger.cache import AccountGroup, LedgerCache
from croupier.ledger.chain import JournalRow, link_all
from croupier.ledger.posting import UnitOfWork
from croupier.ledger.protocol import RoundSummary
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.dialect import dialect_of
from croupier.ledger.sql.wide_amounts import is_wide, split
from croupier.ledger.wallet_entries import CLOSES, OPENS, STATE_AFTER, transaction_of

ADD_ROWS = """INSERT INTO journal (seq, key, kind, at_ms, player, table_id, round, moves, shares, body,
    hash) {}"""
ADD_ACCOUNTS = "INSERT INTO account (id, owner, kind, currency, balance_minor) {}"
ADD_ROUNDS = """INSERT INTO round (id, player, table_id, currency, number, started_ms, ended_ms, status,
    staked_minor, returned_minor, opened_seq, ended_seq, place, stakes) {}"""
ADD_POSTINGS = "INSERT INTO posting (seq, account_id, amount_minor, balance_minor) {}"
ADD_WIDE_POSTINGS = """INSERT INTO posting (seq, account_id, amount_minor, amount_high, balance_minor,
    balance_high) {}"""
SET_WIDE_BALANCES = """WITH now (id, balance_minor, balance_high) AS ({})
    UPDATE account SET balance_minor = now.balance_minor, balance_high = now.balance_high
    FROM now WHERE account.id = now.id"""
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
OPEN_CALL = "INSERT INTO wallet_call (transaction_id, opened_seq, state) VALUES (?, ?, ?)"
SET_CALL = "UPDATE wallet_call SET state = ? WHERE transaction_id = ?"
CLOSE_CALL = "DELETE FROM wallet_call WHERE transaction_id = ?"
SET_HEAD = "INSERT INTO meta VALUES ('head', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"


def write(
    connection: Connection, cache: LedgerCache, rows: Sequence[JournalRow], units: Sequence[UnitOfWork]
) -> None:
    """Write the journal's rows, and the cached state of everything the units have changed."""
    if not rows:
        return
    cache.head, hashes = link_all(cache.head, rows)
    _execute(connection, ADD_ROWS, [(*row, hash_) for row, hash_ in zip(rows, hashes, strict=True)])
    _write_balances(connection, cache, units)
    _write_rounds(connection, cache, units, first=rows[0].seq)
    _write_postings(connection, cache, units)
    _write_wallet_calls(connection, rows)
    connection.execute(SET_HEAD, (str(cache.head),))


def _execute(connection: Connection, statement: str, rows: Sequence[Sequence[Any]], *common: Any) -> None:
    """Execute a statement for all rows; they replace its {}, and the `common` values follow.

    Rows in key order take half the time: the next one is on the same database page or the one after.
    """
    for source in dialect_of(connection).row_sources(rows):
        connection.execute(statement.format(source.sql), (*source.parameters, *common))


def _write_balances(connection: Connection, cache: LedgerCache, units: Iterable[UnitOfWork]) -> None:
    """Open new accounts and write all changed balances."""
    changed: dict[AccountGroup, dict[str, int]] = {}
    for unit in units:
        for group, before in unit.accounts.items():
            changed.setdefault(group, {}).update(before)
    balances: list[tuple[int, int]] = []
    for group, owners in changed.items():
        ids, now = cache.ids[group], cache.balances[group]
        _open_accounts(connection, cache, group, [owner for owner in owners if owner not in ids])
        balances += [(ids[owner], now[owner]) for owner in owners]
    wide = [(id_, *split(minor)) for id_, minor in balances if is_wide(minor) or id_ in cache.wide]
    cache.wide.update([id_ for id_, *_ in wide])
    narrow = [each for each in balances if each[0] not in cache.wide] if cache.wide else balances
    _execute(connection, SET_BALANCES, sorted(narrow))
    _execute(connection, SET_WIDE_BALANCES, sorted(wide))


def _open_accounts(
    connection: Connection, cache: LedgerCache, group: AccountGroup, owners: Sequence[str]
) -> None:
    ids = {owner: cache.last_account + number for number, owner in enumerate(owners, 1)}
    _execute(connection, ADD_ACCOUNTS, [(id_, owner, *group, 0) for owner, id_ in ids.items()])
    cache.ids[group] |= ids
    cache.last_account += len(ids)


def _write_rounds(
    connection: Connection, cache: LedgerCache, units: Iterable[UnitOfWork], first: int
) -> None:
    """Insert rounds opened at entry `first` or later, and update older ones.

    Rounds that stay open have a statement of their own, since writing `status` also writes the index of open
    rounds.
    """
    now = {round_id: cache.rounds[round_id] for unit in units for round_id in unit.rounds}
    for unit in units:
        for coup in unit.coups:
            _end_rounds(connection, [cache.rounds[round_.id] for round_ in coup if round_.id not in now])
    old = [round_ for round_ in now.values() if round_.opened_seq < first]
    new = [round_ for round_ in now.values() if round_.opened_seq >= first]
    _execute(connection, SET_ROUNDS, [_ended_values(round_) for round_ in old if round_.ended_seq])
    _execute(connection, SET_STAKES, sorted([_open_values(round_) for round_ in old if not round_.ended_seq]))
    _execute(connection, ADD_ROUNDS, [astuple(round_) for round_ in new])


def _end_rounds(connection: Connection, rounds: Sequence[RoundSummary]) -> None:
    """End the rounds of one coup, which differ only in what is returned."""
    if rounds:
        common = rounds[0].ended_ms, rounds[0].status, rounds[0].ended_seq
        ended = sorted([(round_.place, round_.returned_minor) for round_ in rounds])
        _execute(connection, END_ROUNDS, ended, *common)


def _ended_values(round_: RoundSummary) -> tuple[int | str, ...]:
    money = round_.staked_minor, round_.returned_minor
    return round_.place, round_.ended_ms, round_.status, *money, round_.ended_seq, round_.stakes


def _open_values(round_: RoundSummary) -> tuple[int | str, ...]:
    return round_.place, round_.staked_minor, round_.stakes


def _write_postings(connection: Connection, cache: LedgerCache, units: Iterable[UnitOfWork]) -> None:
    ids = cache.ids
    postings = [
        (seq, ids[group][owner], amount, balance)
        for unit in units
        for seq, group, owner, amount, balance in unit.postings
    ]
    wide = [each for each in postings if is_wide(each[2]) or is_wide(each[3])]
    narrow = [each for each in postings if each not in wide] if wide else postings
    _execute(connection, ADD_POSTINGS, sorted(narrow))
    split_up = [(*key, *split(amount), *split(balance)) for *key, amount, balance in wide]
    _execute(connection, ADD_WIDE_POSTINGS, sorted(split_up))


def _write_wallet_calls(connection: Connection, rows: Iterable[JournalRow]) -> None:
    """Follow the entries about calls to an operator's wallet."""
    calls = [row for row in rows if row.kind.startswith("wallet_")]
    for kind, some in groupby(calls, lambda row: row.kind):
        named = [(row.seq, transaction_of(row.key)) for row in some]
        if kind in OPENS:
            state = STATE_AFTER[kind]
            connection.executemany(OPEN_CALL, [(name, seq, state) for seq, name in named])
        elif kind in CLOSES:
            connection.executemany(CLOSE_CALL, [(name,) for _, name in named])
        else:
            connection.executemany(SET_CALL, [(STATE_AFTER[kind], name) for _, name in named])
