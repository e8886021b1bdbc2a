"""Load the accounts and rounds that a batch of entries touches into the writer's cache."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from croupier.ledger.cache import AccountGroup, LedgerCache
from croupier.ledger.chain import START, Head, JournalRow, entry_of
from croupier.ledger.entries import COUP_KINDS, Entry
from croupier.ledger.protocol import RoundSummary
from croupier.ledger.sql.chunks import chunks
from croupier.ledger.sql.connection import Connection, Cursor
from croupier.ledger.sql.wide_amounts import join

FIND_HEAD = "SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1"
NEWER = """SELECT seq, key, kind, at_ms, player, table_id, round, moves, shares, body, hash FROM journal
    WHERE seq > ? ORDER BY seq LIMIT ?"""
CATCH_UP_MAX = 2_000
"""Entries beyond which it is quicker to start over."""
FIND_ACCOUNTS = """SELECT owner, id, balance_minor, balance_high FROM account
    WHERE kind = ? AND currency = ? AND owner IN ({})"""
LAST_ACCOUNT = "SELECT coalesce(max(id), 0) FROM account"
ROUND = """SELECT id, player, table_id, currency, number, started_ms, ended_ms, status, staked_minor,
    returned_minor, opened_seq, ended_seq, place, stakes FROM round"""
FIND_ROUNDS = ROUND + " WHERE id IN ({})"
FIND_OPEN = ROUND + " WHERE status = 'open'"


class AskedRounds(NamedTuple):
    """The rounds that were asked for, and the results, which are read later."""

    ids: frozenset[str]
    found: Sequence[Cursor]


NO_ROUNDS = AskedRounds(frozenset(), ())


def ask_rounds(cache: LedgerCache, connection: Connection, entries: Iterable[Entry]) -> AskedRounds:
    """Ask for the rounds that `entries` touch and that aren't cached."""
    missing = _missing_rounds(cache, [round_ for entry in entries for round_ in _round_ids(entry)])
    return AskedRounds(frozenset(missing), _find_rounds(connection, missing))


def load(
    cache: LedgerCache, connection: Connection, entries: Sequence[Entry], asked: AskedRounds = NO_ROUNDS
) -> None:
    """Read the accounts and rounds that `entries` touch and that aren't cached; drop ended rounds."""
    if cache.stale or cache.full:
        _reload(cache, connection)
    cache.drop_ended_rounds()
    _load_accounts(cache, connection, _touched(entries))
    _load_rounds(cache, connection, [round_ for entry in entries for round_ in _round_ids(entry)], asked)


def catch_up(cache: LedgerCache, connection: Connection) -> None:
    """Update the cache with the entries that other writers have posted since its head."""
    found = connection.execute(NEWER, (cache.head.seq, CATCH_UP_MAX)).fetchall()
    if len(found) == CATCH_UP_MAX:
        cache.stale = True
        return
    entries = [entry_of(JournalRow(*row)) for *row, _ in found]
    (cache.last_account,) = connection.execute(LAST_ACCOUNT).fetchone()
    _load_accounts(cache, connection, _forget_accounts(cache, entries))
    changed = {round_id for entry in entries for round_id in _round_ids(entry)}
    _reload_rounds(cache, connection, changed)
    still_open = [cache.rounds[round_id] for round_id in changed & cache.rounds.keys()]
    _load_accounts(cache, connection, _staked_from(still_open))
    if found:
        cache.head = Head(found[-1][0], found[-1][-1])


def _forget_accounts(cache: LedgerCache, entries: Sequence[Entry]) -> dict[AccountGroup, set[str]]:
    """Remove the accounts that entries touch; return those that were cached."""
    touched = _touched(entries)
    for shares in (entry.shares for entry in entries if entry.shares):
        for kind in ("cash", "in_play"):
            touched[kind, shares.currency].update([share.player for share in shares.each])
    cached = {group: owners & cache.ids[group].keys() for group, owners in touched.items()}
    for group, owners in cached.items():
        for owner in owners:
            del cache.ids[group][owner], cache.balances[group][owner]
    return cached


def _reload_rounds(cache: LedgerCache, connection: Connection, changed: set[str]) -> None:
    for round_id in changed & cache.rounds.keys():
        cache.remove_round(cache.rounds[round_id])
    _load_rounds(cache, connection, changed)
    cache.drop_ended_rounds()


def _reload(cache: LedgerCache, connection: Connection) -> None:
    """Start over with the open rounds and the accounts of their stakes."""
    cache.clear()
    cache.head = Head(*(connection.execute(FIND_HEAD).fetchone() or START))
    (cache.last_account,) = connection.execute(LAST_ACCOUNT).fetchone()
    cache.put_rounds(RoundSummary(*row) for row in connection.execute(FIND_OPEN))
    _load_accounts(cache, connection, _staked_from(cache.rounds.values()))
    cache.stale = False


def _load_accounts(
    cache: LedgerCache, connection: Connection, touched: Mapping[AccountGroup, set[str]]
) -> None:
    for group, owners in touched.items():
        ids = cache.ids[group]  # many thousands: look each owner up, never iterate over all
        for chunk in chunks(sorted([owner for owner in owners if owner not in ids])):
            query = FIND_ACCOUNTS.format(",".join("?" * len(chunk)))
            for owner, id_, minor, high in connection.execute(query, (*group, *chunk)):
                ids[owner] = id_
                cache.balances[group][owner] = join(minor, high)
                if high:
                    cache.wide.add(id_)


def _load_rounds(
    cache: LedgerCache, connection: Connection, round_ids: Iterable[str], asked: AskedRounds = NO_ROUNDS
) -> None:
    missing = [round_ for round_ in _missing_rounds(cache, round_ids) if round_ not in asked.ids]
    rows = [RoundSummary(*row) for found in asked.found for row in found]
    cache.put_rounds(round_ for round_ in rows if round_.id not in cache.rounds)
    for found in _find_rounds(connection, missing):
        cache.put_rounds(RoundSummary(*row) for row in found)


def _missing_rounds(cache: LedgerCache, round_ids: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(round_id for round_id in round_ids if round_id not in cache.rounds))


def _find_rounds(connection: Connection, ids: Sequence[str]) -> list[Cursor]:
    return [connection.execute(FIND_ROUNDS.format(",".join("?" * len(some))), some) for some in chunks(ids)]


def _touched(entries: Iterable[Entry]) -> dict[AccountGroup, set[str]]:
    touched: dict[AccountGroup, set[str]] = defaultdict(set)
    for entry in entries:
        for move in entry.moves:
            for owner, kind, currency in (move.debit, move.credit):
                touched[kind, currency].add(owner)
        if entry.shares and entry.kind in COUP_KINDS:  # the accounts of open rounds are cached
            touched["table", entry.shares.currency].add(entry.table)
        elif entry.shares:
            for kind in ("cash", "in_play"):
                touched[kind, entry.shares.currency].update([share.player for share in entry.shares.each])
    return touched


def _staked_from(rounds: Iterable[RoundSummary]) -> dict[AccountGroup, set[str]]:
    touched: dict[AccountGroup, set[str]] = defaultdict(set)
    for round_ in rounds:
        for kind in ("cash", "in_play"):
            touched[kind, round_.currency].add(round_.player)
    return touched


def _round_ids(entry: Entry) -> Iterable[str]:
    if entry.shares:
        return [share.round for share in entry.shares.each]
    return (entry.round,) if entry.round else ()
