"""A prepared sequence takes effect when it is posted, as if it hadn't been prepared, and only then."""

import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.ledger.cache import LedgerCache
from croupier.ledger.entries import Entry
from croupier.ledger.protocol import LedgerBroken
from croupier.ledger.sql.batch import post_sequences
from croupier.ledger.sql.cache_loading import load
from croupier.ledger.sql.prediction import PredictedSequence
from croupier.ledger.sql.verify import verify
from croupier.ledger.sql.writer import Writer, uncancellable_future
from croupier.ledger.sqlite import speculation
from croupier.ledger.sqlite.connection import open_writer
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.speculation import ATTEMPTS_MAX, SpeculativeTransaction
from croupier.ledger.sqlite.store import SqliteLedger, SqliteReader
from croupier.refusal import Refused
from tests.ledger.sample_entries import coup, deal, grant, stakes
from tests.ledger.sqlite.connections import trace

Post = Callable[..., list[int]]
CHILD = Path(__file__).with_name("child.py")
STAKED = [grant(100), grant(100, "bob"), stakes(("ann", 20), ("bob", 60))]
WITHIN_S = 30


@pytest.fixture
def staked(ledger: SqliteLedger) -> SqliteLedger:
    """A ledger in which Ann and Bob have staked."""
    ledger.post(STAKED).result(WITHIN_S)
    return ledger


def ended() -> Entry:
    """The coup that ends Ann's round and Bob's."""
    return coup(("ann", 20, 40), ("bob", 60, 0))


def prepared(ledger: SqliteLedger, *likely: Entry) -> bool:
    return ledger.prepare(likely).result(WITHIN_S)


def speculative_of(ledger: SqliteLedger) -> SpeculativeTransaction:
    assert isinstance(ledger._writer, Writer)
    speculation = ledger._writer._speculation
    assert isinstance(speculation, SpeculativeTransaction)
    return speculation


def all_rows(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path)) as database:
        database.execute("DELETE FROM meta WHERE key = 'database'")  # each database has an id of its own
        tables = ("journal", "account", "posting", "round", "meta")
        return [database.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in tables]


class Transactions:
    """The transactions that the writer has begun and ended."""

    def __init__(self, ledger: SqliteLedger) -> None:
        self._traced: list[str] = []
        trace(ledger, self._traced.append).result(WITHIN_S)
        self._traced.clear()

    @property
    def statements(self) -> list[str]:
        return [
            each.split()[0] for each in self._traced if each.split()[0] in ("BEGIN", "COMMIT", "ROLLBACK")
        ]


# --- posted as prepared


@pytest.mark.parametrize("more", [[], [grant(5)], [grant(5), deal(10)]])
def test_the_rows_are_the_same_as_without_preparation(
    staked: SqliteLedger, path: Path, tmp_path: Path, more: list[Entry]
) -> None:
    likely = ended()
    other = SqliteLedger.open(tmp_path / "other.db", migrate=upgrade)
    other.post(STAKED).result(WITHIN_S)
    transactions = Transactions(staked)
    assert prepared(staked, likely)
    assert staked.post([likely, *more]).result(WITHIN_S) == other.post([likely, *more]).result(WITHIN_S)
    assert transactions.statements == ["BEGIN", "COMMIT"], "nothing is written twice"
    for ledger in (staked, other):
        ledger.post([grant(1, key="afterwards")]).result(WITHIN_S)
        ledger.close()
    assert all_rows(path) == all_rows(tmp_path / "other.db")
    assert verify(path).bad is None


def test_readers_do_not_see_a_prepared_sequence(staked: SqliteLedger, path: Path) -> None:
    likely = ended()
    assert prepared(staked, likely)
    others = SqliteReader(path)
    for reader in (staked, others):
        assert reader.balances("ann") == {"GC": {"cash": 80, "in_play": 20}}
        assert [line.status for line in reader.rounds("ann")] == ["open"]
        assert reader.entry(likely.key) is None
    assert (verify(path).bad, verify(path).entries) == (None, len(STAKED))
    staked.post([likely]).result(WITHIN_S)
    assert others.balances("ann") == staked.balances("ann") == {"GC": {"cash": 120, "in_play": 0}}
    others.close()


def test_posted_before_it_is_prepared(staked: SqliteLedger) -> None:
    go, likely = threading.Event(), ended()
    staked.run(lambda _: go.wait(WITHIN_S))
    preparation, posted = staked.prepare([likely]), staked.post([likely])
    go.set()
    assert (preparation.result(WITHIN_S), posted.result(WITHIN_S)[0].seq) == (False, len(STAKED) + 1)
    assert not speculative_of(staked).is_due


def test_posted_twice_it_is_a_duplicate(staked: SqliteLedger) -> None:
    likely = ended()
    assert prepared(staked, likely)
    first, again = staked.post([likely]).result(WITHIN_S), staked.post([likely]).result(WITHIN_S)
    assert (first[0].duplicate, again[0].duplicate, first[0].seq) == (False, True, again[0].seq)


# --- other work first


EARLIER_WORK: dict[str, Callable[[SqliteLedger], Any]] = {
    "a grant": lambda ledger: ledger.post([grant(7)]).result(WITHIN_S),
    "a stake": lambda ledger: ledger.post_each([stakes(("ann", 10))]).result(WITHIN_S),
    "a refused entry": lambda ledger: ledger.post([deal(10**6)]).exception(WITHIN_S),
    "a small write": lambda ledger: ledger.run(lambda _: None).result(WITHIN_S),
}


@pytest.mark.parametrize("what", EARLIER_WORK)
def test_earlier_work_is_done_first(staked: SqliteLedger, path: Path, what: str) -> None:
    likely = grant(50)
    assert prepared(staked, likely)
    EARLIER_WORK[what](staked)
    assert staked.entry(likely.key) is None
    staked.post([likely]).result(WITHIN_S)
    assert staked.entry(likely.key) == likely
    staked.close()
    assert verify(path).bad is None


def test_an_entry_with_another_time_is_posted_with_that_time(staked: SqliteLedger) -> None:
    likely = ended()
    assert prepared(staked, likely)
    later = replace(likely, at_ms=likely.at_ms + 1)
    staked.post([later]).result(WITHIN_S)
    assert staked.entry(likely.key) == later
    assert not speculative_of(staked).is_due, "it isn't prepared again"


def test_a_small_write_does_not_see_a_prepared_sequence(staked: SqliteLedger) -> None:
    assert prepared(staked, ended())
    count = staked.run(lambda database: database.execute("SELECT count(*) FROM journal").fetchone())
    assert count.result(WITHIN_S) == (len(STAKED),)


def test_preparation_is_retried_a_limited_number_of_times(staked: SqliteLedger) -> None:
    def retried() -> bool:
        until = threading.Event()
        for _ in range(100):
            if speculative_of(staked).is_prepared:
                return True
            until.wait(0.01)
        return False

    transactions = Transactions(staked)
    assert prepared(staked, likely := ended())
    for _ in range(ATTEMPTS_MAX - 1):
        staked.post([grant(1)]).result(WITHIN_S)
        assert retried()
    staked.post([grant(1)]).result(WITHIN_S)
    assert not retried()
    assert transactions.statements.count("ROLLBACK") == ATTEMPTS_MAX
    assert staked.post([likely]).result(WITHIN_S)[0].cash_minor == (120 + ATTEMPTS_MAX, 40)


def test_an_earlier_stake_makes_the_coup_wrong(staked: SqliteLedger, path: Path) -> None:
    """The coup is refused as it would be without preparation, and the cache stays correct."""
    likely = ended()
    assert prepared(staked, likely)
    staked.post([stakes(("ann", 5))]).result(WITHIN_S)
    with pytest.raises(Refused, match="wrong_stake"):
        staked.post([likely]).result(WITHIN_S)
    staked.post([coup(("ann", 25, 0), ("bob", 60, 0))]).result(WITHIN_S)
    assert staked.balances("ann") == {"GC": {"cash": 75, "in_play": 0}}
    assert verify(path).bad is None


def test_two_sequences_are_prepared_one_after_the_other(staked: SqliteLedger, path: Path) -> None:
    one, other = ended(), grant(9)
    assert prepared(staked, one)
    later = staked.prepare([other])
    assert staked.post([one]).result(WITHIN_S)[0].seq == len(STAKED) + 1
    assert later.result(WITHIN_S)
    assert staked.post([other]).result(WITHIN_S)[0].seq == len(STAKED) + 2
    assert verify(path).bad is None


# --- sequences that can't be prepared


def test_an_empty_sequence_cannot_be_prepared(staked: SqliteLedger) -> None:
    with pytest.raises(AssertionError, match="nothing to prepare"):
        staked.prepare([])
    assert staked.post([ended()]).result(WITHIN_S)[0].cash_minor == (120, 40)


def test_a_refused_sequence_is_not_prepared(staked: SqliteLedger) -> None:
    wrong = coup(("ann", 21, 40))
    assert not prepared(staked, wrong)
    assert not speculative_of(staked).is_due
    with pytest.raises(Refused, match="wrong_stake"):
        staked.post([wrong]).result(WITHIN_S)
    assert staked.post([ended()]).result(WITHIN_S)[0].cash_minor == (120, 40)


@pytest.mark.parametrize("refused", [deal(10**6), STAKED[0], grant(3, key="twice")])
def test_a_refused_rest_refuses_the_whole_sequence(staked: SqliteLedger, path: Path, refused: Entry) -> None:
    likely = [grant(5, key="twice"), ended()]
    assert prepared(staked, *likely)
    with pytest.raises(Refused):
        staked.post([*likely, refused]).result(WITHIN_S)
    assert staked.balances("ann") == {"GC": {"cash": 80, "in_play": 20}}
    assert staked.post(likely).result(WITHIN_S)[1].cash_minor == (125, 40)
    assert verify(path).bad is None


def test_after_a_failed_commit_nothing_is_prepared(path: Path) -> None:
    """The child's file size is limited, so its disk is full. It prepares everything it posts."""
    ended = subprocess.run(
        [sys.executable, CHILD, "full", path, "prepare"], capture_output=True, text=True, check=False
    )
    printed = ended.stdout.split()
    assert "LedgerBroken" in printed, ended.stderr
    assert set(printed[printed.index("LedgerBroken") :]) == {"LedgerBroken"}
    assert verify(path).bad is None


def test_a_closed_ledger_prepares_nothing(staked: SqliteLedger, path: Path) -> None:
    preparation = staked.prepare([likely := ended()])
    staked.close()
    assert isinstance(preparation.result(WITHIN_S), bool)
    assert isinstance(staked.prepare([likely]).exception(WITHIN_S), LedgerBroken)
    assert not path.with_name("ledger.db-wal").exists(), "the log was checkpointed"
    assert (verify(path).bad, verify(path).entries) == (None, len(STAKED))


@pytest.mark.parametrize("writer", ["thread", "process"])
def test_a_kill_leaves_nothing_of_a_prepared_sequence(path: Path, writer: str) -> None:
    child = subprocess.Popen([sys.executable, CHILD, "prepare", path, "", writer], stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"prepared True\n"
    child.kill()
    child.communicate()
    ledger = SqliteLedger.open(path, migrate=upgrade)
    assert ledger.balances("ann") == {"GC": {"cash": 40, "in_play": 60}}
    assert [line.status for line in ledger.rounds("ann")] == ["open"]
    ledger.close()
    assert verify(path).bad is None


# --- while a sequence is being prepared


class Store:
    """A connection, a cache and a speculative transaction, without the writer's thread."""

    def __init__(self, path: Path) -> None:
        upgrade(path)
        self.connection, self.cache = open_writer(path), LedgerCache()
        self.speculative = SpeculativeTransaction(self.connection, self.cache)

    def post(self, *sequence: Entry) -> list[Any]:
        self.connection.execute("BEGIN")
        results: list[Any] = post_sequences(self.connection, self.cache, [sequence])
        self.connection.execute("COMMIT")
        return results

    def prepare(self, likely: Sequence[Entry], interrupted: Callable[[PredictedSequence], bool]) -> bool:
        predicted = PredictedSequence(likely, uncancellable_future())
        self.speculative.enqueue(predicted)
        self.speculative.prepare(interrupted)
        return predicted.done.result()

    def state(self) -> Any:
        cache = self.cache  # in which a balance of 0 may be absent
        balances = {group: Counter(of_each) for group, of_each in cache.balances.items()}
        return cache.stale, cache.head, cache.last_account, balances, dict(cache.rounds), dict(cache.open)


@pytest.fixture
def store(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setattr(speculation, "PROGRESS_STEPS", 1)
    store = Store(path)
    store.post(*STAKED, grant(5, "eve"), stakes(("eve", 5)))
    store.post(coup(("eve", 5, 0)))  # opens the table's account
    yield store
    store.connection.close()


def test_interrupted_preparation_leaves_nothing(store: Store) -> None:
    """At every point where SQLite can be interrupted."""
    likely, interruptions = [grant(5), coup(("ann", 20, 40), ("bob", 60, 0))], 0
    load(store.cache, store.connection, likely)
    before = store.state()
    while True:
        checks = iter(range(interruptions))
        if store.prepare(likely, lambda _predicted, checks=checks: next(checks, None) is None):  # type: ignore[misc]
            break
        assert not store.connection.in_transaction
        assert store.state() == before
        store.speculative.close()
        store.speculative = SpeculativeTransaction(store.connection, store.cache)
        interruptions += 1
    assert interruptions > 100, "it was interrupted at every point"
    result = store.speculative.complete(likely)
    store.connection.execute("COMMIT")
    assert result is not None
    assert result[1].cash_minor == (125, 40)


def test_an_account_that_was_rolled_back_is_opened_again(store: Store) -> None:
    """The cache held its id, so it is reloaded."""
    assert store.prepare([grant(5, "joe")], lambda _predicted: False)
    store.speculative.discard()
    assert store.cache.stale
    (result,) = store.post(grant(7, "joe"))
    assert result[0].cash_minor == (7,)
    assert store.connection.execute("SELECT count(*) FROM account WHERE owner = 'joe'").fetchone() == (1,)


@pytest.mark.parametrize(
    ("queued", "interrupts"), [("itself", False), ("with more", False), ("another", True)]
)
def test_other_work_interrupts_preparation(staked: SqliteLedger, queued: str, interrupts: bool) -> None:
    """Whatever was queued meanwhile is done in order."""
    likely, go = ended(), threading.Event()
    sequence = {"itself": [likely], "with more": [likely, grant(1)], "another": [grant(1)]}[queued]
    writer = staked._writer
    assert isinstance(writer, Writer)
    blocking = staked.run(lambda _: go.wait(WITHIN_S))
    while not writer._queue.empty():
        threading.Event().wait(0.001)
    posts = staked.post(sequence), staked.post([grant(2)])
    assert writer._interrupted(PredictedSequence([likely], uncancellable_future())) is interrupts
    go.set()
    assert blocking.result(WITHIN_S)
    assert posts[0].result(WITHIN_S)[-1].seq < posts[1].result(WITHIN_S)[0].seq
