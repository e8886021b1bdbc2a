"""Leases of live tables: each take-over counts on, and only the last owner can renew or post."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from croupier.ledger.entries import grant, note
from croupier.ledger.leases import Fence, LeaseLost
from croupier.ledger.protocol import Ledger
from croupier.ledger.sql import writer
from croupier.ledger.sql.store import SqlLedger
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.storage.sql import leases
from croupier.storage.sql.leases import SqlLeases

TABLE = "infinite"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqlLedger]:
    ledger = SqliteLedger.open(tmp_path / "croupier.db", migrate=upgrade)
    yield ledger
    ledger.close()


def taken(repository: SqlLeases, owner: str) -> Fence | None:
    lease = repository.acquire(TABLE, owner).result(10)
    return lease.fence if lease else None


def test_nodes_see_who_has_heard_the_bus_since_they_have(ledger: SqlLedger) -> None:
    repository = SqlLeases(ledger, shared=True)

    def others(node: str, *roles: str, silent_ms: int) -> frozenset[str]:
        return repository.beat(node, roles, silent_ms).result(10)

    assert others("one", "tables", silent_ms=0) == frozenset()
    assert others("two", "gateway", "tables", silent_ms=0) == frozenset()
    assert others("one", "tables", silent_ms=1_900) == frozenset(), "a second is no difference"
    assert others("one", "tables", silent_ms=3_500) == {"gateway", "tables"}
    assert others("two", "gateway", "tables", silent_ms=3_500) == frozenset(), "nor has anybody else heard it"
    assert others("two", silent_ms=0) == frozenset()
    assert others("one", "tables", silent_ms=9_000) == frozenset(), "two has left"


def test_rows_of_nodes_are_no_tables_and_are_removed(ledger: SqlLedger) -> None:
    repository = SqlLeases(ledger, shared=True)
    repository.beat("one", ["tables"], 9_000).result(10)
    assert repository.free([TABLE]).result(10) == {TABLE}
    repository.beat("two", ["tables"], 0).result(10)
    rows = ledger.run(lambda connection: connection.execute("SELECT owner FROM lease").fetchall()).result(10)
    assert rows == [("two",)]


def test_a_table_is_taken_over_once_its_lease_expires(
    ledger: SqlLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = SqlLeases(ledger, shared=True)
    first = taken(repository, "one")
    assert first == (TABLE, 1)
    assert taken(repository, "other") is None
    assert repository.free([TABLE, "roulette"]).result(10) == {"roulette"}
    assert repository.renew(first).result(10)
    monkeypatch.setattr(leases, "LEASE_MS", -1)
    assert repository.renew(first).result(10)  # and expires at once
    monkeypatch.undo()
    assert repository.free([TABLE]).result(10) == {TABLE}
    assert taken(repository, "other") == (TABLE, 2)
    assert not repository.renew(first).result(10)
    repository.release(first).result(10)
    assert taken(repository, "one") is None


def test_a_released_table_is_taken_over_at_once(ledger: SqlLedger) -> None:
    repository = SqlLeases(ledger, shared=True)
    first = taken(repository, "one")
    assert first is not None
    repository.release(first).result(10)
    assert taken(repository, "other") == (TABLE, 2)


def test_a_process_that_shares_its_database_with_none_takes_over_at_once(ledger: SqlLedger) -> None:
    repository = SqlLeases(ledger, shared=False)
    lease = repository.acquire(TABLE, "one").result(10)
    assert lease is not None
    assert not lease.expires
    assert taken(repository, "other") == (TABLE, 2)


def assert_nothing_posted(ledger: Ledger, key: str) -> None:
    assert ledger.entry(key) is None
    assert ledger.balances("p") == {}


@pytest.fixture
def fences(ledger: SqlLedger) -> tuple[Fence, Fence]:
    """Return the fence of a former owner, and that of the present one."""
    repository = SqlLeases(ledger, shared=False)
    former, present = taken(repository, "one"), taken(repository, "other")
    assert former is not None
    assert present is not None
    return former, present


def test_a_former_owner_posts_nothing(ledger: SqlLedger, fences: tuple[Fence, Fence]) -> None:
    former, present = fences
    entry = grant("k", 1, "p", "EUR", 100, "test")
    for write in (
        lambda: ledger.post([entry], former),
        lambda: ledger.post_each([entry], former),
        lambda: ledger.post_groups([[entry]], former),
        lambda: ledger.post([entry], Fence("never-leased", 1)),
    ):
        with pytest.raises(LeaseLost):
            write().result(10)
        assert_nothing_posted(ledger, "k")
    (posted,) = ledger.post([entry], present).result(10)
    assert posted.cash_minor == (100,)


def test_a_former_owner_does_not_disturb_others_in_the_same_commit(
    ledger: SqlLedger, fences: tuple[Fence, Fence], monkeypatch: pytest.MonkeyPatch
) -> None:
    commits = 0
    former, present = fences
    commit = writer.Writer._commit

    def counted(self: writer.Writer, jobs: list[writer.WriteJob[object]]) -> None:
        nonlocal commits
        commits += 1
        commit(self, jobs)

    with paused(ledger):
        monkeypatch.setattr(writer.Writer, "_commit", counted)
        stale = ledger.post([note("a", 1, {})], former)
        free, fenced = ledger.post([note("b", 1, {})]), ledger.post([note("c", 1, {})], present)
    with pytest.raises(LeaseLost):
        stale.result(10)
    assert (free.result(10)[0].duplicate, fenced.result(10)[0].duplicate) == (False, False)
    assert commits == 1
    assert [ledger.entry(key) is not None for key in "abc"] == [False, True, True]


@contextmanager
def paused(ledger: SqlLedger) -> Iterator[None]:
    """Hold the writer, so that what is posted meanwhile goes into one commit."""
    from threading import Event

    begun, go_on = Event(), Event()

    def wait(_: object) -> None:
        begun.set()
        assert go_on.wait(10)

    done = ledger.run(wait)
    assert begun.wait(10)
    yield
    go_on.set()
    done.result(10)


def test_a_former_owner_does_not_complete_what_it_prepared(ledger: SqlLedger) -> None:
    repository = SqlLeases(ledger, shared=False)
    former = taken(repository, "one")
    entry = grant("k", 1, "p", "EUR", 100, "test")
    assert ledger.prepare([entry]).result(10)
    taken(repository, "other")
    with pytest.raises(LeaseLost):
        ledger.post([entry], former).result(10)
    assert_nothing_posted(ledger, "k")
