"""What is likely is written ahead: it stands when it is posted, as if it hadn't been, and never else."""

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
from croupier.ledger.sqlite import speculation
from croupier.ledger.sqlite.batch import enter
from croupier.ledger.sqlite.connection import open_writer
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.speculation import ATTEMPTS_MAX, PredictedSequence, SpeculativeTransaction
from croupier.ledger.sqlite.store import SqliteLedger, SqliteReader
from croupier.ledger.sqlite.verify import verify
from croupier.ledger.sqlite.writer import Writer, uncancellable_future
from croupier.refusal import Refused
from tests.ledger.slips import coup, deal, give, stakes

Post = Callable[..., list[int]]
CHILD = Path(__file__).with_name("child.py")
STAKED = [give(100), give(100, "bob"), stakes(("ann", 20), ("bob", 60))]
WITHIN_S = 30


@pytest.fixture
def staked(ledger: SqliteLedger) -> SqliteLedger:
    """Ann and Bob have staked."""
    ledger.post(STAKED).result(WITHIN_S)
    return ledger


def ended() -> Entry:
    """Ann's round and Bob's."""
    return coup(("ann", 20, 40), ("bob", 60, 0))


def drawn(ledger: SqliteLedger, *likely: Entry) -> bool:
    return ledger.prepare(likely).result(WITHIN_S)


def pencil_of(ledger: SqliteLedger) -> SpeculativeTransaction:
    assert isinstance(ledger._writer, Writer)
    return ledger._writer._pencil


def all_rows(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path)) as books:
        books.execute("DELETE FROM meta WHERE key = 'database'")  # each database has an id of its own
        tables = ("journal", "account", "posting", "round", "meta")
        return [books.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in tables]


class Commits:
    """Which transactions the writer has begun and ended."""

    def __init__(self, ledger: SqliteLedger) -> None:
        self._said: list[str] = []
        ledger.run(lambda books: books.set_trace_callback(self._said.append)).result(WITHIN_S)
        self._said.clear()

    @property
    def said(self) -> list[str]:
        return [each.split()[0] for each in self._said if each.split()[0] in ("BEGIN", "COMMIT", "ROLLBACK")]


# --- posted as it was pencilled


@pytest.mark.parametrize("more", [[], [give(5)], [give(5), deal(10)]])
def test_it_stands_as_if_it_had_not_been_pencilled(
    staked: SqliteLedger, path: Path, tmp_path: Path, more: list[Entry]
) -> None:
    likely = ended()
    other = SqliteLedger.open(tmp_path / "other.db", migrate=upgrade)
    other.post(STAKED).result(WITHIN_S)
    commits = Commits(staked)
    assert drawn(staked, likely)
    assert staked.post([likely, *more]).result(WITHIN_S) == other.post([likely, *more]).result(WITHIN_S)
    assert commits.said == ["BEGIN", "COMMIT"], "nothing was done a second time"
    for ledger in (staked, other):
        ledger.post([give(1, key="afterwards")]).result(WITHIN_S)
        ledger.close()
    assert all_rows(path) == all_rows(tmp_path / "other.db")
    assert verify(path).bad is None


def test_nobody_sees_it_before(staked: SqliteLedger, path: Path) -> None:
    likely = ended()
    assert drawn(staked, likely)
    others = SqliteReader(path)
    for books in (staked, others):
        assert books.balances("ann") == {"GC": {"cash": 80, "in_play": 20}}
        assert [line.status for line in books.rounds("ann")] == ["open"]
        assert books.entry(likely.key) is None
    assert (verify(path).bad, verify(path).entries) == (None, len(STAKED))
    staked.post([likely]).result(WITHIN_S)
    assert others.balances("ann") == staked.balances("ann") == {"GC": {"cash": 120, "in_play": 0}}
    others.close()


def test_posted_before_it_was_drawn(staked: SqliteLedger) -> None:
    go, likely = threading.Event(), ended()
    staked.run(lambda _books: go.wait(WITHIN_S))
    pencilled, posted = staked.prepare([likely]), staked.post([likely])
    go.set()
    assert (pencilled.result(WITHIN_S), posted.result(WITHIN_S)[0].seq) == (False, len(STAKED) + 1)
    assert not pencil_of(staked).waits


def test_posted_again_it_is_a_duplicate(staked: SqliteLedger) -> None:
    likely = ended()
    assert drawn(staked, likely)
    first, again = staked.post([likely]).result(WITHIN_S), staked.post([likely]).result(WITHIN_S)
    assert (first[0].duplicate, again[0].duplicate, first[0].seq) == (False, True, again[0].seq)


# --- something else comes first


FIRST: dict[str, Callable[[SqliteLedger], Any]] = {
    "a gift": lambda ledger: ledger.post([give(7)]).result(WITHIN_S),
    "a stake": lambda ledger: ledger.post_each([stakes(("ann", 10))]).result(WITHIN_S),
    "what is refused": lambda ledger: ledger.post([deal(10**6)]).exception(WITHIN_S),
    "an errand": lambda ledger: ledger.run(lambda _books: None).result(WITHIN_S),
}


@pytest.mark.parametrize("what", FIRST)
def test_whatever_comes_first_is_done_first(staked: SqliteLedger, path: Path, what: str) -> None:
    likely = give(50)
    assert drawn(staked, likely)
    FIRST[what](staked)
    assert staked.entry(likely.key) is None
    staked.post([likely]).result(WITHIN_S)
    assert staked.entry(likely.key) == likely
    staked.close()
    assert verify(path).bad is None


def test_as_of_another_time_it_is_another(staked: SqliteLedger) -> None:
    likely = ended()
    assert drawn(staked, likely)
    later = replace(likely, at_ms=likely.at_ms + 1)
    staked.post([later]).result(WITHIN_S)
    assert staked.entry(likely.key) == later
    assert not pencil_of(staked).waits, "it isn't drawn again"


def test_an_errand_sees_nothing_of_it(staked: SqliteLedger) -> None:
    assert drawn(staked, ended())
    count = staked.run(lambda books: books.execute("SELECT count(*) FROM journal").fetchone())
    assert count.result(WITHIN_S) == (len(STAKED),)


def test_it_is_drawn_anew_but_not_for_ever(staked: SqliteLedger) -> None:
    def again() -> bool:
        until = threading.Event()
        for _ in range(100):
            if pencil_of(staked).drawn:
                return True
            until.wait(0.01)
        return False

    commits = Commits(staked)
    assert drawn(staked, likely := ended())
    for _ in range(ATTEMPTS_MAX - 1):
        staked.post([give(1)]).result(WITHIN_S)
        assert again()
    staked.post([give(1)]).result(WITHIN_S)
    assert not again()
    assert commits.said.count("ROLLBACK") == ATTEMPTS_MAX
    assert staked.post([likely]).result(WITHIN_S)[0].cash_minor == (120 + ATTEMPTS_MAX, 40)


def test_a_stake_that_comes_first_makes_the_end_a_wrong_one(staked: SqliteLedger, path: Path) -> None:
    """It is refused when it is posted, as it would have been; the slate is right."""
    likely = ended()
    assert drawn(staked, likely)
    staked.post([stakes(("ann", 5))]).result(WITHIN_S)
    with pytest.raises(Refused, match="wrong_stake"):
        staked.post([likely]).result(WITHIN_S)
    staked.post([coup(("ann", 25, 0), ("bob", 60, 0))]).result(WITHIN_S)
    assert staked.balances("ann") == {"GC": {"cash": 75, "in_play": 0}}
    assert verify(path).bad is None


def test_of_two_that_are_likely_each_has_its_turn(staked: SqliteLedger, path: Path) -> None:
    one, other = ended(), give(9)
    assert drawn(staked, one)
    later = staked.prepare([other])
    assert staked.post([one]).result(WITHIN_S)[0].seq == len(STAKED) + 1
    assert later.result(WITHIN_S)
    assert staked.post([other]).result(WITHIN_S)[0].seq == len(STAKED) + 2
    assert verify(path).bad is None


# --- what can't be


def test_nothing_cannot_be_pencilled(staked: SqliteLedger) -> None:
    with pytest.raises(AssertionError, match="nothing to be pencilled"):
        staked.prepare([])
    assert staked.post([ended()]).result(WITHIN_S)[0].cash_minor == (120, 40)


def test_what_the_books_refuse_is_not_drawn(staked: SqliteLedger) -> None:
    wrong = coup(("ann", 21, 40))
    assert not drawn(staked, wrong)
    assert not pencil_of(staked).waits
    with pytest.raises(Refused, match="wrong_stake"):
        staked.post([wrong]).result(WITHIN_S)
    assert staked.post([ended()]).result(WITHIN_S)[0].cash_minor == (120, 40)


@pytest.mark.parametrize("refused", [deal(10**6), STAKED[0], give(3, key="twice")])
def test_what_follows_is_refused_and_so_is_all_of_it(
    staked: SqliteLedger, path: Path, refused: Entry
) -> None:
    likely = [give(5, key="twice"), ended()]
    assert drawn(staked, *likely)
    with pytest.raises(Refused):
        staked.post([*likely, refused]).result(WITHIN_S)
    assert staked.balances("ann") == {"GC": {"cash": 80, "in_play": 20}}
    assert staked.post(likely).result(WITHIN_S)[1].cash_minor == (125, 40)
    assert verify(path).bad is None


def test_after_a_failed_commit_it_is_not_drawn(path: Path) -> None:
    """The disk is full, truly: the child may write no file beyond a size. It pencils all that it posts."""
    ended = subprocess.run(
        [sys.executable, CHILD, "full", path, "pencil"], capture_output=True, text=True, check=False
    )
    told = ended.stdout.split()
    assert "LedgerBroken" in told, ended.stderr
    assert set(told[told.index("LedgerBroken") :]) == {"LedgerBroken"}
    assert verify(path).bad is None


def test_closed_books_draw_nothing(staked: SqliteLedger, path: Path) -> None:
    pencilled = staked.prepare([likely := ended()])
    staked.close()
    assert isinstance(pencilled.result(WITHIN_S), bool)
    assert isinstance(staked.prepare([likely]).exception(WITHIN_S), LedgerBroken)
    assert not path.with_name("books.db-wal").exists(), "the log is in the file"
    assert (verify(path).bad, verify(path).entries) == (None, len(STAKED))


@pytest.mark.parametrize("writer", ["here", "apart"])
def test_killed_with_it_nothing_of_it_stands(path: Path, writer: str) -> None:
    child = subprocess.Popen([sys.executable, CHILD, "pencilled", path, "", writer], stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"drawn True\n"
    child.kill()
    child.communicate()
    ledger = SqliteLedger.open(path, migrate=upgrade)
    assert ledger.balances("ann") == {"GC": {"cash": 40, "in_play": 60}}
    assert [line.status for line in ledger.rounds("ann")] == ["open"]
    ledger.close()
    assert verify(path).bad is None


# --- while it is being drawn


class Desk:
    """A connection and a slate, without the thread."""

    def __init__(self, path: Path) -> None:
        upgrade(path)
        self.connection, self.cache = open_writer(path), LedgerCache()
        self.pencil = SpeculativeTransaction(self.connection, self.cache)

    def enter(self, *sequence: Entry) -> list[Any]:
        self.connection.execute("BEGIN")
        answers = enter(self.connection, self.cache, [sequence])
        self.connection.execute("COMMIT")
        return answers

    def draw(self, likely: Sequence[Entry], disturbed: Callable[[PredictedSequence], bool]) -> bool:
        self.pencil.want(draft := PredictedSequence(likely, uncancellable_future()))
        self.pencil.draw(disturbed)
        return draft.done.result()

    def known(self) -> Any:
        cache = self.cache
        balances = {purse: Counter(of_each) for purse, of_each in cache.balances.items()}  # 0 is nothing
        return cache.stale, cache.head, cache.last_account, balances, dict(cache.rounds), dict(cache.open)


@pytest.fixture
def desk(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr(speculation, "PROGRESS_STEPS", 1)
    desk = Desk(path)
    desk.enter(*STAKED, give(5, "eve"), stakes(("eve", 5)))
    desk.enter(coup(("eve", 5, 0)))  # by which the table has an account
    yield desk
    desk.connection.close()


def test_who_comes_while_it_is_drawn_has_it_left(desk: Desk) -> None:
    """At each place where SQLite can be stopped: nothing of it is left anywhere."""
    likely, stopped = [give(5), coup(("ann", 20, 40), ("bob", 60, 0))], 0
    desk.cache.load(desk.connection, likely)
    before = desk.known()
    while True:
        looks = iter(range(stopped))
        if desk.draw(likely, lambda _draft, looks=looks: next(looks, None) is None):  # type: ignore[misc]
            break
        assert not desk.connection.in_transaction
        assert desk.known() == before
        desk.pencil.close()
        desk.pencil = SpeculativeTransaction(desk.connection, desk.cache)
        stopped += 1
    assert stopped > 100, "it was stopped at all of its places"
    answer = desk.pencil.ink(likely)
    desk.connection.execute("COMMIT")
    assert answer is not None
    assert answer[1].cash_minor == (125, 40)


def test_an_account_that_was_only_pencilled_is_opened_again(desk: Desk) -> None:
    """The slate is read anew: it had been told of accounts that aren't there."""
    assert desk.draw([give(5, "joe")], lambda _draft: False)
    desk.pencil.rub_out()
    assert desk.cache.stale
    (answer,) = desk.enter(give(7, "joe"))
    assert answer[0].cash_minor == (7,)
    assert desk.connection.execute("SELECT count(*) FROM account WHERE owner = 'joe'").fetchone() == (1,)


@pytest.mark.parametrize(("comes", "disturbs"), [("itself", False), ("with more", False), ("another", True)])
def test_it_is_left_for_whatever_else_comes(staked: SqliteLedger, comes: str, disturbs: bool) -> None:
    """What has come meanwhile is done in any case, in its order."""
    likely, go = ended(), threading.Event()
    sequence = {"itself": [likely], "with more": [likely, give(1)], "another": [give(1)]}[comes]
    writer = staked._writer
    assert isinstance(writer, Writer)
    blocking = staked.run(lambda _books: go.wait(WITHIN_S))
    while not writer._queue.empty():
        threading.Event().wait(0.001)
    posts = staked.post(sequence), staked.post([give(2)])
    assert writer._disturbed(PredictedSequence([likely], uncancellable_future())) is disturbs
    go.set()
    assert blocking.result(WITHIN_S)
    assert posts[0].result(WITHIN_S)[-1].seq < posts[1].result(WITHIN_S)[0].seq
