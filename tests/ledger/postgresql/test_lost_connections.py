"""A connection that is lost at any moment: nothing acknowledged is lost, and nothing is posted twice."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import psycopg
import pytest

from croupier.ledger.entries import Posted
from croupier.ledger.postgresql import driver
from croupier.ledger.postgresql.connection import connect, open_writer
from croupier.ledger.postgresql.driver import PostgresqlDriver
from croupier.ledger.protocol import LedgerBroken
from croupier.ledger.sql.databases import PostgresqlUrl, postgresql_url
from croupier.ledger.sql.store import SqlLedger
from croupier.ledger.sql.verify import verify
from croupier.ledger.stores import open_ledger
from tests.ledger.sample_entries import deal, grant, settle, ticket_of
from tests.support.postgresql import administration, empty
from tests.support.postgresql_server import PostgresqlServer, needs_postgresql_programs

WITHIN_S = 60
OTHERS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"
)


@pytest.fixture
def ledger(postgresql: PostgresqlUrl) -> Iterator[SqlLedger]:
    with closing(open_ledger(postgresql)) as opened:
        yield opened


def test_a_connection_is_lost_once_the_server_says_so(postgresql: PostgresqlUrl) -> None:
    """Its last message may be read before the end of the connection is."""
    with closing(connect(postgresql, {})) as raw, pytest.raises(psycopg.errors.AdminShutdown) as ended:
        raw.execute("SELECT pg_terminate_backend(pg_backend_pid())").fetchone()

    def fail() -> None:
        raise ended.value

    with closing(open_writer(postgresql)) as connection:
        with pytest.raises(psycopg.errors.AdminShutdown):
            connection.guarded(fail)
        assert connection.is_lost


def end_processes(url: PostgresqlUrl) -> None:
    """End all server processes that are connected to this database."""
    with administration(url.text) as connection:
        connection.execute(OTHERS, (url.text.rpartition("/")[2],))


Commit = Callable[[PostgresqlDriver], None]


def lose_before(url: PostgresqlUrl, commit: Commit) -> Commit:
    def lose(self: PostgresqlDriver) -> None:
        end_processes(url)
        commit(self)

    return lose


def lose_after(url: PostgresqlUrl, commit: Commit) -> Commit:
    """Lose the connection when the server has committed, and the writer hasn't read that."""

    def lose(self: PostgresqlDriver) -> None:
        flush = self.connection.flush

        def flush_and_lose() -> None:
            flush()
            end_processes(url)
            flush()

        self.connection.flush = flush_and_lose  # type: ignore[method-assign]
        commit(self)

    return lose


@pytest.mark.parametrize("lose", [lose_before, lose_after])
def test_the_outcome_of_a_commit_is_found_out(
    ledger: SqlLedger,
    postgresql: PostgresqlUrl,
    monkeypatch: pytest.MonkeyPatch,
    lose: Callable[[PostgresqlUrl, Commit], Commit],
) -> None:
    ledger.post([grant(100)]).result(WITHIN_S)
    commit, losses = PostgresqlDriver.commit, [lose(postgresql, PostgresqlDriver.commit)]

    def once(self: PostgresqlDriver) -> None:
        (losses.pop() if losses else commit)(self)

    monkeypatch.setattr(PostgresqlDriver, "commit", once)
    add = "INSERT INTO meta VALUES ('added', 'once')"
    added = ledger.run(lambda connection: connection.execute(add).rowcount)
    assert added.result(WITHIN_S) == 1
    losses.append(lose(postgresql, commit))
    assert ledger.post([deal(10)]).result(WITHIN_S) == (Posted(2, False, (90,)),)
    assert ledger.post([settle(10, 20)]).result(WITHIN_S) == (Posted(3, False, (110,)),)
    assert ledger.balances("ann") == {"GC": {"cash": 110, "in_play": 0}}
    assert verify(postgresql).bad is None


def test_a_database_that_lost_a_commit_is_not_written(ledger: SqlLedger, postgresql: PostgresqlUrl) -> None:
    """Planted fault: a late replica took over."""
    ledger.post([grant(100)]).result(WITHIN_S)
    empty(postgresql)
    error = ledger.post([grant(1)]).exception(WITHIN_S)
    assert isinstance(error, LedgerBroken)
    assert "has lost entry 1" in str(error)


def test_a_writer_whose_mark_is_gone_does_not_guess(
    ledger: SqlLedger, postgresql: PostgresqlUrl, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: its row was deleted while a transaction was being committed."""

    def lose_all(self: PostgresqlDriver) -> None:
        with administration(postgresql.text) as connection:
            connection.execute("DELETE FROM meta WHERE key LIKE 'writer %'")
        end_processes(postgresql)
        commit(self)

    ledger.post([grant(100)]).result(WITHIN_S)
    commit = PostgresqlDriver.commit
    monkeypatch.setattr(PostgresqlDriver, "commit", lose_all)
    error = ledger.post([grant(1)]).exception(WITHIN_S)
    assert isinstance(error, LedgerBroken)
    assert "lost the mark" in str(error)


def test_a_database_that_stays_away_breaks_the_ledger(
    ledger: SqlLedger, postgresql: PostgresqlUrl, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = postgresql_url("postgresql://127.0.0.1:1/none")
    ledger.post([grant(1)]).result(WITHIN_S)
    monkeypatch.setattr(driver, "RECONNECT_S", 0.2)
    monkeypatch.setattr(driver, "open_writer", lambda _url: open_writer(elsewhere))
    end_processes(postgresql)
    assert isinstance(ledger.post([grant(1)]).exception(WITHIN_S), LedgerBroken)


def posted_meanwhile(ledger: SqlLedger, disturb: Callable[[], None]) -> int:
    """Post rounds from several threads while `disturb` runs; return how many entries, each posted once."""
    stop = threading.Event()

    def play(player: int) -> int:
        posted = 0
        while not stop.is_set():
            at = ticket_of(f"p{player}", f"r{posted}")
            for entries in ([grant(10, at.player), deal(10, at)], [settle(10, 10, at)]):
                results = ledger.post(entries).result(WITHIN_S)
                assert not any(result.duplicate for result in results)
                posted += len(entries)
        return posted

    with ThreadPoolExecutor(4) as pool:
        playing = [pool.submit(play, player) for player in range(4)]
        try:
            disturb()
        finally:
            stop.set()
        return sum(each.result(WITHIN_S) for each in playing)


def test_connections_lost_at_any_moment(ledger: SqlLedger, postgresql: PostgresqlUrl) -> None:
    def disturb() -> None:
        for _ in range(15):
            threading.Event().wait(0.05)
            end_processes(postgresql)

    posted = posted_meanwhile(ledger, disturb)
    assert verify(postgresql).bad is None
    assert verify(postgresql).entries == posted > 15


@needs_postgresql_programs
def test_a_server_that_crashes_and_starts_again_in_play() -> None:
    with PostgresqlServer() as server, closing(open_ledger(server.url)) as ledger:

        def disturb() -> None:
            threading.Event().wait(0.3)
            server.stop("immediate")
            threading.Event().wait(0.5)
            server.start()
            threading.Event().wait(0.3)

        posted = posted_meanwhile(ledger, disturb)
        assert verify(server.url).bad is None
        assert verify(server.url).entries == posted > 0
