"""The write-ahead log: when it is checkpointed."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

import pytest

from croupier.ledger.protocol import LedgerBroken
from croupier.ledger.sqlite import wal
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from tests.ledger.sample_entries import grant
from tests.ledger.sqlite.connections import on_sqlite, trace

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
    trace(ledger, lambda sql: traced.append(sql) if "wal_" in sql else None).result()
    return traced


def until_checkpoint(checkpoints: list[str]) -> None:
    until = monotonic() + 10
    while not checkpoints and monotonic() < until:
        sleep(0.01)


def test_the_log_is_checkpointed_when_idle(opened: Opened) -> None:
    ledger = opened(IDLE_S=0.01)
    checkpoints = traced_checkpoints(ledger)
    ledger.post([grant(100)]).result()
    until_checkpoint(checkpoints)
    sleep(0.1)
    ledger.close()
    assert 1 <= len(checkpoints) <= 2, "once when idle, and not again without a commit"


def test_a_longer_log_is_checkpointed_sooner(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = opened(IDLE_S=600, COMMITS_MAX=10_000)
    checkpoints = traced_checkpoints(ledger)
    for _ in range(3):
        ledger.post([grant(1)]).result()
    sleep(0.2)
    assert not checkpoints, "nearly ten minutes of idle time"
    monkeypatch.setattr(wal, "COMMITS_MAX", 5.0001)
    ledger.post([grant(1)]).result()  # the fifth commit, after the small write
    until_checkpoint(checkpoints)
    ledger.close()
    assert len(checkpoints) == 1, "a hundredth of a second of idle time"


def test_a_long_log_is_checkpointed_under_load(opened: Opened) -> None:
    ledger = opened(IDLE_S=60, COMMITS_MAX=5)
    checkpoints = traced_checkpoints(ledger)
    for _ in range(20):
        ledger.post([grant(1)]).result()
    ledger.close()
    assert len(checkpoints) == 4


def test_a_failed_checkpoint_breaks_the_ledger(opened: Opened) -> None:
    ledger = opened(IDLE_S=0.01)
    on_sqlite(
        ledger,
        lambda db: db.set_authorizer(
            lambda _action, what, *_: sqlite3.SQLITE_DENY if what == "wal_checkpoint" else sqlite3.SQLITE_OK
        ),
    ).result()
    until = monotonic() + 10
    while ledger.post([grant(1)]).exception() is None and monotonic() < until:
        sleep(0.05)
    assert isinstance(ledger.post([grant(1)]).exception(), LedgerBroken)
    ledger.close()
