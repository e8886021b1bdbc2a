"""A server doesn't start if its database is wrong, or if it can't read the shoes of open rounds."""

import asyncio
import shutil
import sqlite3
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from croupier.app.serve import DATABASE, SHOES_KEY
from croupier.audit.anchoring.log import ANCHOR_KEY, signing_key
from croupier.audit.data_folder import audit
from croupier.audit.startup import CHECKPOINT, check_balances
from croupier.ledger import entries
from croupier.ledger.protocol import DatabaseUnusable
from croupier.ledger.sql.balance_check import NOTHING, Stopped, compare_balances
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.protocol import wire
from croupier.rounds.shoe_key import NOTED
from tests.ledger.sample_entries import answer, coup, deal, grant, settle, stakes, ticket_of
from tests.support import preloaded
from tests.support.browser_connection import connect_guest, deal_open_round
from tests.support.server_process import CROUPIER, ServerProcess


def serve(data: Path, *words: str) -> CompletedProcess[str]:
    command = [*CROUPIER, "serve", "--port", "0", "--socket-port", "0", "--data", str(data), *words]
    return preloaded.run(command, timeout=60)


def assert_refused(data: Path, *sentences: str) -> None:
    before = data.joinpath(DATABASE).read_bytes()
    ran = serve(data)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1), ran.stderr
    for sentence in sentences:
        assert sentence in ran.stderr
    assert data.joinpath(DATABASE).read_bytes() == before, "a server that doesn't start changes nothing"


def start_and_stop(data: Path, *words: str) -> str:
    """Start and stop the server; return its log."""
    server = ServerProcess(data, options=words).start()
    assert server.stop() == 0
    return server.log.read_text()


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the data folder of a server that was stopped while a hand at an own table was open."""
    server = ServerProcess(tmp_path_factory.mktemp("stopped") / "data").start()

    async def play() -> None:
        async with connect_guest(server.address) as browser:
            await browser.join("double_exposure")
            await deal_open_round(browser, "double_exposure", wire.Stake(0, "main", 1000))

    asyncio.run(play())
    assert server.stop() == 0
    return server.data


@pytest.fixture
def data(stopped: Path, tmp_path: Path) -> Path:
    """Return a copy of that folder."""
    shutil.copytree(stopped, tmp_path / "data")
    return tmp_path / "data"


def status_of_rounds(data: Path) -> list[str]:
    with sqlite3.connect(data / DATABASE) as database:
        found = [status for (status,) in database.execute("SELECT status FROM round ORDER BY place")]
    database.close()
    return found


# --- the balances

WRONG = [
    ("UPDATE account SET balance_minor = balance_minor + 1 WHERE kind = 'cash'", "cash GC holds"),
    ("UPDATE account SET balance_minor = 7 WHERE kind = 'in_play'", "in_play GC holds 7"),
    ("INSERT INTO account VALUES (99, 'eve', 'cash', 'GC', 5, 0)", "eve cash GC holds 5 and not 0"),
    ("DELETE FROM account WHERE kind = 'cash' AND currency = 'GC'", "cash GC holds 0 and not"),
    ("UPDATE round SET staked_minor = 1", "is staked in open rounds"),
    ("UPDATE round SET status = 'void'", "is staked in open rounds"),
    ("UPDATE meta SET value = '1 00' WHERE key = 'head'", "another was written last"),
]


def forge(data: Path, forgery: str) -> None:
    with sqlite3.connect(data / DATABASE) as database:
        assert database.execute(forgery).rowcount
    database.close()


def test_balances_that_disagree_with_the_journal_prevent_the_start(data: Path) -> None:
    forgery, why = WRONG[0]
    forge(data, forgery)
    assert_refused(data, "the balances and the journal disagree", why, "croupier verify")


@pytest.mark.parametrize(("forgery", "why"), WRONG[1:], ids=[forgery for forgery, _ in WRONG[1:]])
def test_other_balances_that_disagree_with_the_journal_are_found(data: Path, forgery: str, why: str) -> None:
    forge(data, forgery)
    with pytest.raises(DatabaseUnusable, match="the balances and the journal disagree") as found:
        check_balances(data, data / DATABASE, signing_key(data / ANCHOR_KEY))
    assert why in str(found.value)


def test_a_truncated_or_changed_journal_prevents_the_start(data: Path) -> None:
    with sqlite3.connect(data / DATABASE) as database:
        database.execute("DROP TRIGGER journal_no_update")
        database.execute("UPDATE journal SET body = '{}' WHERE seq = 3")
    database.close()
    assert_refused(data, "the journal is broken after entry 2")


def test_a_journal_other_than_the_anchored_one_prevents_the_start(data: Path, tmp_path: Path) -> None:
    """It is an older copy of the database, consistent in itself."""
    older = tmp_path / "older.db"
    older.write_bytes(data.joinpath(DATABASE).read_bytes())
    start_and_stop(data, "--accept-system-time")  # posts a note, and anchors it
    data.joinpath(DATABASE).write_bytes(older.read_bytes())
    assert_refused(data, "isn't the one that was anchored")
    data.joinpath("anchors.jsonl").unlink()
    start_and_stop(data)


def test_entries_of_every_kind_agree_with_the_balances(tmp_path: Path) -> None:
    ledger = SqliteLedger.open(tmp_path / DATABASE, migrate=upgrade)
    live = ticket_of("ann", table="live")
    for sequence in (
        [grant(100), grant(50, "bob"), deal(10), answer(10), settle(20, 35)],
        [deal(10, live), coup(("ann", 10, 16), table="live")],
        [stakes(("ann", 8), ("bob", 9), round_="s", table="floor")],
        [stakes(("ann", -3), round_="s", table="floor")],
    ):
        ledger.post(sequence).result()
    ledger.close()
    checkpoint = compare_balances(tmp_path / DATABASE)
    assert compare_balances(tmp_path / DATABASE, checkpoint) == checkpoint
    with pytest.raises(Stopped):
        compare_balances(tmp_path / DATABASE, NOTHING, lambda: True)


def test_compared_entries_are_not_read_again(data: Path) -> None:
    ledger = SqliteLedger.open(data / DATABASE, migrate=upgrade)
    ledger.post([entries.note(f"n{number}", 1, {}) for number in range(1_100)]).result()
    ledger.close()
    start_and_stop(data)
    kept = data / CHECKPOINT
    assert kept.exists()
    forged = kept.read_bytes().replace(b'"cash"', b'"cush"')
    kept.write_bytes(forged)
    assert "isn't signed with the key" in start_and_stop(data), "a forged checkpoint isn't used"


# --- the key of the shoes


def test_open_rounds_without_the_key_prevent_the_start(data: Path) -> None:
    key = data / SHOES_KEY
    key.rename(data / "elsewhere")
    assert_refused(data, "shoes.key is missing", "1 open rounds can't be resumed", "--void-unreadable")
    assert not key.exists(), "no key is created"
    data.joinpath("elsewhere").rename(key)
    start_and_stop(data)
    assert status_of_rounds(data)[-1] == "open"


@pytest.mark.parametrize(
    ("key", "why"),
    [
        pytest.param(b"", "isn't a key", id="empty"),
        pytest.param(b"short", "isn't a key", id="short", marks=pytest.mark.campaign),
        pytest.param(bytes(32), "isn't the key that was used last", id="another"),
    ],
)
def test_another_key_prevents_the_start_while_rounds_are_open(data: Path, key: bytes, why: str) -> None:
    data.joinpath(SHOES_KEY).write_bytes(key)
    assert_refused(data, SHOES_KEY, why, "open rounds can't be resumed", "--void-unreadable")


@pytest.mark.parametrize(
    "key",
    [
        pytest.param(None, id="missing"),
        pytest.param(b"", id="empty", marks=pytest.mark.campaign),
        pytest.param(bytes(32), id="another", marks=pytest.mark.campaign),
    ],
)
def test_an_operator_may_void_unreadable_rounds_which_the_journal_records(
    data: Path, key: bytes | None
) -> None:
    data.joinpath(SHOES_KEY).unlink()
    if key is not None:
        data.joinpath(SHOES_KEY).write_bytes(key)
    assert "voided by the operator" in start_and_stop(data, "--void-unreadable")
    assert set(status_of_rounds(data)[-1:]) == {"void"}
    with sqlite3.connect(data / DATABASE) as database:
        (reason,) = database.execute("SELECT body ->> 'reason' FROM journal WHERE kind = 'void'").fetchone()
        keys = database.execute("SELECT count(*) FROM journal WHERE key LIKE ?", (f"{NOTED}%",)).fetchone()
    database.close()
    assert reason.startswith("voided by the operator: shoes.key is")
    assert keys == (2,)
    assert audit(data / DATABASE, data / SHOES_KEY, lambda *_: None).bad is None
    start_and_stop(data)


def test_without_open_rounds_a_missing_key_is_created_and_recorded(data: Path) -> None:
    data.joinpath(SHOES_KEY).unlink()
    start_and_stop(data, "--void-unreadable")
    data.joinpath(SHOES_KEY).unlink()
    assert "the key of the shoes has changed" in start_and_stop(data)
    assert data.joinpath(SHOES_KEY).stat().st_size == 32
    assert audit(data / DATABASE, data / SHOES_KEY, lambda *_: None).bad is None


def test_an_empty_key_is_refused_in_a_sentence_even_without_open_rounds(tmp_path: Path) -> None:
    data = tmp_path / "data"
    start_and_stop(data)
    data.joinpath(SHOES_KEY).write_bytes(b"")
    assert_refused(data, "isn't a key", "remove it")


def test_verify_reports_another_key(data: Path) -> None:
    data.joinpath(SHOES_KEY).write_bytes(bytes(32))
    bad = audit(data / DATABASE, data / SHOES_KEY, lambda *_: None).bad
    assert bad is not None
    assert (bad.table, bad.row) == ("key", SHOES_KEY)


def test_a_staff_command_creates_no_key(tmp_path: Path) -> None:
    words = [*CROUPIER, "staff", "add", "Ada", "--role", "dealer", "--data", str(tmp_path)]
    assert preloaded.run(words).returncode == 0
    assert not tmp_path.joinpath(SHOES_KEY).exists()
