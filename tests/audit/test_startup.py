"""A server doesn't open over books that are wrong, or over open rounds whose shoes it can't read."""

import asyncio
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

from croupier.app.serve import BOOKS, KEY
from croupier.audit.data_folder import audit
from croupier.audit.startup import CHECKPOINT
from croupier.ledger import entries
from croupier.ledger.sqlite.balance_check import NOTHING, Stopped, compare_balances
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.protocol import wire
from croupier.runtime.shoe_key import NOTED
from tests.ledger.sample_entries import answer, coup, deal, give, of, settle, stakes
from tests.support.browser_connection import begun, guest_at
from tests.support.server_process import CROUPIER, HouseProcess


def serve(data: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    command = [*CROUPIER, "serve", "--port", "0", "--socket-port", "0", "--data", str(data), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def refused(data: Path, *said: str) -> None:
    before = data.joinpath(BOOKS).read_bytes()
    ran = serve(data)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1), ran.stderr
    for words in said:
        assert words in ran.stderr
    assert data.joinpath(BOOKS).read_bytes() == before, "a server that doesn't open changes nothing"


def opens(data: Path, *words: str) -> str:
    """What it logs meanwhile."""
    house = HouseProcess(data, words=words).start()
    assert house.stop() == 0
    return house.log.read_text()


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a server that was closed while a hand at an own table is open."""
    house = HouseProcess(tmp_path_factory.mktemp("closed") / "data").start()

    async def play() -> None:
        async with guest_at(house.address) as browser:
            await browser.join("double_exposure")
            await begun(browser, "double_exposure", wire.Stake(0, "main", 1000))

    asyncio.run(play())
    assert house.stop() == 0
    return house.data


@pytest.fixture
def data(closed: Path, tmp_path: Path) -> Path:
    """The same folder, of the test's own."""
    shutil.copytree(closed, tmp_path / "data")
    return tmp_path / "data"


def status_of_rounds(data: Path) -> list[str]:
    with sqlite3.connect(data / BOOKS) as books:
        found = [status for (status,) in books.execute("SELECT status FROM round ORDER BY place")]
    books.close()
    return found


# --- the balances

WRONG = [
    ("UPDATE account SET balance_minor = balance_minor + 1 WHERE kind = 'cash'", "cash GC holds"),
    ("UPDATE account SET balance_minor = 7 WHERE kind = 'in_play'", "in_play GC holds 7"),
    ("INSERT INTO account VALUES (99, 'eve', 'cash', 'GC', 5)", "eve cash GC holds 5 and not 0"),
    ("DELETE FROM account WHERE kind = 'cash' AND currency = 'GC'", "cash GC holds 0 and not"),
    ("UPDATE round SET staked_minor = 1", "is staked in open rounds"),
    ("UPDATE round SET status = 'void'", "is staked in open rounds"),
    ("UPDATE meta SET value = '1 00' WHERE key = 'head'", "another was written last"),
]


@pytest.mark.parametrize(("forgery", "why"), WRONG, ids=[forgery for forgery, _ in WRONG])
def test_balances_that_disagree_with_the_journal_keep_it_closed(data: Path, forgery: str, why: str) -> None:
    with sqlite3.connect(data / BOOKS) as books:
        assert books.execute(forgery).rowcount
    books.close()
    refused(data, "the balances and the journal disagree", why, "croupier verify")


def test_a_journal_that_was_cut_or_changed_keeps_it_closed(data: Path) -> None:
    with sqlite3.connect(data / BOOKS) as books:
        books.execute("DROP TRIGGER journal_no_update")
        books.execute("UPDATE journal SET body = '{}' WHERE seq = 3")
    books.close()
    refused(data, "the journal is broken after entry 2")


def test_a_journal_that_is_not_the_one_anchored_keeps_it_closed(data: Path, tmp_path: Path) -> None:
    """An older copy of the database, with all that it needs."""
    older = tmp_path / "older.db"
    older.write_bytes(data.joinpath(BOOKS).read_bytes())
    opens(data, "--accept-system-time")  # enters a note, and anchors it
    data.joinpath(BOOKS).write_bytes(older.read_bytes())
    refused(data, "isn't the one that was anchored")
    data.joinpath("anchors.jsonl").unlink()
    opens(data)


def test_books_of_every_kind_agree(tmp_path: Path) -> None:
    ledger = SqliteLedger.open(tmp_path / BOOKS, migrate=upgrade)
    live = of("ann", table="live")
    for sequence in (
        [give(100), give(50, "bob"), deal(10), answer(10), settle(20, 35)],
        [deal(10, live), coup(("ann", 10, 16), table="live")],
        [stakes(("ann", 8), ("bob", 9), round_="s", table="floor")],
        [stakes(("ann", -3), round_="s", table="floor")],
    ):
        ledger.post(sequence).result()
    ledger.close()
    checkpoint = compare_balances(tmp_path / BOOKS)
    assert compare_balances(tmp_path / BOOKS, checkpoint) == checkpoint
    with pytest.raises(Stopped):
        compare_balances(tmp_path / BOOKS, NOTHING, lambda: True)


def test_what_was_compared_before_is_not_read_again(data: Path) -> None:
    ledger = SqliteLedger.open(data / BOOKS, migrate=upgrade)
    ledger.post([entries.note(f"n{number}", 1, {}) for number in range(1_100)]).result()
    ledger.close()
    opens(data)
    kept = data / CHECKPOINT
    assert kept.exists()
    forged = kept.read_bytes().replace(b'"cash"', b'"cush"')
    kept.write_bytes(forged)
    assert "isn't signed with the key" in opens(data), "a forged checkpoint isn't used"


# --- the key of the shoes


def test_without_the_key_open_rounds_keep_it_closed(data: Path) -> None:
    key = data / KEY
    key.rename(data / "elsewhere")
    refused(data, "shoes.key is missing", "1 open rounds can't be dealt on", "--void-unreadable")
    assert not key.exists(), "none is made"
    data.joinpath("elsewhere").rename(key)
    opens(data)
    assert status_of_rounds(data)[-1] == "open"


@pytest.mark.parametrize(
    ("key", "why"),
    [(b"", "isn't a key"), (b"short", "isn't a key"), (bytes(32), "isn't the key that was used last")],
    ids=["empty", "short", "another"],
)
def test_another_key_keeps_it_closed_while_rounds_are_open(data: Path, key: bytes, why: str) -> None:
    data.joinpath(KEY).write_bytes(key)
    refused(data, KEY, why, "open rounds can't be dealt on", "--void-unreadable")


@pytest.mark.parametrize("key", [None, b"", bytes(32)], ids=["missing", "empty", "another"])
def test_an_operator_may_void_what_cannot_be_read_and_the_journal_says_so(
    data: Path, key: bytes | None
) -> None:
    data.joinpath(KEY).unlink()
    if key is not None:
        data.joinpath(KEY).write_bytes(key)
    assert "voided by the operator" in opens(data, "--void-unreadable")
    assert set(status_of_rounds(data)[-1:]) == {"void"}
    with sqlite3.connect(data / BOOKS) as books:
        (reason,) = books.execute("SELECT body ->> 'reason' FROM journal WHERE kind = 'void'").fetchone()
        keys = books.execute("SELECT count(*) FROM journal WHERE key LIKE ?", (f"{NOTED}%",)).fetchone()
    books.close()
    assert reason.startswith("voided by the operator: shoes.key is")
    assert keys == (2,)
    assert audit(data / BOOKS, data / KEY, lambda *_: None).bad is None
    opens(data)


def test_with_no_round_open_a_missing_key_is_made_and_noted(data: Path) -> None:
    data.joinpath(KEY).unlink()
    opens(data, "--void-unreadable")
    data.joinpath(KEY).unlink()
    assert "the key of the shoes is another" in opens(data)
    assert data.joinpath(KEY).stat().st_size == 32
    assert audit(data / BOOKS, data / KEY, lambda *_: None).bad is None


def test_an_empty_key_is_refused_in_a_sentence_also_with_no_round_open(tmp_path: Path) -> None:
    data = tmp_path / "data"
    opens(data)
    data.joinpath(KEY).write_bytes(b"")
    refused(data, "isn't a key", "remove it")


def test_verify_names_a_key_that_is_another(data: Path) -> None:
    data.joinpath(KEY).write_bytes(bytes(32))
    bad = audit(data / BOOKS, data / KEY, lambda *_: None).bad
    assert bad is not None
    assert (bad.table, bad.row) == ("key", KEY)


def test_a_command_for_staff_makes_no_key(tmp_path: Path) -> None:
    words = [*CROUPIER, "staff", "add", "Ada", "--role", "dealer", "--data", str(tmp_path)]
    subprocess.run(words, check=True, capture_output=True)
    assert not tmp_path.joinpath(KEY).exists()
