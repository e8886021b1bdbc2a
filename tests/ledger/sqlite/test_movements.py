"""The filters of rounds and movements against a brute-force search of the whole database."""

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.ledger.entries import Entry, Ticket
from croupier.ledger.protocol import CashMovement, RoundSummary, StakeTotals, TableTotals
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from tests.ledger.sample_entries import answer, call_off, coup, deal, deposit, grant, settle, stakes, void

EVERYTHING = """SELECT j.seq, at_ms, j.kind, currency, amount_minor, p.balance_minor, table_id
    FROM posting p JOIN journal j USING (seq) JOIN account a ON a.id = account_id
    WHERE owner = ? AND a.kind = 'cash' ORDER BY j.seq DESC"""
TABLES = ("classic", "premium", "live", "other_live")
TIMES = st.integers(0, 24)
"""Times in ticks: there is an entry at each."""
TICKS_MS = st.sampled_from([30_000, 600_000])
"""With the longer one, some rounds last so long that they are found by an index of their own."""


class Game(NamedTuple):
    """A round in a test: where and how it is played, and how many later rounds begin before it ends."""

    table: str
    live: bool
    more: bool
    end: str
    overlaps: int


GAMES = st.builds(
    Game,
    table=st.sampled_from(TABLES),
    live=st.booleans(),
    more=st.booleans(),
    end=st.sampled_from(["won", "lost", "void", "open"]),
    overlaps=st.integers(0, 3),
)


class Filter(NamedTuple):
    """A filter; its times are in ticks until `scaled`."""

    tables: tuple[str, ...] | None
    since_ms: int
    until_ms: int | None

    def scaled(self, tick_ms: int) -> "Filter":
        until_ms = None if self.until_ms is None else self.until_ms * tick_ms
        return self._replace(since_ms=self.since_ms * tick_ms, until_ms=until_ms)

    def admits(self, table: str, at_ms: int) -> bool:
        before_end = self.until_ms is None or at_ms < self.until_ms
        return (self.tables is None or table in self.tables) and self.since_ms <= at_ms and before_end


FILTERS = st.builds(
    Filter,
    tables=st.none() | st.lists(st.sampled_from(TABLES), unique=True, max_size=3).map(tuple),
    since_ms=TIMES,
    until_ms=st.none() | TIMES,
)


def begin(number: int, game: Game) -> list[Entry]:
    ticket, name = Ticket(f"r{number}.ann", "ann", game.table, "GC"), f"r{number}"
    if game.live:
        return [stakes(("ann", 10), ("bob", 5), round_=name, table=game.table)] + (
            [stakes(("ann", 4), round_=name, table=game.table)] * game.more
        )
    return [deal(10, ticket), *([answer(4, ticket)] * game.more)]


def end(number: int, game: Game) -> list[Entry]:
    ticket, name = Ticket(f"r{number}.ann", "ann", game.table, "GC"), f"r{number}"
    staked, returned = 10 + 4 * game.more, 30 * (game.end == "won")
    if game.end == "open":
        return []
    if game.live and game.end == "void":
        return [call_off(("ann", staked), ("bob", 5), round_=name, table=game.table)]
    if game.live:
        return [coup(("ann", staked, returned), ("bob", 5, 9), round_=name, table=game.table)]
    return [void(staked, ticket) if game.end == "void" else settle(staked, returned, ticket)]


def entries_of(games: list[Game]) -> Iterator[Entry]:
    """Yield the entries of rounds that overlap: each ends after some later rounds have begun."""
    waiting: dict[int, list[tuple[int, Game]]] = {}
    occupied: set[str] = set()
    for number, game in enumerate(games):
        for ended, one in waiting.pop(number, []):
            occupied.discard(one.table)
            yield from end(ended, one)
        if game.table not in occupied:
            occupied.add(game.table)
            yield from begin(number, game)
            if game.end != "open":
                waiting.setdefault(number + 1 + game.overlaps, []).append((number, game))
    for each in waiting.values():
        for ended, one in each:
            yield from end(ended, one)


@contextmanager
def ledger_with(games: list[Game], tick_ms: int) -> Iterator[SqliteLedger]:
    """Open a ledger with these rounds, a tick between entries."""
    ticks = count()
    with tempfile.TemporaryDirectory() as folder:
        ledger = SqliteLedger.open(Path(folder) / "ledger.db", migrate=upgrade)
        with closing(ledger):
            money = [grant(10_000), grant(10_000, "bob"), deposit(50)]
            timed = [
                replace(entry, at_ms=next(ticks) * tick_ms)
                for entry in [*money, *entries_of(games), deposit(7)]
            ]
            for posted in [ledger.post([entry]) for entry in timed]:
                posted.result(30)
            yield ledger


def all_movements(ledger: SqliteLedger) -> list[tuple[object, ...]]:
    return ledger.run(lambda db: db.execute(EVERYTHING, ("ann",)).fetchall()).result(30)


def paged(ledger: SqliteLedger, chosen: Filter, limit: int) -> list[CashMovement]:
    found: list[CashMovement] = []
    while page := ledger.statement(
        "ann", before=found[-1].seq if found else None, limit=limit, **chosen._asdict()
    ):
        assert len(page) == limit or not ledger.statement(
            "ann", before=page[-1].seq, limit=limit, **chosen._asdict()
        ), "a short page is the last"
        found.extend(page)
    return found


@pytest.mark.parametrize("examples", [15, pytest.param(1_000, marks=pytest.mark.campaign)])
def test_pages_and_totals_are_those_of_all_selected_movements_and_rounds(examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(st.lists(GAMES, max_size=8), FILTERS, st.integers(1, 5), TICKS_MS)
    def check(games: list[Game], chosen: Filter, limit: int, tick_ms: int) -> None:
        chosen = chosen.scaled(tick_ms)
        with ledger_with(games, tick_ms) as ledger:
            check_statement(ledger, chosen, limit)
            check_rounds(ledger, chosen, limit)

    check()


def check_statement(ledger: SqliteLedger, chosen: Filter, limit: int) -> None:
    expected = [row for row in all_movements(ledger) if chosen.admits(str(row[6]), int(str(row[1])))]
    assert [tuple(line)[:7] for line in paged(ledger, chosen, limit)] == expected


def check_rounds(ledger: SqliteLedger, chosen: Filter, limit: int) -> None:
    every = ledger.rounds("ann", limit=100)
    expected = [line for line in every if chosen.admits(line.table, line.started_ms)]
    found: list[RoundSummary] = []
    while page := ledger.rounds(
        "ann", before=found[-1].id if found else None, limit=limit, **chosen._asdict()
    ):
        found.extend(page)
    assert found == expected
    assert ledger.totals("ann", **chosen._asdict()) == totals_of(expected)
    in_period = [line for line in every if chosen._replace(tables=None).admits(line.table, line.started_ms)]
    assert ledger.table_totals("ann", since_ms=chosen.since_ms, until_ms=chosen.until_ms) == tuple(
        TableTotals(table, "GC", len(lines), *totals_of(lines)["GC"])
        for table in sorted(TABLES)
        if (lines := [line for line in in_period if line.table == table and line.status != "open"])
    )


def totals_of(lines: list[RoundSummary]) -> dict[str, StakeTotals]:
    ended = [line for line in lines if line.status != "open"]
    sums = StakeTotals(sum(line.staked_minor for line in ended), sum(line.returned_minor for line in ended))
    return {"GC": sums} if ended else {}
