"""Calls to an operator's wallet: a table derived from the journal, and an audit that compares both."""

from pathlib import Path

import pytest

from croupier.ledger.entries import Entry, Ticket
from croupier.ledger.sql.verify import verify
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.ledger.wallet_entries import (
    WalletOrder,
    call_of,
    wallet_call,
    wallet_debited,
    wallet_disputed,
    wallet_due,
    wallet_refused,
    wallet_rollback,
    wallet_rolled_back,
    wallet_settled,
)
from croupier.refusal import Refused
from tests.ledger.sample_entries import deal, settle
from tests.ledger.sqlite.forging import forge

TICKET = Ticket("r1", "ann", "classic", "EUR")
STAKE = wallet_call(TICKET, "t1", 1, WalletOrder("EUR", 20, "stake", "blackjack"))
CALL = call_of(STAKE, "called")
WIN = wallet_due(TICKET, "r1.end", 3, WalletOrder("EUR", 35, "win", "blackjack", "settled", 20, 35))
DUE = call_of(WIN, "due")
PLAYED = wallet_debited(CALL, 2), deal(20, TICKET), settle(20, 35, TICKET), WIN
COURSES: list[tuple[tuple[Entry, ...], dict[str, str]]] = [
    ((STAKE,), {"t1": "called"}),
    ((STAKE, wallet_refused(CALL, 2, "limit")), {}),
    ((STAKE, wallet_rollback(CALL, 2)), {"t1": "due"}),
    ((STAKE, wallet_rollback(CALL, 2), wallet_disputed(CALL, 3, "late")), {"t1": "disputed"}),
    ((STAKE, wallet_rollback(CALL, 2), wallet_rolled_back(CALL, 3)), {}),
    ((STAKE, *PLAYED), {"r1.end": "due"}),
    ((STAKE, *PLAYED, wallet_disputed(DUE, 4, "closed")), {"r1.end": "disputed"}),
    ((STAKE, *PLAYED, wallet_settled(DUE, 4)), {}),
]
"""Entries, and the states of the calls that they leave open."""
FORGERIES = [
    ("DELETE FROM wallet_call", "r1.end"),
    ("UPDATE wallet_call SET state = 'disputed'", "r1.end"),
    ("UPDATE wallet_call SET opened_seq = 1", "r1.end"),
    ("INSERT INTO wallet_call VALUES ('t1', 1, 'called')", "t1"),
]


@pytest.mark.parametrize(("posted", "left"), COURSES, ids=[posted[-1].key for posted, _ in COURSES])
def test_open_calls_follow_the_journal(
    tmp_path: Path, posted: tuple[Entry, ...], left: dict[str, str]
) -> None:
    path = tmp_path / "croupier.db"
    ledger = SqliteLedger.open(path, migrate=upgrade)
    for entry in posted[:1]:
        ledger.post([entry]).result()
    if posted[1:]:
        ledger.post(posted[1:]).result()
    assert {call.transaction: call.state for call in ledger.wallet_calls()} == left
    ledger.close()
    assert verify(path).bad is None


@pytest.mark.parametrize("second", [wallet_debited(CALL, 3), wallet_rollback(CALL, 3)])
def test_a_debit_has_one_outcome(ledger: SqliteLedger, second: Entry) -> None:
    ledger.post([STAKE]).result()
    ledger.post([wallet_refused(CALL, 2, "limit")]).result()
    with pytest.raises(Refused, match="key_reused"):
        ledger.post([second]).result()


@pytest.fixture
def owing(tmp_path: Path) -> Path:
    """A database with a win that is due to the wallet."""
    path = tmp_path / "croupier.db"
    ledger = SqliteLedger.open(path, migrate=upgrade)
    ledger.post([STAKE]).result()
    ledger.post(PLAYED).result()
    ledger.close()
    return path


@pytest.mark.parametrize(("statement", "row"), FORGERIES)
def test_a_changed_call_is_found_and_named(owing: Path, statement: str, row: str) -> None:
    bad = forge(owing, lambda connection: connection.execute(statement))
    assert bad is not None
    assert (bad.table, bad.row) == ("wallet_call", row), bad.why


def test_a_settlement_of_another_amount_is_found(tmp_path: Path) -> None:
    path = tmp_path / "croupier.db"
    ledger = SqliteLedger.open(path, migrate=upgrade)
    other = call_of(wallet_due(TICKET, "r1.end", 3, WalletOrder("EUR", 5, "win", "blackjack")), "due")
    ledger.post([STAKE]).result()
    ledger.post([*PLAYED, wallet_settled(other, 4)]).result()
    ledger.close()
    bad = verify(path).bad
    assert bad is not None
    assert (bad.table, bad.row) == ("journal", "seq 6")
