"""The audit names a single changed, added or removed row."""

from pathlib import Path

import pytest

from croupier.ledger.audit import BadRow
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.databases import Database
from croupier.ledger.sql.verify import verify
from croupier.ledger.stores import open_ledger
from tests.ledger.sample_entries import grant, stakes
from tests.ledger.sqlite.forging import TABLE, forge

COLUMNS = "kind, at_ms, player, table_id, round, moves, shares, body, hash"
ROUND_COLUMNS = """player, table_id, currency, number, started_ms, ended_ms, status, staked_minor,
    returned_minor, 2, ended_seq, 2, stakes"""
SHARED_COLUMNS = ROUND_COLUMNS.replace("2, ended_seq, 2", "17, ended_seq, 17 * 1048576 + 2")
OF_ANN = "account_id = (SELECT id FROM account WHERE owner = 'ann' AND kind = 'cash')"
IN_PLAY = "owner = 'ann' AND kind = 'in_play'"
HELD = "ann in_play GC"
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
            "hash = (SELECT hash FROM journal WHERE seq = 4)",
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
        f"INSERT INTO posting SELECT 15, id, 6, 0, 0, 0 FROM account WHERE {IN_PLAY}",
        "posting",
        f"seq 15 {HELD}",
    ),
    (f"UPDATE posting SET amount_minor = 3 WHERE seq = 14 AND {OF_ANN}", "posting", "seq 14 ann cash GC"),
    ("INSERT INTO posting VALUES (10, 1, 5, 5, 0, 0)", "posting", "seq 10 house grants GC"),
    ("INSERT INTO posting VALUES (5, 99, 5, 5, 0, 0)", "posting", "seq 5 account 99"),
    (f"UPDATE account SET balance_minor = balance_minor + 1 WHERE {ANNS_CASH}", "account", "ann cash GC"),
    (f"UPDATE account SET balance_minor = -1 WHERE {ANNS_CASH}", "account", "ann cash GC"),
    (f"UPDATE account SET owner = 'eve' WHERE {ANNS_CASH}", "posting", "seq 1 ann cash GC"),
    (f"UPDATE account SET kind = 'bonus' WHERE {ANNS_CASH}", "posting", "seq 1 ann cash GC"),
    (f"UPDATE account SET currency = 'SC' WHERE {ANNS_CASH}", "posting", "seq 1 ann cash GC"),
    ("DELETE FROM account WHERE owner = 'classic'", "posting", "seq 5 classic table GC"),
    ("INSERT INTO account VALUES (99, 'eve', 'cash', 'GC', 5, 0)", "account", "eve cash GC"),
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


@pytest.mark.any_store
@pytest.mark.parametrize(("statement", "table", "row"), FORGERIES, ids=[each[0] for each in FORGERIES])
def test_a_changed_row_is_found_and_named(audited: Database, statement: str, table: str, row: str) -> None:
    bad = forge(audited, lambda connection: connection.execute(statement))
    assert bad is not None
    assert (bad.table, bad.row) == (table, row), bad.why


@pytest.mark.any_store
def test_a_missing_account_without_postings_is_found(audited: Database) -> None:
    """Stakes at a live table have no postings to `in_play`."""
    ledger = open_ledger(audited)
    ledger.post([grant(10, "cay"), stakes(("cay", 10), round_="t", table="live_2")]).result()
    ledger.close()
    delete = "DELETE FROM account WHERE owner = 'cay' AND kind = 'in_play'"
    bad = forge(audited, lambda connection: connection.execute(delete))
    assert bad == BadRow("account", "cay in_play GC", "is missing: it holds 10")


def test_a_changed_byte_in_the_file_is_found(audited: Path) -> None:
    content = audited.read_bytes()
    at = content.index(b"first note")
    audited.write_bytes(content[:at] + b"F" + content[at + 1 :])
    assert verify(audited).bad == BadRow(
        "journal", "seq 10", "its hash doesn't follow from the row and the one before"
    )


def test_an_index_that_does_not_fit_its_table_is_found(audited: Path) -> None:
    def break_index(connection: Connection) -> None:
        connection.execute("PRAGMA writable_schema = 1")
        connection.execute("UPDATE sqlite_schema SET sql = replace(sql, '(player)', '(at_ms)') "
                           "WHERE name = 'journal_by_player'")  # fmt: skip

    bad = forge(audited, break_index)
    assert bad is not None
    assert (bad.table, "journal_by_player" in bad.why) == ("file", True)
