"""Stored sessions: one for each device, by the hash of its token."""

import sqlite3
from pathlib import Path

import pytest

from croupier.accounts.devices import EndedSession, NewSession, PlayerDevice, session_id
from croupier.app.serve import DATABASE
from croupier.ledger.sql.databases import Database
from croupier.refusal import Refused
from tests.storage.sql.repositories import HASH, NOW_MS, add_account, add_guest, stores_in

LATER_MS = NOW_MS + 60_000


def test_a_player_has_the_devices_that_signed_in_the_last_used_one_first(database: Database) -> None:
    with stores_in(database) as stores:
        add_account(stores, "ann", "one")
        session = NewSession("ann", "two", "Firefox on Windows")
        assert stores.sessions.begin(session, HASH, "", LATER_MS).result() == ()
        assert stores.sessions.list("ann").result() == (
            PlayerDevice(session_id("two"), "Firefox on Windows", LATER_MS, LATER_MS),
            PlayerDevice(session_id("one"), "Chrome on Linux", NOW_MS, NOW_MS),
        )
        stores.accounts.signed_in("one", LATER_MS + 1).result()
        assert stores.sessions.list("ann").result()[0].id == session_id("one")


def test_a_sign_in_ends_the_former_session_of_its_browser_whosever_it_was(database: Database) -> None:
    with stores_in(database) as stores:
        add_account(stores, "ann", "one")
        add_guest(stores, "guest", "other")
        begun = stores.sessions.begin(NewSession("ann", "two", ""), HASH, "other", LATER_MS)
        assert begun.result() == (EndedSession("guest", session_id("other")),)
        assert stores.accounts.signed_in("other", LATER_MS).result() is None


def test_no_session_begins_with_an_old_password(database: Database) -> None:
    with stores_in(database) as stores:
        add_account(stores, "ann", "one")
        with pytest.raises(Refused, match="wrong_sign_in"):
            stores.sessions.begin(NewSession("ann", "two", ""), "old hash", "one", LATER_MS).result()
        assert stores.accounts.signed_in("two", LATER_MS).result() is None
        assert stores.accounts.signed_in("one", LATER_MS).result() is not None, "nothing was ended"


def test_one_device_or_all_others_are_ended(database: Database) -> None:
    with stores_in(database) as stores:
        add_account(stores, "ann", "one")
        for token in ("two", "three", "four"):
            stores.sessions.begin(NewSession("ann", token, ""), HASH, "", LATER_MS).result()
        ended = stores.sessions.end_one("ann", session_id("two"), LATER_MS).result()
        assert ended == (EndedSession("ann", session_id("two")),)
        others = stores.sessions.end_others("ann", "three", LATER_MS).result()
        assert {each.id for each in others} == {session_id("one"), session_id("four")}
        assert [device.id for device in stores.sessions.list("ann").result()] == [session_id("three")]


def test_nobody_ends_another_players_device(database: Database) -> None:
    with stores_in(database) as stores:
        add_account(stores, "ann", "one")
        add_account(stores, "bob", "two")
        assert stores.sessions.end_one("bob", session_id("one"), LATER_MS).result() == ()
        assert stores.sessions.end_others("bob", "two", LATER_MS).result() == ()
        assert stores.sessions.end("unknown", LATER_MS).result() == ()
        assert len(stores.sessions.list("ann").result()) == 1


def test_no_token_is_stored(tmp_path: Path) -> None:
    with stores_in(tmp_path / DATABASE) as stores:
        add_account(stores, "ann", "a-long-token")
    with sqlite3.connect(tmp_path / DATABASE) as connection:
        stored = "".join(connection.iterdump())
    connection.close()
    assert "a-long-token" not in stored
