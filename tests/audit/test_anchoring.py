"""Anchors and receipts that are kept elsewhere reveal a journal that was rewritten consistently."""

import asyncio
import json
import logging
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from socket import AF_INET, SOCK_DGRAM, socket
from subprocess import CompletedProcess

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.app.serve import DATABASE
from croupier.audit.anchoring import anchoring
from croupier.audit.anchoring.anchoring import Anchoring, database_id
from croupier.audit.anchoring.log import AnchorLog
from croupier.audit.anchoring.targets import target_of
from croupier.ledger.anchors import check_anchors
from croupier.ledger.audit import BadRow
from croupier.ledger.chain import START, JournalRow, link
from croupier.ledger.sql.verify import verify
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from tests.ledger.sample_entries import answer, deal, grant, settle
from tests.support import preloaded
from tests.support.server_process import CROUPIER

pytestmark = pytest.mark.anyio

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = KEY.public_key().public_bytes_raw().hex()
WITHIN_S = 20


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Return a database with a lost round and two grants, anchored after each entry sequence."""
    path = tmp_path / "data" / DATABASE
    path.parent.mkdir()
    path.parent.joinpath("anchor.key").write_bytes(KEY.private_bytes_raw())
    ledger = SqliteLedger.open(path, migrate=upgrade)
    for sequence in ([grant(100)], [deal(10), answer(0)], [settle(10, 0)], [grant(50, "bob")]):
        ledger.post(sequence).result(WITHIN_S)
        AnchorLog(path.parent / "anchors.jsonl", KEY, database_id(path)).append(anchoring.head_of(path))
    ledger.close()
    return path


@pytest.fixture
def kept(database: Path, tmp_path: Path) -> Path:
    """Return the auditor's copy of the anchors."""
    copy = tmp_path / "kept.jsonl"
    copy.write_bytes(database.with_name("anchors.jsonl").read_bytes())
    return copy


def run_croupier(*options: str) -> CompletedProcess[str]:
    return preloaded.run([*CROUPIER, *options], timeout=60)


def run_verify(database: Path, *options: str) -> CompletedProcess[str]:
    return run_croupier("verify", "--data", str(database.parent), *options)


def anchor_options(kept: Path) -> tuple[str, ...]:
    return "--anchor", str(kept), "--anchor-key", PUBLIC


def rewrite(database: Path, change: Callable[[sqlite3.Connection], object]) -> None:
    """Change all tables consistently and recompute the chain, as somebody who can write all files would."""
    with sqlite3.connect(database) as connection:
        triggers = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for (trigger,) in triggers:
            connection.execute(f"DROP TRIGGER {trigger}")
        change(connection)
        head = START
        for *columns, _ in connection.execute("SELECT * FROM journal ORDER BY seq").fetchall():
            head = link(head, JournalRow(*columns))
            connection.execute("UPDATE journal SET hash = ? WHERE seq = ?", (head.hash, head.seq))
        connection.execute("UPDATE meta SET value = ? WHERE key = 'head'", (str(head),))
    connection.close()
    assert verify(database).bad is None, "the rewritten journal is consistent"


def turn_the_loss_into_a_win(connection: sqlite3.Connection) -> None:
    paid = [["ann", "in_play", "GC"], ["classic", "table", "GC"], 10]
    won = [["classic", "table", "GC"], ["ann", "cash", "GC"], 20]
    moves = json.dumps([paid, won], separators=(",", ":"))
    connection.execute("UPDATE journal SET moves = ? WHERE kind = 'settle'", (moves,))
    of_table = connection.execute("SELECT id FROM account WHERE kind = 'table'").fetchone()
    of_ann = connection.execute("SELECT id FROM account WHERE owner = 'ann' AND kind = 'cash'").fetchone()
    lost = "UPDATE posting SET amount_minor = -10, balance_minor = -10 WHERE account_id = ?"
    connection.execute(lost, of_table)
    connection.execute("INSERT INTO posting VALUES (4, ?, 20, 110, 0, 0)", of_ann)
    connection.execute("UPDATE account SET balance_minor = -10 WHERE id = ?", of_table)
    connection.execute("UPDATE account SET balance_minor = 110 WHERE id = ?", of_ann)
    connection.execute("UPDATE round SET returned_minor = 20")


def raise_the_grant(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE journal SET moves = replace(moves, ',50]', ',70]') WHERE seq = 5")
    connection.execute("UPDATE posting SET amount_minor = sign(amount_minor) * 70 WHERE seq = 5")
    connection.execute("UPDATE posting SET balance_minor = 70 WHERE seq = 5 AND amount_minor > 0")
    connection.execute("UPDATE posting SET balance_minor = -170 WHERE seq = 5 AND amount_minor < 0")
    connection.execute("UPDATE account SET balance_minor = 70 WHERE owner = 'bob'")
    connection.execute("UPDATE account SET balance_minor = -170 WHERE kind = 'grants'")


def cut_the_tail(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM posting WHERE seq = 5")
    connection.execute("DELETE FROM journal WHERE seq = 5")
    connection.execute("DELETE FROM account WHERE owner = 'bob'")
    connection.execute("UPDATE account SET balance_minor = -100 WHERE kind = 'grants'")


CHANGES = [
    (turn_the_loss_into_a_win, "journal seq 4", "anchor 3 has another hash"),
    (raise_the_grant, "journal seq 5", "anchor 4 has another hash"),
    (cut_the_tail, "journal seq 5", "is missing: anchor 4 has a journal that goes on to seq 5"),
]


def test_a_journal_that_matches_its_anchors_passes(database: Path, kept: Path) -> None:
    completed = run_verify(database, *anchor_options(kept))
    assert completed.returncode == 0, completed.stdout
    assert f"It agrees with 4 anchors in {kept}, the last at entry 5" in completed.stdout


@pytest.mark.parametrize(("change", "row", "why"), CHANGES, ids=[change.__name__ for change, *_ in CHANGES])
def test_a_rewritten_journal_is_found_by_anchors(
    database: Path, kept: Path, change: Callable[[sqlite3.Connection], object], row: str, why: str
) -> None:
    rewrite(database, change)
    completed = run_verify(database, *anchor_options(kept))
    assert completed.returncode == 1
    assert f"WRONG: {row}: " in completed.stdout
    assert why in completed.stdout


def test_anchors_in_the_data_folder_are_compared_with_a_caution(database: Path) -> None:
    completed = run_verify(database)
    assert completed.returncode == 0
    assert "compare with anchors kept elsewhere" in completed.stdout
    rewrite(database, raise_the_grant)
    assert run_verify(database).returncode == 1


def test_a_receipt_is_compared_with_the_journal(database: Path) -> None:
    with sqlite3.connect(database) as connection:
        find = "SELECT seq, lower(hex(hash)) FROM journal WHERE kind = 'settle'"
        seq, digits = connection.execute(find).fetchone()
    connection.close()
    database.with_name("anchors.jsonl").unlink()
    receipt = ("--receipt", f"{seq}:{digits}")
    assert run_verify(database, *receipt).returncode == 0
    rewrite(database, turn_the_loss_into_a_win)
    completed = run_verify(database, *receipt)
    assert completed.returncode == 1
    assert "WRONG: journal seq 4: " in completed.stdout
    assert "the receipt has another hash" in completed.stdout


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--receipt", "4"), "is none"),
        (("--receipt", "x:y"), "is none"),
        (("--anchor-key", "5f"), "isn't a public key"),
        (("--anchor", "absent.jsonl"), "absent.jsonl can't be used: No such file"),
        (("--anchor", "."), "Is a directory"),
    ],
)
def test_unusable_evidence_is_refused_in_a_sentence(
    database: Path, options: tuple[str, ...], why: str
) -> None:
    completed = run_verify(database, *options)
    assert (completed.returncode, completed.stdout, completed.stderr.count("\n")) == (2, "", 1), (
        completed.stderr
    )
    assert why in completed.stderr


# --- the chain of anchors


def altered(line: bytes, name: str, value: object) -> bytes:
    anchor = json.loads(line)
    anchor["statement"][name] = value
    return json.dumps(anchor).encode()


LINES = [
    ("as it was", lambda lines: lines, None),
    ("sent twice", lambda lines: [*lines[:3], *lines[1:]], None),
    (
        "as syslog writes them",
        lambda lines: [b"Nov 25 croupier-anchor: " + line for line in lines],
        None,
    ),
    ("truncated and sent again", lambda lines: [*lines[:2], lines[2][:90], *lines[2:]], None),
    ("from later on", lambda lines: lines[2:], None),
    ("without one", lambda lines: [*lines[:1], *lines[2:]], "line 2"),
    ("the last is truncated", lambda lines: [*lines[:3], lines[3][:90]], "the last line"),
    ("in another order", lambda lines: [lines[1], lines[0]], "line 2"),
    ("a hash altered", lambda lines: [altered(lines[0], "head", "0" * 64)], "line 1"),
    ("a number altered", lambda lines: [lines[0], altered(lines[1], "number", 3)], "line 2"),
    ("a signature altered", lambda lines: [lines[0].replace(b'ture":"', b'ture":"00')], "line 1"),
]


@pytest.mark.parametrize(("change", "row"), [each[1:] for each in LINES], ids=[each[0] for each in LINES])
def test_the_chain_of_anchors_is_checked(
    database: Path, kept: Path, change: Callable[[list[bytes]], list[bytes]], row: str | None
) -> None:
    lines = change(kept.read_bytes().splitlines())
    bad = check_anchors(lines, KEY.public_key(), database_id(database)).bad
    assert (bad.table, bad.row) == ("anchor", row) if bad else row is None


def test_anchors_of_another_key_or_database_are_refused(database: Path, kept: Path) -> None:
    lines, other = kept.read_bytes().splitlines(), Ed25519PrivateKey.generate().public_key()
    by_other = check_anchors(lines, other, database_id(database)).bad
    assert by_other == BadRow("anchor", "line 1", "isn't signed with this key")
    of_other = check_anchors(lines, KEY.public_key(), "other").bad
    assert of_other is not None
    assert "is of the database" in of_other.why


# --- while the server runs


async def anchored(database: Path, *targets: str) -> Anchoring:
    made = Anchoring(database.parent, database, KEY, {name: target_of(name) for name in targets})
    await made.close()
    return made


def anchors_in(lines: list[bytes], database: Path) -> list[int]:
    read = check_anchors(lines, KEY.public_key(), database_id(database))
    assert read.bad is None
    return [known.seq for known in read.hashes]


async def test_anchors_reach_a_file(database: Path, tmp_path: Path) -> None:
    file = tmp_path / "elsewhere.jsonl"
    file.write_bytes(b"a line that was cut o")
    await anchored(database, str(file))
    assert anchors_in(file.read_bytes().splitlines(), database) == [1, 3, 4, 5]
    await anchored(database, str(file))
    assert len(file.read_bytes().splitlines()) == 1 + 4, "without new anchors nothing is sent"


async def test_anchors_reach_syslog(database: Path) -> None:
    with socket(AF_INET, SOCK_DGRAM) as syslog:
        syslog.bind(("127.0.0.1", 0))
        syslog.settimeout(WITHIN_S)
        await anchored(database, f"syslog://127.0.0.1:{syslog.getsockname()[1]}")
        lines = [syslog.recv(4096) for _ in range(4)]
    assert all(b"croupier-anchor: " in line and len(line) < 1024 for line in lines)
    assert anchors_in(lines, database) == [1, 3, 4, 5]


class Collector(HTTPServer):
    """Collects what is posted, and answers with `status`."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Collecting)
        self.lines: list[bytes] = []
        self.status = 204
        self.url = f"http://127.0.0.1:{self.server_port}/anchors"


class Collecting(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        line = self.rfile.read(int(self.headers["Content-Length"]))
        if self.server.status < 300:
            self.server.lines.append(line)
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def collector() -> Iterator[Collector]:
    with Collector() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


async def test_anchors_are_posted_and_sent_again_after_a_failure(
    database: Path, collector: Collector, caplog: pytest.LogCaptureFixture
) -> None:
    collector.status = 503
    with caplog.at_level(logging.WARNING):
        made = await anchored(database, collector.url)
        await made.close()
    assert [record.levelname for record in caplog.records] == ["WARNING"], "one warning only"
    collector.status = 204
    await made.close()
    assert anchors_in(collector.lines, database) == [1, 3, 4, 5]


async def test_an_outage_of_the_database_is_logged_in_one_line(
    database: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(anchoring, "CHECK_INTERVAL_S", 0.01)
    made = Anchoring(database.parent, database, KEY, {}, every_s=0.01)
    away = shutil.move(database, database.with_suffix(".away"))
    running = asyncio.create_task(made.run())
    with caplog.at_level(logging.WARNING):
        await asyncio.sleep(0.2)
        await made.close()
        shutil.move(away, database)
        await asyncio.sleep(0.2)
    assert made.last_seq == 5
    running.cancel()
    lines = [record.getMessage() for record in caplog.records]
    assert [line.partition(":")[0] for line in lines] == [
        "the journal can't be anchored until the database answers",
        "the end of the journal isn't anchored",
        "the journal is anchored again",
    ]
    assert not any(record.exc_info for record in caplog.records)


@pytest.mark.parametrize("name", ["ftp://host/x", "http:///path", "gopher:x"])
def test_an_unusable_target_is_refused_in_a_sentence(tmp_path: Path, name: str) -> None:
    completed = run_croupier("serve", "--data", str(tmp_path), "--anchor", name)
    assert (completed.returncode, completed.stderr.count("\n")) == (2, 1), completed.stderr
    assert "--anchor" in completed.stderr


def test_the_public_key_is_printed_and_its_file_is_private(tmp_path: Path) -> None:
    completed = run_croupier("anchor-key", "--data", str(tmp_path / "data"))
    assert (completed.returncode, len(completed.stdout.strip())) == (0, 64)
    assert tmp_path.joinpath("data", "anchor.key").stat().st_mode & 0o077 == 0
    assert run_croupier("anchor-key", "--data", str(tmp_path / "data")).stdout == completed.stdout
