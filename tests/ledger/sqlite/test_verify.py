"""The audit passes a correct database, rejects other files, and replays every round."""

from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.ledger.audit import BadRow
from croupier.ledger.chain import START, Head, JournalRow, link
from croupier.ledger.protocol import Ledger, RoundRecord
from croupier.ledger.sql.databases import Database
from croupier.ledger.sql.verify import verify
from croupier.ledger.stores import open_ledger
from tests.ledger.sample_entries import grant

Post = Callable[..., list[int]]


@pytest.mark.any_store
def test_a_correct_database_passes(audited: Database) -> None:
    report = verify(audited)
    assert report.bad is None
    assert (report.entries, report.rounds, report.replayed) == (18, 8, 0)


def test_a_new_database_passes(ledger: Ledger, path: Path) -> None:
    assert verify(path) == (0, 0, 0, START.hash.hex(), None)


def test_an_open_database_is_audited_in_one_state(ledger: Ledger, post: Post, path: Path) -> None:
    """Entries posted while the audit runs are ignored."""
    post(*(grant(1) for _ in range(2_000)))

    def post_one_more(_done: int, _all: int) -> None:
        post(grant(1))

    report = verify(path, progress=post_one_more)
    assert (report.entries, report.bad) == (2_000, None)
    assert verify(path).entries > 2_000


def test_a_missing_database_is_an_error(path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        verify(path)


def test_a_file_that_is_no_database_is_reported(path: Path) -> None:
    path.write_bytes(b"not a database! " * 1_000)
    bad = verify(path).bad
    assert bad is not None
    assert (bad.table, "not a database" in bad.why) == ("file", True)


# --- replays ------------------------------------------------------------------------


@pytest.mark.any_store
def test_every_round_is_replayed(audited: Database) -> None:
    results = {
        "r1": (20, 35),
        "r2": (7, 0),
        "r3": (5, 0),
        "r.ann": (6, 16),
        "r.bob": (20, 0),
        "q.bob": (5, 0),
        "s.ann": (5, 0),
        "s.bob": (9, 0),
    }
    seen: list[RoundRecord] = []

    def replay(record: RoundRecord) -> tuple[int, int]:
        seen.append(record)
        return results[record.id]

    report = verify(audited, replay=replay)
    assert (report.bad, report.replayed) == (None, 8)
    ledger = open_ledger(audited)
    order = ("r1", "r2", "r.ann", "r.bob", "r3", "q.bob", "s.ann", "s.bob")
    assert seen == [ledger.round(round_id) for round_id in order]
    ledger.close()


@pytest.mark.parametrize(
    ("round_id", "wrong"),
    [
        ("r1", (20, 34)),
        ("r1", (19, 35)),
        ("r2", (8, 0)),
        ("r3", (4, 0)),
        ("r.ann", (6, 17)),
        ("r.bob", (19, 0)),
    ],
)
def test_a_different_replay_is_found(audited: Database, round_id: str, wrong: tuple[int, int]) -> None:
    bad = verify(audited, replay=lambda record: wrong if record.id == round_id else None).bad
    assert bad is not None
    assert (bad.table, bad.row) == ("round", round_id)
    assert f"played again it makes {wrong}" in bad.why


@pytest.mark.any_store
def test_a_failed_replay_is_found(audited: Database) -> None:
    def replay(record: RoundRecord) -> tuple[int, int] | None:
        raise KeyError(record.table)

    assert verify(audited, replay=replay).bad == BadRow(
        "round", "r1", "can't be played again: KeyError('classic')"
    )


def test_the_hash_covers_every_column() -> None:
    row = JournalRow(1, "k", "note", 2, "ann", "classic", "r1", "[]", "null", "{}")
    other = JournalRow(9, "x", "void", 9, "x", "x", "x", "x", "x", "x")
    changed = [JournalRow._make([*row[:n], other[n], *row[n + 1 :]]) for n in range(len(row))]
    heads = {link(START, each).hash for each in [row, *changed]} | {link(Head(0, b"x"), row).hash}
    assert len(heads) == len(row) + 2
