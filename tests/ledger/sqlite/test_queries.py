"""The queries' results, and that none of them scans a table."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from msgspec.structs import replace

from croupier.ledger import entries
from croupier.ledger.entries import Ticket
from croupier.ledger.protocol import CashMovement, Ledger, StakeTotals
from croupier.ledger.reports import NoteFilter, Reply
from croupier.ledger.sql.batch import FIND_KEY, FIND_KEYS
from croupier.ledger.sql.cache_loading import (
    FIND_ACCOUNTS,
    FIND_HEAD,
    FIND_OPEN,
    FIND_ROUNDS,
    LAST_ACCOUNT,
)
from croupier.ledger.sqlite.store import SqliteLedger
from tests.ledger.sample_entries import ROUND, answer, coup, deal, grant, settle, ticket_of, void, withdraw

pytestmark = pytest.mark.any_store
Post = Callable[..., list[int]]


DETAILS = {"result": "17"}


def ticket(number: int, table: str = "classic", player: str = "ann") -> Ticket:
    return Ticket(f"r{number}", player, table, "GC")


def test_the_record_has_all_steps_in_order(ledger: Ledger, post: Post) -> None:
    sequence = deal(10), answer(10), answer(), settle(20, 40)
    post(grant(100), *sequence)
    record = ledger.round("r1")
    assert record is not None
    assert record.steps == ("AS", "down", "double", "7H", "double", "7H", "turn 9C")
    assert record.deal == {"number": "#10:00:00", "steps": ["AS", "down"]}
    assert record.keys == tuple(entry.key for entry in sequence)
    assert (record.ticket, record.number, record.status) == (ROUND, "#10:00:00", "settled")
    assert (record.started_ms, record.ended_ms) == (2_000, 4_000)
    assert (record.staked_minor, record.returned_minor) == (20, 40)


def test_a_note_about_a_round_is_not_in_its_record(ledger: Ledger, post: Post) -> None:
    post(grant(100), deal(10))
    before = ledger.round("r1")
    post(entries.note("seen", 9_000, {"steps": ["AS"]}, player="ann", round_id="r1"))
    assert ledger.round("r1") == before


def test_a_coup_names_the_rounds_of_its_players(ledger: Ledger, post: Post) -> None:
    post(grant(100), grant(100, "bob"))
    post(deal(1, ticket_of("ann")), deal(1, ticket_of("bob")), deal(1, ticket(1, "premium")))
    assert [each.player for each in ledger.rounds_named("r")] == ["ann", "bob"]
    assert [each.id for each in ledger.rounds_named("r", player="bob")] == ["r.bob"]
    assert [each.id for each in ledger.rounds_named("r1")] == ["r1"]
    assert ledger.rounds_named("") == ledger.rounds_named("r.a") == ()


def test_an_unknown_round_is_none(ledger: Ledger) -> None:
    assert ledger.round("r1") is None
    assert ledger.entry("k") is None
    assert (ledger.open_rounds(), ledger.rounds("ann"), ledger.statement("ann")) == ((), (), ())


def test_open_rounds_can_be_resumed(ledger: Ledger, post: Post) -> None:
    post(grant(100), deal(10, ticket(1)), settle(10, 0, ticket(1)), deal(10, ticket(2)), answer(5, ticket(2)))
    (record,) = ledger.open_rounds()
    assert (record.id, record.staked_minor, record.returned_minor, record.ended_ms) == ("r2", 15, 0, 0)
    assert record.steps == ("AS", "down", "double", "7H")


def test_rounds_are_paged_newest_first(ledger: Ledger, post: Post) -> None:
    post(grant(100), grant(100, "bob"), deal(1, ticket(99, player="bob")))
    for number in range(7):
        table = "premium" if number % 3 == 0 else "classic"
        post(deal(1, ticket(number, table)), settle(1, 0, ticket(number, table)))
    assert [line.id for line in ledger.rounds("ann", limit=3)] == ["r6", "r5", "r4"]
    assert [line.id for line in ledger.rounds("ann", before="r4", limit=3)] == ["r3", "r2", "r1"]
    assert [line.id for line in ledger.rounds("ann", before="r1", limit=3)] == ["r0"]
    assert [line.id for line in ledger.rounds("ann", tables=("premium",))] == ["r6", "r3", "r0"]
    assert ledger.rounds("ann", before="never") == ()


def test_settlements_are_those_of_own_tables(ledger: Ledger, post: Post) -> None:
    post(
        grant(100), grant(100, "bob"), deal(1, ticket(9, player="bob")), settle(1, 0, ticket(9, player="bob"))
    )
    post(
        deal(1, ticket(1)),
        entries.settle(ticket(1), "one", 3_000, staked_minor=1, returned_minor=2, details=DETAILS),
    )
    post(deal(1, ticket(2, "premium")), settle(1, 0, ticket(2, "premium")))
    post(deal(1, ticket_of("ann")), coup(("ann", 1, 0)))
    post(
        deal(1, ticket(3)),
        settle(1, 0, ticket(3)),
        deal(1, ticket(4)),
        void(1, ticket(4)),
        deal(1, ticket(5)),
    )
    found = ledger.settlements("ann", "classic")
    assert [(one.round, one.number) for one in found] == [("r3", "#10:00:00"), ("r1", "#10:00:00")]
    assert found[1].body == {"steps": [], **DETAILS}
    assert ledger.settlements("ann", "classic", limit=1) == found[:1]


def test_rounds_by_time_of_start(ledger: Ledger, post: Post) -> None:
    post(grant(100))
    for at in range(1, 6):
        post(deal(1, ticket(at), at_ms=at * 1000), settle(1, 2, ticket(at)))
    found = ledger.rounds("ann", since_ms=2_000, until_ms=5_000)
    assert [line.id for line in found] == ["r4", "r3", "r2"]
    assert ledger.rounds("ann", since_ms=2_000, until_ms=5_000, before="r3") == found[2:]
    assert ledger.rounds("ann", until_ms=1_000) == ()
    assert ledger.totals("ann", since_ms=2_000, until_ms=5_000) == {"GC": StakeTotals(3, 6)}
    assert ledger.totals("ann", until_ms=1_000) == {}


def test_the_newest_round_is_the_last_dealt_at_any_clock_time(ledger: Ledger, post: Post) -> None:
    post(grant(100), deal(1, ticket(1), at_ms=9_000), void(1, ticket(1)), deal(1, ticket(2), at_ms=1_000))
    assert [line.id for line in ledger.rounds("ann")] == ["r2", "r1"]


def test_totals_of_ended_rounds_by_currency_table_and_time(ledger: Ledger, post: Post) -> None:
    sweeps = Ticket("r3", "ann", "premium", "SC")
    post(grant(100), grant(100, currency="SC"))
    post(deal(10, ticket(1), at_ms=1_000), settle(10, 25, ticket(1)))
    post(deal(20, ticket(2), at_ms=2_000), void(20, ticket(2)))
    post(deal(30, sweeps, at_ms=3_000))
    assert ledger.totals("ann").get("SC") is None
    post(settle(30, 0, sweeps))
    assert ledger.totals("ann", tables=("premium",)) == {"SC": StakeTotals(30, 0)}
    assert ledger.totals("ann") == {"GC": StakeTotals(30, 45), "SC": StakeTotals(30, 0)}
    assert ledger.totals("ann", since_ms=2_000) == {"GC": StakeTotals(20, 20), "SC": StakeTotals(30, 0)}
    assert ledger.totals("ann", tables=("classic",)) == {"GC": StakeTotals(30, 45)}
    assert ledger.totals("bob") == {}


def test_the_statement_shows_each_movement_of_cash(ledger: Ledger, post: Post) -> None:
    post(grant(100), deal(10), answer(), answer(10), settle(20, 40), withdraw(5), grant(7, currency="SC"))
    lines = ledger.statement("ann")
    assert [(line.kind, line.currency, line.amount_minor, line.balance_minor) for line in lines] == [
        ("grant", "SC", 7, 7),
        ("withdrawal", "GC", -5, 115),
        ("settle", "GC", 40, 120),
        ("answer", "GC", -10, 80),
        ("deal", "GC", -10, 90),
        ("grant", "GC", 100, 100),
    ]
    assert lines[2] == CashMovement(5, 4_000, "settle", "GC", 40, 120, "classic", "r1")
    assert ledger.statement("ann", before=lines[1].seq, limit=2) == lines[2:4]


def test_deposits_by_currency_and_time(ledger: Ledger, post: Post) -> None:
    post(grant(100), deal(10), settle(10, 20), withdraw(5))
    for at_ms, currency, minor in ((1_000, "GC", 7), (2_000, "GC", 20), (3_000, "SC", 30), (4_000, "GC", 40)):
        post(entries.deposit(f"d{at_ms}", at_ms, "ann", currency, minor))
    post(entries.deposit("bob's", 5_000, "bob", "GC", 1))
    assert ledger.deposited("ann") == {"GC": 67, "SC": 30}
    assert ledger.deposited("ann", since_ms=2_000) == {"GC": 60, "SC": 30}
    assert ledger.deposited("ann", since_ms=4_001) == {}


def test_the_stored_entry_is_the_posted_one(ledger: Ledger, post: Post) -> None:
    entry = replace(settle(10, 20), body={"steps": ["é", "☃"], "b": {"y": 1, "x": None}, "a": [True]})
    post(grant(100), deal(10), entry)
    assert ledger.entry(entry.key) == entry


def test_notes_by_key_prefix(ledger: Ledger, post: Post) -> None:
    post(
        *(entries.note(f"log:{place}", 0, {"why": f"100%_{place}"}, table="classic") for place in range(4)),
        entries.note("log", 0, {"why": "shorter"}),
        entries.note("logs:1", 0, {"why": "another"}),
    )
    assert [found.key for found in ledger.notes("log:", limit=3)] == ["log:3", "log:2", "log:1"]


QUERIES: list[tuple[str, Callable[[SqliteLedger], Any]]] = [
    ("round", lambda ledger: ledger.round("r1")),
    ("open_rounds", lambda ledger: ledger.open_rounds()),
    ("rounds", lambda ledger: ledger.rounds("ann", before="r1")),
    ("rounds by table", lambda ledger: ledger.rounds("ann", tables=("classic",))),
    ("settlements", lambda ledger: ledger.settlements("ann", "classic")),
    ("rounds by time", lambda ledger: ledger.rounds("ann", since_ms=1, until_ms=9)),
    ("totals", lambda ledger: ledger.totals("ann", since_ms=5)),
    ("deposited", lambda ledger: ledger.deposited("ann", since_ms=5)),
    ("statement", lambda ledger: ledger.statement("ann", before=9)),
    (
        "statement by table and time",
        lambda ledger: ledger.statement("ann", tables=("classic",), since_ms=5, until_ms=9),
    ),
    ("table totals", lambda ledger: ledger.table_totals("ann", since_ms=5)),
    ("notes", lambda ledger: ledger.notes("staff:")),
    ("open rounds by table", lambda ledger: ledger.reports.open_by_table()),
    ("balances", lambda ledger: ledger.balances("ann")),
    ("one entry", lambda ledger: ledger.entry("key")),
    (
        "chosen notes",
        lambda ledger: ledger.reports.notes(
            "asked:",
            NoteFilter("1", "9", "classic", "void", {"name": "Ada"}, Reply("answered:", "answer", "ok")),
            limit=9,
        ),
    ),
]


@pytest.mark.parametrize("query", [query for _, query in QUERIES], ids=[name for name, _ in QUERIES])
def test_no_infrequent_query_scans_a_table(
    ledger: SqliteLedger, path: Path, query: Callable[[SqliteLedger], Any]
) -> None:
    selects = queries_of(ledger, query)
    assert selects
    for statement, parameters in selects:
        assert scans(ledger, statement, parameters) == []


@pytest.mark.parametrize(
    "statement",
    [FIND_KEY, FIND_KEYS, FIND_HEAD, FIND_ACCOUNTS, LAST_ACCOUNT, FIND_ROUNDS, FIND_OPEN],
)
@pytest.mark.usefixtures("path")
def test_no_frequent_query_scans_a_table(ledger: SqliteLedger, statement: str) -> None:
    statement = statement.format("?, ?")
    found = scans(ledger, statement, ("",) * statement.count("?"))
    assert found == (["SCAN journal"] if statement == FIND_HEAD else []), "the head is the scan's first row"


@pytest.mark.usefixtures("path")
def test_deposits_have_an_index(ledger: SqliteLedger) -> None:
    ((statement, parameters),) = queries_of(ledger, lambda ledger: ledger.deposited("ann", since_ms=5))
    assert "journal_deposits (player=? AND at_ms>?)" in str(plan(ledger, statement, parameters))


@pytest.mark.usefixtures("path")
def test_the_results_of_a_day_read_the_rounds_of_that_day_and_long_ones(ledger: SqliteLedger) -> None:
    ledger.post([grant(100), deal(10)]).result()
    read = [
        step
        for statement, parameters in queries_of(ledger, lambda ledger: ledger.reports.results(1, 9))
        if "FROM round" in statement
        for *_, step in plan(ledger, statement, parameters)
        if " round" in step
    ]
    of_the_day = "SEARCH round USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"
    assert read == 2 * [of_the_day, "SCAN round USING INDEX round_long"]


@pytest.mark.usefixtures("path")
def test_a_query_without_an_index_is_found(ledger: SqliteLedger) -> None:
    assert scans(ledger, "SELECT * FROM journal WHERE kind = ?", ("deal",)) == ["SCAN journal"]


def scans(ledger: SqliteLedger, statement: str, parameters: Any) -> list[str]:
    """Return the plan's steps that scan a whole table or index, except open rounds and lists inside a row."""
    small = "round_open", "VIRTUAL TABLE"
    return [
        step
        for *_, step in plan(ledger, statement, parameters)
        if step.startswith("SCAN") and not any(name in step for name in small)
    ]


def plan(ledger: SqliteLedger, statement: str, parameters: Any) -> list[tuple[Any, ...]]:
    """Return SQLite's query plan, step by step."""
    explain = f"EXPLAIN QUERY PLAN {statement}"
    return ledger.run(lambda db: db.execute(explain, parameters).fetchall()).result(30)


def queries_of(ledger: SqliteLedger, query: Callable[[SqliteLedger], Any]) -> list[tuple[str, Any]]:
    """Return the executed queries with their parameters."""
    executed: list[tuple[str, Any]] = []
    sqlalchemy.event.listen(
        ledger._engine,
        "before_cursor_execute",
        lambda _c, _cursor, statement, parameters, _context, _many: executed.append((statement, parameters)),
    )
    query(ledger)
    return [
        (statement, parameters)
        for statement, parameters in executed
        if statement.startswith(("SELECT", "WITH"))
    ]


def test_the_first_round_since_a_time(ledger: Ledger, post: Post) -> None:
    post(grant(100))
    for number in range(3):
        at = ticket(number, "classic")
        post(deal(10, at), settle(10, 0, at))
    started = [line.started_ms for line in reversed(ledger.rounds("ann"))]
    assert ledger.first_started_ms("ann", since_ms=0) == started[0]
    assert ledger.first_started_ms("ann", since_ms=started[0] + 1) in (0, started[1])
    assert ledger.first_started_ms("bob", since_ms=0) == 0


def test_recent_tables_are_distinct(ledger: Ledger, post: Post) -> None:
    post(grant(100))
    for number, table in enumerate(("classic", "premium", "roulette", "classic")):
        at = ticket(number, table)
        post(deal(10, at), settle(10, 0, at))
    assert ledger.recent_tables("ann", limit=4) == ("classic", "roulette", "premium")
    assert ledger.recent_tables("ann", limit=2) == ("classic", "roulette")
    assert ledger.recent_tables("bob", limit=4) == ()
