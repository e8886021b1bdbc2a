"""The figures of reports against a brute-force reading of the journal."""

import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.ledger import entries
from croupier.ledger.entries import Entry, Share
from croupier.ledger.protocol import Ledger
from croupier.ledger.reference_posting import net_amounts
from croupier.ledger.reports import Holdings, NoteFilter, OpenRounds, Reply, Spread, TableResult
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from tests.ledger.sample_entries import (
    answer,
    deal,
    deposit,
    grant,
    settle,
    stakes,
    ticket_of,
    void,
    withdraw,
)

Post = Callable[..., list[int]]
PLAYERS, CURRENCIES = ("ann", "bob"), ("GC", "EUR")
TICKS_MS = st.sampled_from([20_000, 700_000])
"""Time between entries: with the longer one, most rounds are long ones, found by an index of their own."""
TIMES = st.integers(0, 40)


class Played(NamedTuple):
    """Rounds of both players at a table: where, in which currency, and how they end after some others."""

    live: bool
    table: str
    currency: str
    end: str
    returned: tuple[int, int]
    overlaps: int


ROUNDS = st.builds(
    Played,
    live=st.booleans(),
    table=st.sampled_from(["classic", "premium", "wheel"]),
    currency=st.sampled_from(CURRENCIES),
    end=st.sampled_from(["settled", "settled", "void", "open"]),
    returned=st.tuples(st.integers(0, 50), st.integers(0, 50)),
    overlaps=st.integers(0, 3),
)


def begun(name: str, of: Played) -> list[Entry]:
    if of.live:
        shares = ("ann", 10), ("bob", 7)
        return [stakes(*shares, round_=name, currency=of.currency, table=of.table)]
    tickets = [ticket_of(player, name, of.table, of.currency) for player in PLAYERS]
    return [deal(10, tickets[0]), answer(5, tickets[0]), deal(7, tickets[1])]


def ended(name: str, of: Played) -> list[Entry]:
    if of.end == "open":
        return []
    tickets = [ticket_of(player, name, of.table, of.currency) for player in PLAYERS]
    staked = (10, 7) if of.live else (15, 7)
    if not of.live and of.end == "void":
        return [void(minor, ticket) for ticket, minor in zip(tickets, staked, strict=True)]
    if not of.live:
        return [settle(*amounts) for amounts in zip(staked, of.returned, tickets, strict=True)]
    returned = staked if of.end == "void" else of.returned
    shares = [
        Share(f"{name}.{who}", who, *money) for who, *money in zip(PLAYERS, staked, returned, strict=True)
    ]
    key = f"end:{name}"
    if of.end == "void":
        return [entries.call_off(key, 0, of.table, of.currency, shares, "malfunction")]
    return [entries.coup(key, 0, of.table, of.currency, shares, {"cards": ["AS"]})]


def history(played: list[Played]) -> Iterator[Entry]:
    """Yield the entries of rounds that overlap; those at an occupied table are left out."""
    for player in PLAYERS:
        yield from (grant(5_000, player, currency) for currency in CURRENCIES)
    waiting: dict[int, list[tuple[str, Played]]] = defaultdict(list)
    occupied: set[str] = set()
    for number, each in enumerate(played):
        for name, over in waiting.pop(number, []):
            occupied.discard(over.table)
            yield from ended(name, over)
        if each.table not in occupied:
            occupied.add(each.table)
            yield from begun(f"r{number}", each)
            if each.end != "open":
                waiting[number + 1 + each.overlaps].append((f"r{number}", each))
    for left in waiting.values():
        for name, over in left:
            yield from ended(name, over)
    yield from (deposit(7, "bob", "EUR"), withdraw(3, "ann", "GC"))


@cache
def empty_database() -> bytes:
    """Return a migrated database, which takes longer than all of a test."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.db"
        upgrade(path)
        return path.read_bytes()


@contextmanager
def journal_of(played: list[Played], tick_ms: int) -> Iterator[tuple[SqliteLedger, list[Entry]]]:
    ticks = count(1)
    journal = [replace(entry, at_ms=next(ticks) * tick_ms) for entry in history(played)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.db"
        path.write_bytes(empty_database())
        ledger = SqliteLedger.open(path, migrate=upgrade)
        with closing(ledger):
            for result in ledger.post_each(journal).result(30):
                assert not isinstance(result, Exception), result
            yield ledger, journal


class End(NamedTuple):
    """The end of one player's round."""

    entry: str
    table: str
    currency: str
    player: str
    is_void: bool
    staked: int
    returned: int


def ends(journal: list[Entry], since_ms: int, until_ms: int) -> list[End]:
    """Return the ends of rounds in a period, read from the entries themselves."""
    found = []
    for entry in journal:
        if not since_ms <= entry.at_ms < until_ms:
            continue
        if entry.shares and entry.kind in ("coup", "call_off"):
            found += [
                End(
                    entry.key, entry.table, entry.shares.currency, who, entry.kind != "coup", staked, returned
                )
                for _, who, staked, returned in entry.shares.each
            ]
        elif entry.kind in ("settle", "void"):
            staked = entry.moved("in_play", "table") or entry.moved("in_play", "cash")
            currency, is_void = entry.moves[0].debit.currency, entry.kind == "void"
            returned = staked if is_void else entry.moved("table", "cash")
            found.append(End(entry.key, entry.table, currency, entry.player, is_void, staked, returned))
    return found


def expected_result(table: str, currency: str, found: list[End]) -> TableResult:
    mine = [end for end in found if (end.table, end.currency) == (table, currency)]
    settled = [end for end in mine if not end.is_void]
    coups: dict[str, tuple[int, int]] = {}
    for end in settled:
        staked, returned = coups.get(end.entry, (0, 0))
        coups[end.entry] = staked + end.staked, returned + end.returned
    spread = Spread(
        len(coups),
        sum((returned - staked) ** 2 for staked, returned in coups.values()),
        sum((returned - staked) * staked for staked, returned in coups.values()),
        sum(staked**2 for staked, _ in coups.values()),
    )
    amounts = sum(end.staked for end in settled), sum(end.returned for end in settled)
    players = len({end.player for end in settled})
    return TableResult(table, currency, len(settled), len(mine) - len(settled), players, *amounts, spread)


@settings(max_examples=12, deadline=None)
@given(st.lists(ROUNDS, max_size=8), TIMES, TIMES, TICKS_MS)
def test_results_are_those_of_the_journal(played: list[Played], since: int, until: int, tick_ms: int) -> None:
    with journal_of(played, tick_ms) as (ledger, journal):
        period = since * tick_ms, until * tick_ms
        result = ledger.reports.results(*period)
        found = ends(journal, *period)
    places = sorted({(end.table, end.currency) for end in found})
    assert result.tables == tuple(expected_result(*place, found) for place in places)
    settled = [end for end in found if not end.is_void]
    assert result.players == {
        currency: len({end.player for end in settled if end.currency == currency})
        for currency in {end.currency for end in settled}
    }


@settings(max_examples=6, deadline=None)
@given(st.lists(ROUNDS, max_size=8), TICKS_MS)
def test_holdings_are_the_sums_of_the_journal_at_every_position(played: list[Played], tick_ms: int) -> None:
    with journal_of(played, tick_ms) as (ledger, journal):
        sums: Counter[tuple[str, str]] = Counter()
        at_each = [Holdings(0, 0, {})]
        for seq, entry in enumerate(journal, 1):
            for account, minor in net_amounts(entry).items():
                sums[account.kind, account.currency] += minor
            at_each.append(Holdings(seq, entry.at_ms, {key: minor for key, minor in sums.items() if minor}))
        Random(7).shuffle(at_each)  # so that each is derived from another one
        for expected in at_each:
            assert without_zeros(ledger.reports.holdings(expected.at_ms)) == expected
            assert not any(total_by_currency(expected.minor).values())
        now = ledger.reports.holdings()
    assert without_zeros(now) == max(at_each)


def without_zeros(holdings: Holdings) -> Holdings:
    return holdings._replace(minor={key: minor for key, minor in holdings.minor.items() if minor})


def total_by_currency(minor: Mapping[tuple[str, str], int]) -> Counter[str]:
    total: Counter[str] = Counter()
    for (_, currency), each in minor.items():
        total[currency] += each
    return total


@pytest.mark.any_store
def test_open_rounds_by_table(ledger: Ledger, post: Post) -> None:
    post(grant(100), grant(100, "bob"), grant(100, currency="EUR"))
    assert ledger.reports.open_by_table() == ()
    post(stakes(("ann", 10), ("bob", 5), table="wheel"), deal(7, ticket_of("ann", "r2", "classic", "EUR")))
    assert ledger.reports.open_by_table() == (
        OpenRounds("classic", "EUR", 1, 1, 7),
        OpenRounds("wheel", "GC", 2, 2, 15),
    )


CHOSEN_NOTES = [
    (NoteFilter(), ["3", "2", "1", "0"]),
    (NoteFilter(since="1", before="3"), ["2", "1"]),
    (NoteFilter(text="%_2"), ["2"]),
    (NoteFilter(table="premium"), ["1"]),
    (NoteFilter(table="nowhere"), []),
    (NoteFilter(fields={"name": "Ada"}), ["2", "0"]),
    (NoteFilter(fields={"name": "Ada", "details.player": "bob"}), ["2"]),
    (NoteFilter(without=Reply("reply:", "answer", "ok")), ["3", "1"]),
]


@pytest.mark.any_store
def test_notes_are_chosen(ledger: Ledger, post: Post) -> None:
    post(
        *(
            entries.note(
                f"log:{place}",
                0,
                {"why": f"100%_{place}", "name": ["Ada", "Ben"][place % 2], "details": {"player": who}},
                table="premium" if place == 1 else "classic",
            )
            for place, who in enumerate(("ann", "ann", "bob", "ann"))
        ),
        entries.note("logs:1", 0, {"why": "another"}),
        *(entries.note(f"reply:{place}", 0, {"answer": said}) for place, said in (("0", "ok"), ("1", "no"))),
        entries.note("reply:2", 0, {"answer": "ok"}),
    )
    for chosen, expected in CHOSEN_NOTES:
        found = ledger.reports.notes("log:", chosen, limit=9)
        assert [note.key.removeprefix("log:") for note in found] == expected, chosen
        assert ledger.reports.notes("log:", chosen, limit=1) == found[:1]
