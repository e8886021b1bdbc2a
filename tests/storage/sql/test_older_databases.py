"""A database from before accounts opens: its guests stay guests, and can become accounts."""

import sqlite3
from pathlib import Path

import pytest

from croupier.accounts.devices import NewSession, PlayerDevice, session_id
from croupier.accounts.identity import GUEST, Identity, hash_of
from croupier.app.serve import DATABASE
from croupier.ledger.sql.verify import verify
from croupier.ledger.sqlite.migrations import upgrade
from tests.storage.sql.repositories import HASH, NOW_MS, stores_in

BEFORE_AUDITED_ROWS, BEFORE_ACCOUNTS = "0007", "0009"
SEEN_MS = NOW_MS - 1_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder of that time, with a guest who was seen and one who never was."""
    path = tmp_path / DATABASE
    upgrade(path, BEFORE_AUDITED_ROWS)
    with sqlite3.connect(path) as connection:
        for player, seen_ms in (("ann", SEEN_MS), ("bob", 0)):
            connection.execute("INSERT INTO player VALUES (?, 'Guest', 1, '{}')", (player,))
            connection.execute(
                "INSERT INTO session (token_sha256, player, created_ms, seen_ms) VALUES (?, ?, 5, ?)",
                (hash_of(f"token-{player}"), player, seen_ms),
            )
    connection.close()
    upgrade(path, BEFORE_ACCOUNTS)
    return tmp_path


def test_guests_stay_guests_with_their_sessions(folder: Path) -> None:
    with stores_in(folder / DATABASE) as stores:
        for player, seen_ms in (("ann", SEEN_MS), ("bob", 5)):
            found = stores.sessions.list(player).result()
            assert found == (PlayerDevice(session_id(f"token-{player}"), "", 5, seen_ms),)
            known = stores.accounts.signed_in(f"token-{player}", NOW_MS).result()
            assert known is not None
            assert (known.id, known.identity) == (player, GUEST)


def test_a_guest_of_that_time_becomes_an_account(folder: Path) -> None:
    with stores_in(folder / DATABASE) as stores:
        session = NewSession("ann", "new", "")
        stores.identities.add(Identity("account", "ada"), HASH, session, NOW_MS).result()
        known = stores.accounts.signed_in("new", NOW_MS).result()
        assert known is not None
        assert (known.id, known.identity) == ("ann", Identity("account", "ada"))
    assert verify(folder / DATABASE).bad is None
