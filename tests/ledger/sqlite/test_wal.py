"""The write-ahead log: when it is checkpointed, and how much space is allocated ahead."""

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
from tests.ledger.sample_entries import give

PREALLOCATED = 3 << 20
Opened = Callable[..., SqliteLedger]


@pytest.fixture
def opened(path: Path, monkeypatch: pytest.MonkeyPatch) -> Opened:
    """Open a ledger with other values of the named constants."""

    def opened(**constants: float) -> SqliteLedger:
        for name, value in constants.items():
            monkeypatch.setattr(wal, name, value)
        return SqliteLedger.open(path, migrate=upgrade)

    return opened


def traced_checkpoints(ledger: SqliteLedger) -> list[str]:
    """Return a list to which every checkpoint from now on is added."""
    traced: list[str] = []
    ledger.run(
        lambda db: db.set_trace_callback(lambda sql: traced.append(sql) if "wal_" in sql else None)
    ).result()
    return traced


def until_checkpoint(checkpoints: list[str]) -> None:
    until = monotonic() + 10
    while not checkpoints and monotonic() < until:
        sleep(0.01)


def test_the_log_is_checkpointed_when_idle(opened: Opened) -> None:
    ledger = opened(IDLE_S=0.01)
    checkpoints = traced_checkpoints(ledger)
    ledger.post([give(100)]).result()
    until_checkpoint(checkpoints)
    sleep(0.1)
    ledger.close()
    assert 1 <= len(checkpoints) <= 2, "once when idle, and not again without a commit"


def test_a_longer_log_is_checkpointed_sooner(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = opened(IDLE_S=600, COMMITS_MAX=10_000)
    checkpoints = traced_checkpoints(ledger)
    for _ in range(3):
        ledger.post([give(1)]).result()
    sleep(0.2)
    assert not checkpoints, "nearly ten minutes of idle time"
    monkeypatch.setattr(wal, "COMMITS_MAX", 5.0001)
    ledger.post([give(1)]).result()  # the fifth commit, after the small write
    until_checkpoint(checkpoints)
    ledger.close()
    assert len(checkpoints) == 1, "a hundredth of a second of idle time"


def test_a_long_log_is_checkpointed_under_load(opened: Opened) -> None:
    ledger = opened(IDLE_S=60, COMMITS_MAX=5)
    checkpoints = traced_checkpoints(ledger)
    for _ in range(20):
        ledger.post([give(1)]).result()
    ledger.close()
    assert len(checkpoints) == 4


def test_a_failed_checkpoint_breaks_the_ledger(opened: Opened) -> None:
    ledger = opened(IDLE_S=0.01)
    ledger.run(
        lambda db: db.set_authorizer(
            lambda _action, what, *_: sqlite3.SQLITE_DENY if what == "wal_checkpoint" else sqlite3.SQLITE_OK
        )
    ).result()
    until = monotonic() + 10
    while ledger.post([give(1)]).exception() is None and monotonic() < until:
        sleep(0.05)
    assert isinstance(ledger.post([give(1)]).exception(), LedgerBroken)
    ledger.close()


# --- space allocated ahead -----------------------------------------------------------------------


def length(path: Path) -> int:
    return path.with_name("books.db-wal").stat().st_size


def until_length(path: Path, least: int) -> None:
    until = monotonic() + 10
    while length(path) < least and monotonic() < until:
        sleep(0.01)


@pytest.fixture
def preallocating(opened: Opened) -> SqliteLedger:
    """A ledger that allocates log space as soon as it has checkpointed."""
    return opened(IDLE_S=0.01, PREALLOCATED_FACTOR=1_000_000, PREALLOCATED_MAX=PREALLOCATED, DISK_FREE_MIN=0)


def test_log_space_is_allocated_when_idle(path: Path, preallocating: SqliteLedger) -> None:
    preallocating.post([give(100)]).result()
    until_length(path, PREALLOCATED)
    preallocating.post([give(1)]).result()  # the last step is complete by now
    allocated = length(path)
    assert PREALLOCATED <= allocated < PREALLOCATED + wal.STEP_BYTES, "up to the limit"
    posts = [preallocating.post([give(1)]) for _ in range(50)]
    assert all(not post.result()[0].duplicate for post in posts)
    assert length(path) == allocated, "the commits used the allocated space"
    preallocating.close()
    assert not path.with_name("books.db-wal").exists(), "the space is freed"
    assert verify(path).bad is None


def test_no_commit_is_lost_before_allocated_space(
    path: Path, preallocating: SqliteLedger, tmp_path: Path
) -> None:
    """Copy the files as a kill leaves them, with allocated space after the last commit."""
    given = [give(1) for _ in range(20)]
    preallocating.post([given[0]]).result()
    until_length(path, PREALLOCATED)
    for each in given[1:]:
        preallocating.post([each]).result()
    left = tmp_path / "left.db"
    for ending in ("", "-wal"):
        shutil.copy(f"{path}{ending}", f"{left}{ending}")
    preallocating.close()
    ledger = SqliteLedger.open(left, migrate=upgrade)
    assert all(ledger.entry(each.key) for each in given)
    assert not ledger.post([give(1)]).result()[0].duplicate
    ledger.close()
    assert verify(left).bad is None


def test_work_is_done_between_allocation_steps(path: Path, opened: Opened) -> None:
    ledger = opened(IDLE_S=0.01, PREALLOCATED_FACTOR=1_000_000, DISK_FREE_MIN=0)
    ledger.post([give(1)]).result()
    until_length(path, wal.STEP_BYTES)
    ledger.post([give(1)]).result()
    assert length(path) < wal.PREALLOCATED_MAX
    ledger.close()


def test_a_nearly_full_disk_gets_no_allocation(
    path: Path, opened: Opened, caplog: pytest.LogCaptureFixture
) -> None:
    ledger = opened(IDLE_S=0.01, PREALLOCATED_FACTOR=1_000_000, DISK_FREE_MIN=1 << 62)
    checkpoints = traced_checkpoints(ledger)
    for _ in range(3):
        ledger.post([give(1)]).result()
        until_checkpoint(checkpoints)
        checkpoints.clear()
        sleep(0.05)
    assert len(caplog.messages) == 1, "logged once"
    assert "no space is allocated ahead for the database's write-ahead log: little space" in caplog.text
    assert length(path) < wal.STEP_BYTES
    ledger.close()
    assert verify(path).bad is None
