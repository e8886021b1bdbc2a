"""`kill -9` at any moment: acknowledged entries survive, and the audit passes.

A kill says nothing about power cuts, since the operating system keeps what was written; test_store.py checks
the pragmas that they depend on.
"""

import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from croupier.ledger.sql.verify import verify
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger

CHILD = Path(__file__).with_name("child.py")


def killed_while_posting(path: Path, run: int, after_s: float, writer: str) -> set[str]:
    """Return the keys that a child acknowledged before it was killed, `after_s` after the first."""
    command: list[str | Path] = [sys.executable, CHILD, "loop", path, str(run), writer]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    acknowledged = child.stdout.readline().split()
    threading.Timer(after_s, child.kill).start()
    with child:
        acknowledged += child.stdout.read().split()
    assert child.returncode == -9
    return set(acknowledged)


def check(path: Path, acknowledged: set[str]) -> None:
    """Audit the database as the kill left it, and again after opening it."""
    bad = verify(path).bad
    ledger = SqliteLedger.open(path, migrate=upgrade)
    lost = [key for key in acknowledged if ledger.entry(key) is None]
    ledger.close()
    assert (bad, lost, verify(path).bad) == (None, [], None)


def campaign(path: Path, kills: int, writer: str) -> None:
    seed = random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")
    moments = random.Random(seed)
    acknowledged: set[str] = set()
    for run in range(kills):
        acknowledged |= killed_while_posting(path, run, moments.uniform(0, 0.15), writer)
        check(path, acknowledged)
    assert len(acknowledged) > kills


@pytest.mark.parametrize(("writer", "kills"), [("thread", 6), ("process", 3)])
def test_a_few_kills(path: Path, writer: str, kills: int) -> None:
    """The writer process finishes the requests it received before the kill."""
    campaign(path, kills, writer)


@pytest.mark.campaign
@pytest.mark.timeout(0)
@pytest.mark.parametrize("writer", ["thread", "process"])
def test_a_configured_number_of_kills(path: Path, writer: str) -> None:
    campaign(path, int(os.environ.get("CROUPIER_KILLS", "1000")), writer)
