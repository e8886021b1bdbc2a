"""The log that commits are written to: when it is moved into the file, and what room it has."""

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

import pytest

from croupier.ledger.protocol import LedgerBroken
from croupier.ledger.sqlite import wal
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.ledger.sqlite.verify import verify
from tests.ledger.slips import give

PREALLOCATED = 3 << 20
Opened = Callable[..., SqliteLedger]


@pytest.fixture
def opened(path: Path, monkeypatch: pytest.MonkeyPatch) -> Opened:
    """Books whose log is looked after by other figures, by their names."""

    def opened(**figures: float) -> SqliteLedger:
        for name, figure in figures.items():
            monkeypatch.setattr(wal, name, figure)
        return SqliteLedger.open(path, migrate=upgrade)

    return opened


def moves_of_the_log(ledger: SqliteLedger) -> list[str]:
    """They are told here from now on."""
    told: list[str] = []
    ledger.run(
        lambda books: books.set_trace_callback(lambda said: told.append(said) if "wal_" in said else None)
    ).result()
    return told


def until_moved(told: list[str]) -> None:
    until = monotonic() + 10
    while not told and monotonic() < until:
        sleep(0.01)


def test_the_log_is_moved_when_nobody_waits(opened: Opened) -> None:
    ledger = opened(IDLE_S=0.01)
    told = moves_of_the_log(ledger)
    ledger.post([give(100)]).result()
    until_moved(told)
    sleep(0.1)
    ledger.close()
    assert 1 <= len(told) <= 2, "once when it rests, and not again until something has been done"


def test_less_rest_will_do_where_much_has_been_written(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = opened(IDLE_S=600, COMMITS_MAX=10_000)
    told = moves_of_the_log(ledger)
    for _ in range(3):
        ledger.post([give(1)]).result()
    sleep(0.2)
    assert not told, "ten minutes of rest, nearly"
    monkeypatch.setattr(wal, "COMMITS_MAX", 5.0001)
    ledger.post([give(1)]).result()  # the fifth, with the errand
    until_moved(told)
    ledger.close()
    assert len(told) == 1, "a hundredth of a second"


def test_the_log_is_moved_under_way_when_it_is_long(opened: Opened) -> None:
    ledger = opened(IDLE_S=60, COMMITS_MAX=5)
    told = moves_of_the_log(ledger)
    for _ in range(20):
        ledger.post([give(1)]).result()
    ledger.close()
    assert len(told) == 4


def test_a_log_that_cannot_be_moved_ends_it(opened: Opened) -> None:
    ledger = opened(IDLE_S=0.01)
    ledger.run(
        lambda books: books.set_authorizer(
            lambda _action, what, *_: sqlite3.SQLITE_DENY if what == "wal_checkpoint" else sqlite3.SQLITE_OK
        )
    ).result()
    until = monotonic() + 10
    while ledger.post([give(1)]).exception() is None and monotonic() < until:
        sleep(0.05)
    assert isinstance(ledger.post([give(1)]).exception(), LedgerBroken)
    ledger.close()


# --- room ahead of need -----------------------------------------------------------------------


def length(path: Path) -> int:
    return path.with_name("books.db-wal").stat().st_size


def until_as_long(path: Path, least: int) -> None:
    until = monotonic() + 10
    while length(path) < least and monotonic() < until:
        sleep(0.01)


@pytest.fixture
def roomy(opened: Opened) -> SqliteLedger:
    """Books whose log gets room as soon as it has been moved."""
    return opened(IDLE_S=0.01, PREALLOCATED_FACTOR=1_000_000, PREALLOCATED_MAX=PREALLOCATED, DISK_FREE_MIN=0)


def test_the_log_gets_room_while_nobody_waits(path: Path, roomy: SqliteLedger) -> None:
    roomy.post([give(100)]).result()
    until_as_long(path, PREALLOCATED)
    roomy.post([give(1)]).result()  # by now the last piece has been written to its end
    made = length(path)
    assert PREALLOCATED <= made < PREALLOCATED + wal.STEP_BYTES, "so much and no more"
    handed_in = [roomy.post([give(1)]) for _ in range(50)]
    assert all(not post.result()[0].duplicate for post in handed_in)
    assert length(path) == made, "the commits found room in it"
    roomy.close()
    assert not path.with_name("books.db-wal").exists(), "the room is given back"
    assert verify(path).bad is None


def test_no_commit_is_lost_with_room_behind_it(path: Path, roomy: SqliteLedger, tmp_path: Path) -> None:
    """The files as a kill leaves them, in the midst of the room."""
    given = [give(1) for _ in range(20)]
    roomy.post([given[0]]).result()
    until_as_long(path, PREALLOCATED)
    for each in given[1:]:
        roomy.post([each]).result()
    left = tmp_path / "left.db"
    for ending in ("", "-wal"):
        shutil.copy(f"{path}{ending}", f"{left}{ending}")
    roomy.close()
    ledger = SqliteLedger.open(left, migrate=upgrade)
    assert all(ledger.entry(each.key) for each in given)
    assert not ledger.post([give(1)]).result()[0].duplicate
    ledger.close()
    assert verify(left).bad is None


def test_work_is_done_between_pieces(path: Path, opened: Opened) -> None:
    ledger = opened(IDLE_S=0.01, PREALLOCATED_FACTOR=1_000_000, DISK_FREE_MIN=0)
    ledger.post([give(1)]).result()
    until_as_long(path, wal.STEP_BYTES)
    ledger.post([give(1)]).result()
    assert length(path) < wal.PREALLOCATED_MAX
    ledger.close()


def test_a_disk_that_is_nearly_full_keeps_what_is_free(
    path: Path, opened: Opened, caplog: pytest.LogCaptureFixture
) -> None:
    ledger = opened(IDLE_S=0.01, PREALLOCATED_FACTOR=1_000_000, DISK_FREE_MIN=1 << 62)
    moves = moves_of_the_log(ledger)
    for _ in range(3):
        ledger.post([give(1)]).result()
        until_moved(moves)
        moves.clear()
        sleep(0.05)
    assert len(caplog.messages) == 1, "it is said once"
    assert "no room ahead of need: little is free" in caplog.text
    assert length(path) < wal.STEP_BYTES
    ledger.close()
    assert verify(path).bad is None
