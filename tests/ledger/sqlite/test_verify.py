"""The audit passes a correct database and names any single wrong row."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.ledger import entries
from croupier.ledger.audit import BadRow
from croupier.ledger.cache import LedgerCache
from croupier.ledger.chain import START, Head, JournalRow, link
from croupier.ledger.entries import Entry
from croupier.ledger.protocol import Ledger, RoundRecord
from croupier.ledger.round_records import follow
from croupier.ledger.sqlite import audit
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.ledger.sqlite.verify import verify
from tests.ledger.sample_entries import (
    ROUND,
    answer,
    coup,
    deal,
    give,
    of,
    release,
    settle,
    stakes,
    void,
    withdraw,
)

Post = Callable[..., list[int]]
Forge = Callable[[sqlite3.Connection], object]
OTHER = ROUND._replace(round="r2", table="premium")
LIVE = of("ann", table="live")
THIRD = ROUND._replace(round="r3", player="bob")


@pytest.fixture
def books(path: Path) -> Path:
    """A closed database: a settled, a void and an open round, two ended by a coup, a note at the end."""
    ledger = SqliteLedger.open(path, migrate=upgrade)
    for sequence in (
        [give(100), give(50, "bob")],  # seq 1, 2
        [deal(10)],
        [answer(10), settle(20, 35)],  # seq 4, 5
        [deal(7, OTHER)],
        [void(7, OTHER)],
        [deal(5, THIRD)],  # seq 8
        [withdraw(15), entries.note("end", 9_000, {"said": "good night"})],  # seq 9, 10
        [
            deal(10, LIVE),
            deal(20, of("bob", table="live")),
            deal(5, of("bob", "q", "premium")),
        ],  # seq 11
        [release(4, LIVE)],
        [coup(("ann", 6, 16), ("bob", 20, 0), table="live")],  # seq 15
        [entries.note("last", 9_900, {"said": "sleep well"})],  # seq 16
        [stakes(("ann", 8), ("bob", 9), round_="s", table="floor")],  # seq 17
        [stakes(("ann", -3), round_="s", table="floor")],  # seq 18
    ):
        ledger.post(sequence).result()
    ledger.close()
    return path


def test_a_correct_database_passes(books: Path) -> None:
    report = verify(books)
    assert report.bad is None
    assert (report.entries, report.rounds, report.replayed) == (18, 8, 0)


def test_a_new_database_passes(ledger: Ledger, path: Path) -> None:
    assert verify(path) == (0, 0, 0, START.hash.hex(), None)


def test_an_open_database_is_audited_in_one_state(ledger: Ledger, post: Post, path: Path) -> None:
    """Entries posted while the audit runs are ignored."""
    post(*(give(1) for _ in range(2_000)))

    def post_one_more(_done: int, _all: int) -> None:
        post(give(1))

    report = verify(path, progress=post_one_more)
    assert (report.entries, report.bad) == (2_000, None)
    assert verify(path).entries > 2_000


def test_a_missing_database_is_an_error(path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        verify(path)


def test_a_file_that_is_no_database_is_reported(path: Path) -> None:
    path.write_bytes(b"no books at all " * 1_000)
    bad = verify(path).bad
    assert bad is not None
    assert (bad.table, "not a database" in bad.why) == ("file", True)


# --- one row changed --------------------------------------------------------------------------

COLUMNS = "kind, at_ms, player, table_id, round, moves, shares, body, hash"
ROUND_COLUMNS = """player, table_id, currency, number, started_ms, ended_ms, status, staked_minor,
    returned_minor, 2, ended_seq, 2, stakes"""
SHARED_COLUMNS = ROUND_COLUMNS.replace("2, ended_seq, 2", "17, ended_seq, 17 * 1048576 + 2")
OF_ANN = "account_id = (SELECT id FROM account WHERE owner = 'ann' AND kind = 'cash')"
IN_PLAY = "owner = 'ann' AND kind = 'in_play'"
HELD = "ann in_play GC"
TABLE = "live table GC"
ANNS_CASH = "owner = 'ann' AND kind = 'cash'"
FORGERIES: list[tuple[str, str, str]] = [
    *(
        (f"UPDATE journal SET {column} WHERE seq = 5", "journal", "seq 5")
        for column in (
            "key = 'x'",
            "kind = 'void'",
            "at_ms = at_ms + 1",
            "player = 'bob'",
            "table_id = 'premium'",
            "round = 'r9'",
            "moves = replace(moves, '35', '36')",
            "body = replace(body, '9C', '8C')",
            "body = body || ' '",
            "hash = zeroblob(32)",
        )
    ),
    ("DELETE FROM journal WHERE seq = 1", "journal", "seq 1"),
    ("DELETE FROM journal WHERE seq = 5", "journal", "seq 5"),
    ("UPDATE journal SET seq = 99 WHERE seq = 5", "journal", "seq 5"),
    ("UPDATE journal SET shares = replace(shares, '16', '17') WHERE seq = 15", "journal", "seq 15"),
    ("DELETE FROM journal WHERE seq = 18", "posting", "seq 18 ann cash GC"),
    ("DELETE FROM journal WHERE seq >= 5", "posting", "seq 5 ann cash GC"),
    (f"INSERT INTO journal SELECT 19, 'x', {COLUMNS} FROM journal WHERE seq = 16", "journal", "seq 19"),
    (f"UPDATE posting SET amount_minor = 4 WHERE seq = 18 AND {OF_ANN}", "posting", "seq 18 ann cash GC"),
    ("DELETE FROM posting WHERE seq = 17 AND amount_minor = -9", "posting", "seq 17 bob cash GC"),
    ("UPDATE round SET stakes = '[17]' WHERE id = 's.ann'", "round", "s.ann"),
    ("UPDATE round SET place = 5 WHERE id = 's.bob'", "round", "s.bob"),
    ("UPDATE round SET staked_minor = 8 WHERE id = 's.ann'", "round", "s.ann"),
    (f"INSERT INTO round SELECT 's9', {SHARED_COLUMNS} FROM round WHERE id = 'r.bob'", "round", "s9"),
    (f"UPDATE posting SET amount_minor = 36 WHERE seq = 5 AND {OF_ANN}", "posting", "seq 5 ann cash GC"),
    (f"UPDATE posting SET balance_minor = 1 WHERE seq = 5 AND {OF_ANN}", "posting", "seq 5 ann cash GC"),
    (f"UPDATE posting SET account_id = 99 WHERE seq = 5 AND {OF_ANN}", "posting", "seq 5 ann cash GC"),
    (f"DELETE FROM posting WHERE seq = 5 AND {OF_ANN}", "posting", "seq 5 ann cash GC"),
    ("DELETE FROM posting WHERE seq = 9 AND amount_minor > 0", "posting", "seq 9 house cashier GC"),
    (f"UPDATE posting SET amount_minor = 17 WHERE seq = 15 AND {OF_ANN}", "posting", "seq 15 ann cash GC"),
    (f"DELETE FROM posting WHERE seq = 15 AND {OF_ANN}", "posting", "seq 15 ann cash GC"),
    ("DELETE FROM posting WHERE seq = 15 AND amount_minor = 10", "posting", f"seq 15 {TABLE}"),
    (
        "UPDATE posting SET balance_minor = 0 WHERE seq = 15 AND amount_minor = 10",
        "posting",
        f"seq 15 {TABLE}",
    ),
    (
        f"INSERT INTO posting SELECT 15, id, 6, 0 FROM account WHERE {IN_PLAY}",
        "posting",
        f"seq 15 {HELD}",
    ),
    (f"UPDATE posting SET amount_minor = 3 WHERE seq = 14 AND {OF_ANN}", "posting", "seq 14 ann cash GC"),
    ("INSERT INTO posting VALUES (10, 1, 5, 5)", "posting", "seq 10 house grants GC"),
    ("INSERT INTO posting VALUES (5, 99, 5, 5)", "posting", "seq 5 account 99"),
    (f"UPDATE account SET balance_minor = balance_minor + 1 WHERE {ANNS_CASH}", "account", "ann cash GC"),
    (f"UPDATE account SET balance_minor = -1 WHERE {ANNS_CASH}", "account", "ann cash GC"),
    (f"UPDATE account SET owner = 'eve' WHERE {ANNS_CASH}", "posting", "seq 1 ann cash GC"),
    (f"UPDATE account SET kind = 'bonus' WHERE {ANNS_CASH}", "posting", "seq 1 ann cash GC"),
    (f"UPDATE account SET currency = 'SC' WHERE {ANNS_CASH}", "posting", "seq 1 ann cash GC"),
    ("DELETE FROM account WHERE owner = 'classic'", "posting", "seq 5 classic table GC"),
    ("INSERT INTO account VALUES (99, 'eve', 'cash', 'GC', 5)", "account", "eve cash GC"),
    ("DELETE FROM account WHERE owner = 'ann' AND kind = 'in_play'", "posting", "seq 3 ann in_play GC"),
    ("UPDATE round SET staked_minor = 21 WHERE id = 'r1'", "round", "r1"),
    ("UPDATE round SET returned_minor = 36 WHERE id = 'r1'", "round", "r1"),
    ("UPDATE round SET status = 'void' WHERE id = 'r1'", "round", "r1"),
    ("UPDATE round SET returned_minor = 1 WHERE id = 'r.bob'", "round", "r.bob"),
    ("UPDATE round SET staked_minor = 10 WHERE id = 'r.ann'", "round", "r.ann"),
    ("UPDATE round SET ended_seq = 14 WHERE id = 'r.ann'", "round", "r.ann"),
    ("UPDATE round SET status = 'open' WHERE id = 'r.bob'", "round", "r.bob"),
    ("UPDATE round SET player = 'eve' WHERE id = 'r.bob'", "round", "r.bob"),
    ("UPDATE round SET staked_minor = 4 WHERE id = 'q.bob'", "round", "q.bob"),
    ("UPDATE round SET status = 'open' WHERE id = 'r2'", "round", "r2"),
    ("UPDATE round SET opened_seq = 2 WHERE id = 'r1'", "round", "r1"),
    ("UPDATE round SET staked_minor = 6 WHERE id = 'r3'", "round", "r3"),
    ("UPDATE round SET id = 'r9' WHERE id = 'r3'", "round", "r3"),
    ("DELETE FROM round WHERE id = 'r3'", "round", "r3"),
    (f"INSERT INTO round SELECT 'r9', {ROUND_COLUMNS} FROM round WHERE id = 'r1'", "round", "r9"),
    ("UPDATE meta SET value = '9 00' WHERE key = 'head'", "meta", "head"),
    ("DELETE FROM meta", "meta", "head"),
]


def forge(books: Path, forgery: Forge) -> BadRow | None:
    """Change the file with all rights, and return what the audit finds."""
    connection = sqlite3.connect(books)
    for (trigger,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {trigger}")
    connection.execute("PRAGMA ignore_check_constraints = 1")
    forgery(connection)
    assert connection.total_changes
    connection.commit()
    connection.close()
    return verify(books).bad


@pytest.mark.parametrize(("statement", "table", "row"), FORGERIES, ids=[each[0] for each in FORGERIES])
def test_a_changed_row_is_found_and_named(books: Path, statement: str, table: str, row: str) -> None:
    bad = forge(books, lambda connection: connection.execute(statement))
    assert bad is not None
    assert (bad.table, bad.row) == (table, row), bad.why


def test_a_missing_account_without_postings_is_found(books: Path) -> None:
    """Stakes at a live table have no postings to `in_play`."""
    ledger = SqliteLedger.open(books, migrate=upgrade)
    ledger.post([give(10, "cay"), stakes(("cay", 10), round_="t", table="floor")]).result()
    ledger.close()
    delete = "DELETE FROM account WHERE owner = 'cay' AND kind = 'in_play'"
    bad = forge(books, lambda connection: connection.execute(delete))
    assert bad == BadRow("account", "cay in_play GC", "is missing: it holds 10")


def test_a_changed_byte_in_the_file_is_found(books: Path) -> None:
    content = books.read_bytes()
    at = content.index(b"good night")
    books.write_bytes(content[:at] + b"G" + content[at + 1 :])
    assert verify(books).bad == BadRow(
        "journal", "seq 10", "its hash doesn't follow from the row and the one before"
    )


def test_an_index_that_does_not_fit_its_table_is_found(books: Path) -> None:
    def break_index(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA writable_schema = 1")
        connection.execute("UPDATE sqlite_schema SET sql = replace(sql, '(player)', '(at_ms)') "
                           "WHERE name = 'journal_by_player'")  # fmt: skip

    bad = forge(books, break_index)
    assert bad is not None
    assert (bad.table, "journal_by_player" in bad.why) == ("file", True)


# --- a recomputed chain, so that only the ledger's rules show the change -----------------------------


def recompute_chain(connection: sqlite3.Connection) -> None:
    head = START
    for *columns, _ in connection.execute("SELECT * FROM journal ORDER BY seq").fetchall():
        head = link(head, JournalRow(*columns))
        connection.execute("UPDATE journal SET hash = ? WHERE seq = ?", (head.hash, head.seq))
    connection.execute("UPDATE meta SET value = ? WHERE key = 'head'", (str(head),))


@pytest.mark.parametrize(
    ("statement", "bad"),
    [
        ("UPDATE journal SET moves = '{}' WHERE seq = 1", ("journal", "seq 1")),
        ("UPDATE journal SET kind = 'gift' WHERE seq = 1", ("journal", "seq 1")),
        ("UPDATE journal SET kind = 'deposit' WHERE seq = 1", ("journal", "seq 1")),
        (
            "UPDATE journal SET moves = replace(moves, '100', '101') WHERE seq = 1",
            ("posting", "seq 1 house grants GC"),
        ),
        (
            "UPDATE journal SET moves = replace(moves, '20', '19') WHERE seq = 5",
            ("posting", "seq 5 ann in_play GC"),
        ),
        ("UPDATE journal SET at_ms = 1 WHERE seq = 3", ("round", "r1")),
        ("UPDATE journal SET round = 'r9' WHERE seq = 8", ("round", "r9")),
        ("UPDATE journal SET round = 'r9' WHERE seq = 7", ("journal", "seq 7")),
        ("UPDATE journal SET shares = 'null' WHERE seq = 15", ("journal", "seq 15")),
        ("UPDATE journal SET shares = '[]' WHERE seq = 15", ("journal", "seq 15")),
        ("UPDATE journal SET kind = 'call_off' WHERE seq = 15", ("journal", "seq 15")),
        ("UPDATE journal SET at_ms = 1 WHERE seq = 15", ("round", "r.ann")),
    ],
)
def test_a_forged_entry_with_a_valid_chain_is_found(
    books: Path, statement: str, bad: tuple[str, str]
) -> None:
    def rewrite(connection: sqlite3.Connection) -> None:
        connection.execute(statement)
        recompute_chain(connection)

    found = forge(books, rewrite)
    assert found is not None
    assert (found.table, found.row) == bad, found.why


@pytest.mark.parametrize(
    ("share", "forged", "bad"),
    [
        ('"bob",20,0', '"bob",19,0', ("posting", f"seq 15 {TABLE}")),
        ('"bob",20,0', '"bob",20,1', ("posting", f"seq 15 {TABLE}")),
        ('"ann",6,16', '"ann",6,17', ("posting", "seq 15 ann cash GC")),
        ('["r.ann","ann",6,16],', "", ("posting", f"seq 15 {TABLE}")),
        ('"r.bob"', '"r3"', ("journal", "seq 15")),
        ('"bob",20', '"ann",20', ("journal", "seq 15")),
        ('"GC"', '"SC"', ("journal", "seq 15")),
    ],
)
def test_a_forged_share_with_a_valid_chain_is_found(
    books: Path, share: str, forged: str, bad: tuple[str, str]
) -> None:
    def rewrite(connection: sqlite3.Connection) -> None:
        statement = "UPDATE journal SET shares = replace(shares, ?, ?) WHERE seq = 15"
        connection.execute(statement, (share, forged))
        recompute_chain(connection)

    found = forge(books, rewrite)
    assert found is not None
    assert (found.table, found.row) == bad, found.why


def test_a_consistent_forgery_that_overdraws_is_found(books: Path) -> None:
    """Ann's grant was 15 instead of 100, in the journal, the postings and the balances."""

    def impoverish(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE journal SET moves = replace(moves, ',100]', ',15]') WHERE seq = 1")
        accounts = connection.execute("SELECT account_id, sign(amount_minor) FROM posting WHERE seq = 1")
        for account, sign in accounts.fetchall():
            less, of_account = (-85 * sign,), f"account_id = {account}"
            connection.execute(
                f"UPDATE posting SET amount_minor = amount_minor + ? WHERE seq = 1 AND {of_account}", less
            )
            connection.execute(
                f"UPDATE posting SET balance_minor = balance_minor + ? WHERE {of_account}", less
            )
        recompute_chain(connection)

    assert forge(books, impoverish) == BadRow("journal", "seq 4", "ann cash GC is negative after it")


def test_stakes_in_play_are_those_of_the_open_rounds(books: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: stakes added later are ignored, in the round's row and in the audit."""
    ledger = SqliteLedger.open(books, migrate=upgrade)
    ledger.post([answer(3, THIRD)]).result()
    ledger.close()
    monkeypatch.setattr(
        audit,
        "follow",
        lambda before, entry, seq: before if entry.round == "r3" and before else follow(before, entry, seq),
    )
    bad = forge(books, lambda books: books.execute("UPDATE round SET staked_minor = 5 WHERE id = 'r3'"))
    assert bad == BadRow("account", "bob in_play GC", "holds 22: 19 is staked")


@pytest.mark.parametrize(
    "opens", [deal(1, of("bob", "r4", "floor")), stakes(("bob", 1), round_="r4", table="floor")]
)
def test_a_second_open_round_at_a_table_is_found(
    books: Path, monkeypatch: pytest.MonkeyPatch, opens: Entry
) -> None:
    """Planted fault: the writer ignores the player's open round there."""
    ledger = SqliteLedger.open(books, migrate=upgrade)
    with monkeypatch.context() as patched:
        patched.setattr(LedgerCache, "open_round_at", lambda *_: None)
        ledger.post([opens]).result()
    ledger.close()
    assert verify(books).bad == BadRow("journal", "seq 19", "bob has a round open at floor already")


# --- replays ------------------------------------------------------------------------


def test_every_round_is_replayed(books: Path) -> None:
    results = {
        "r1": (20, 35),
        "r2": (7, 0),
        "r3": (5, 0),
        "r.ann": (6, 16),
        "r.bob": (20, 0),
        "q.bob": (5, 0),
        "s.ann": (5, 0),
        "s.bob": (9, 0),
    }
    seen: list[RoundRecord] = []

    def replay(record: RoundRecord) -> tuple[int, int]:
        seen.append(record)
        return results[record.id]

    report = verify(books, replay=replay)
    assert (report.bad, report.replayed) == (None, 8)
    ledger = SqliteLedger.open(books, migrate=upgrade)
    order = ("r1", "r2", "r.ann", "r.bob", "r3", "q.bob", "s.ann", "s.bob")
    assert seen == [ledger.round(round_id) for round_id in order]
    ledger.close()


@pytest.mark.parametrize(
    ("round_id", "wrong"),
    [
        ("r1", (20, 34)),
        ("r1", (19, 35)),
        ("r2", (8, 0)),
        ("r3", (4, 0)),
        ("r.ann", (6, 17)),
        ("r.bob", (19, 0)),
    ],
)
def test_a_different_replay_is_found(books: Path, round_id: str, wrong: tuple[int, int]) -> None:
    bad = verify(books, replay=lambda record: wrong if record.id == round_id else None).bad
    assert bad is not None
    assert (bad.table, bad.row) == ("round", round_id)
    assert f"played again it makes {wrong}" in bad.why


def test_a_failed_replay_is_found(books: Path) -> None:
    def replay(record: RoundRecord) -> tuple[int, int] | None:
        raise KeyError(record.table)

    assert verify(books, replay=replay).bad == BadRow(
        "round", "r1", "can't be played again: KeyError('classic')"
    )


def test_the_hash_covers_every_column() -> None:
    row = JournalRow(1, "k", "note", 2, "ann", "classic", "r1", "[]", "null", "{}")
    other = JournalRow(9, "x", "void", 9, "x", "x", "x", "x", "x", "x")
    changed = [JournalRow._make([*row[:n], other[n], *row[n + 1 :]]) for n in range(len(row))]
    heads = {link(START, each).hash for each in [row, *changed]} | {link(Head(0, b"x"), row).hash}
    assert len(heads) == len(row) + 2
