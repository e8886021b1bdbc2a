"""A database that acknowledges packets and answers nothing is given up, and found again."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest

from croupier.ledger.entries import grant
from croupier.ledger.postgresql import silence
from croupier.ledger.postgresql.connection import open_reader, open_writer
from croupier.ledger.postgresql.migrations import upgrade
from croupier.ledger.postgresql.store import PostgresqlLedger
from croupier.ledger.protocol import DatabaseUnreachable
from croupier.ledger.sql.databases import PostgresqlUrl, postgresql_url
from tests.support.silent_link import SilentLink

SILENCE_S = 0.3
GONE_S = 2.0
POSTING = """
import asyncio, sys, itertools
from croupier.ledger.entries import note
from croupier.ledger.postgresql.migrations import upgrade
from croupier.ledger.postgresql.store import PostgresqlLedger
from croupier.ledger.sql.databases import postgresql_url

async def main():
    ledger = await PostgresqlLedger.open_with_writer_process(postgresql_url(sys.argv[1]), migrate=upgrade)
    print(ledger._writer._process.pid, flush=True)
    for number in itertools.count():
        await asyncio.wrap_future(ledger.post([note(f"n{number}", 1, {})]))
        print(number, flush=True)

asyncio.run(main())
"""


@pytest.fixture(autouse=True)
def _short_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(silence.WatchfulConnection, "silence_s", SILENCE_S)
    monkeypatch.setattr(silence, "ASK_TIMEOUT_S", 1)


@pytest.fixture
def link(postgresql: PostgresqlUrl) -> Iterator[SilentLink]:
    with SilentLink(urlsplit(postgresql.text).port or 5432) as link:
        yield link


@pytest.fixture
def url(postgresql: PostgresqlUrl, link: SilentLink) -> PostgresqlUrl:
    parts = urlsplit(postgresql.text)
    user = f"{parts.username}@" if parts.username else ""
    return postgresql_url(f"postgresql://{user}127.0.0.1:{link.port}{parts.path}?connect_timeout=2")


def test_a_reader_gives_a_silent_database_up_and_finds_it_again(url: PostgresqlUrl, link: SilentLink) -> None:
    with closing(PostgresqlLedger.open(url, migrate=upgrade)) as ledger:
        assert ledger.entry("missing") is None
        link.fall_silent()
        began_s = time.monotonic()
        with pytest.raises(DatabaseUnreachable):
            ledger.entry("missing")
        assert time.monotonic() - began_s < 8
        link.speak()
        assert ledger.entry("missing") is None


def test_a_connection_from_before_a_fail_over_is_replaced(url: PostgresqlUrl, link: SilentLink) -> None:
    with closing(PostgresqlLedger.open(url, migrate=upgrade)) as ledger:
        assert ledger.balances("ann") == {}
        link.fall_silent()
        link.speak()
        assert ledger.balances("ann") == {}


def test_a_writer_goes_on_once_a_silent_database_answers(url: PostgresqlUrl, link: SilentLink) -> None:
    with closing(PostgresqlLedger.open(url, migrate=upgrade)) as ledger:
        ledger.post([grant("before", 1, "ann", "EUR", 100, "test")]).result(10)
        link.fall_silent()
        waiting = ledger.post([grant("during", 2, "ann", "EUR", 20, "test")])
        time.sleep(2 * SILENCE_S)
        assert not waiting.done()
        link.speak()
        waiting.result(10)
        assert ledger.balances("ann")["EUR"]["cash"] == 120


def test_a_slow_statement_is_no_silence(url: PostgresqlUrl) -> None:
    with closing(open_reader(url)) as reader:
        assert reader.execute("SELECT pg_sleep(1)::text, 5").fetchone()[1] == 5


def test_waiting_for_a_lock_is_no_silence(url: PostgresqlUrl) -> None:
    with closing(open_writer(url)) as one, closing(open_writer(url)) as other:
        one.execute("BEGIN")
        one.execute("SELECT pg_advisory_xact_lock(4711)").fetchone()
        other.execute("BEGIN")
        waiting = Thread(target=lambda: other.execute("SELECT pg_advisory_xact_lock(4711)").fetchone())
        waiting.start()
        time.sleep(3 * SILENCE_S)
        one.execute("COMMIT")
        one.flush()
        waiting.join(5)
        assert not waiting.is_alive()
        other.execute("COMMIT")
        other.flush()


def test_a_writer_process_ends_with_its_server_though_the_database_is_silent(
    url: PostgresqlUrl, link: SilentLink
) -> None:
    command = [sys.executable, "-c", POSTING, url.text]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        writer = int(server.stdout.readline())
        server.stdout.readline()
        link.fall_silent()
        time.sleep(2 * SILENCE_S)
        server.send_signal(signal.SIGKILL)
        server.wait()
        began_s = time.monotonic()
        while _runs(writer) and time.monotonic() - began_s < GONE_S:
            time.sleep(0.02)
        assert not _runs(writer)


def _runs(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
