"""The audit finds forged entries by the ledger's rules alone, although the chain was recomputed."""

import pytest

from croupier.ledger.audit import BadRow
from croupier.ledger.cache import LedgerCache
from croupier.ledger.entries import Entry
from croupier.ledger.round_records import follow
from croupier.ledger.sql import audit
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.databases import Database
from croupier.ledger.sql.verify import verify
from croupier.ledger.stores import open_ledger
from tests.ledger.sample_entries import answer, deal, stakes, ticket_of
from tests.ledger.sqlite.forging import TABLE, THIRD, forge, recompute_chain

pytestmark = pytest.mark.any_store


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
    audited: Database, statement: str, bad: tuple[str, str]
) -> None:
    def rewrite(connection: Connection) -> None:
        connection.execute(statement)
        recompute_chain(connection)

    found = forge(audited, rewrite)
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
    audited: Database, share: str, forged: str, bad: tuple[str, str]
) -> None:
    def rewrite(connection: Connection) -> None:
        statement = "UPDATE journal SET shares = replace(shares, ?, ?) WHERE seq = 15"
        connection.execute(statement, (share, forged))
        recompute_chain(connection)

    found = forge(audited, rewrite)
    assert found is not None
    assert (found.table, found.row) == bad, found.why


def test_a_consistent_forgery_that_overdraws_is_found(audited: Database) -> None:
    """Ann's grant was 15 instead of 100, in the journal, the postings and the balances."""

    def impoverish(connection: Connection) -> None:
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

    assert forge(audited, impoverish) == BadRow("journal", "seq 4", "ann cash GC is negative after it")


# --- planted faults


def test_stakes_in_play_are_those_of_the_open_rounds(
    audited: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: stakes added later are ignored, in the round's row and in the audit."""
    ledger = open_ledger(audited)
    ledger.post([answer(3, THIRD)]).result()
    ledger.close()
    monkeypatch.setattr(
        audit,
        "follow",
        lambda before, entry, seq: before if entry.round == "r3" and before else follow(before, entry, seq),
    )
    bad = forge(audited, lambda db: db.execute("UPDATE round SET staked_minor = 5 WHERE id = 'r3'"))
    assert bad == BadRow("account", "bob in_play GC", "holds 22: 19 is staked")


@pytest.mark.parametrize(
    "opens", [deal(1, ticket_of("bob", "r4", "live_2")), stakes(("bob", 1), round_="r4", table="live_2")]
)
def test_a_second_open_round_at_a_table_is_found(
    audited: Database, monkeypatch: pytest.MonkeyPatch, opens: Entry
) -> None:
    """Planted fault: the writer ignores the player's open round there."""
    ledger = open_ledger(audited)
    with monkeypatch.context() as patched:
        patched.setattr(LedgerCache, "open_round_at", lambda *_: None)
        ledger.post([opens]).result()
    ledger.close()
    assert verify(audited).bad == BadRow("journal", "seq 19", "bob has a round open at live_2 already")
