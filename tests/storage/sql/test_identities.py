"""Stored identities: one for each player, with a unique name."""

import pytest

from croupier.accounts.devices import EndedSession, NewSession, session_id
from croupier.accounts.identity import GUEST, Identity
from croupier.accounts.mail_addresses import MailToken
from croupier.accounts.repository import StoredLogin
from croupier.ledger.sql.databases import Database
from croupier.refusal import Refused
from tests.storage.sql.repositories import HASH, NOW_MS, add_account, add_guest, stores_in

ADA = Identity("account", "ada")


def test_a_guest_gets_a_name_and_one_new_session(database: Database) -> None:
    with stores_in(database) as stores:
        add_guest(stores, "ann", "guest")
        before = stores.accounts.signed_in("guest", NOW_MS).result()
        ended = stores.identities.add(ADA, HASH, NewSession("ann", "one", ""), NOW_MS).result()
        assert ended == (EndedSession("ann", session_id("guest")),)
        after = stores.accounts.signed_in("one", NOW_MS).result()
        assert before is not None
        assert after is not None
        assert (before.identity, after.identity) == (GUEST, ADA)
        assert (before.id, before.visit_ms) == (after.id, after.visit_ms), "the visit goes on"
        assert stores.accounts.signed_in("guest", NOW_MS).result() is None
        assert stores.identities.find(ADA).result() == StoredLogin("ann", HASH)
        assert stores.identities.of("ann").result() == StoredLogin("ann", HASH)


def test_a_name_is_taken_once_and_a_player_has_one(database: Database) -> None:
    with stores_in(database) as stores:
        add_account(stores, "ann", "one", "ada")
        add_guest(stores, "bob", "guest")
        session = NewSession("bob", "two", "")
        with pytest.raises(Refused, match="name_taken"):
            stores.identities.add(ADA, HASH, session, NOW_MS).result()
        assert stores.accounts.signed_in("two", NOW_MS).result() is None
        assert stores.accounts.signed_in("guest", NOW_MS).result() is not None, "nothing was changed"
        again = NewSession("ann", "three", "")
        with pytest.raises(Refused, match="account_exists"):
            stores.identities.add(Identity("account", "other"), HASH, again, NOW_MS).result()


def test_unknown_names_and_guests_have_no_login(database: Database) -> None:
    with stores_in(database) as stores:
        add_guest(stores, "ann", "guest")
        assert stores.identities.find(ADA).result() is None
        assert stores.identities.find(Identity("guest")).result() is None
        assert stores.identities.of("ann").result() is None


def test_an_outdated_hash_is_replaced_unless_the_password_was_changed_meanwhile(database: Database) -> None:
    with stores_in(database) as stores:
        add_account(stores, "ann", "one")
        stores.identities.rehash(StoredLogin("ann", HASH), "better", NOW_MS).result()
        assert stores.identities.of("ann").result() == StoredLogin("ann", "better")
        stores.identities.rehash(StoredLogin("ann", HASH), "late", NOW_MS).result()
        assert stores.identities.of("ann").result() == StoredLogin("ann", "better")
        assert stores.accounts.signed_in("one", NOW_MS).result() is not None, "its sessions go on"


def test_a_new_password_replaces_all_sessions_and_ends_links(database: Database) -> None:
    with stores_in(database) as stores:
        add_account(stores, "ann", "one")
        stores.sessions.begin(NewSession("ann", "two", ""), HASH, "", NOW_MS).result()
        stores.mail_addresses.add_token(MailToken("t", "ann", "reset", "ann@example.org"), NOW_MS).result()
        login, session = StoredLogin("ann", HASH), NewSession("ann", "three", "")
        changed = stores.credential_changes.set_password(login, "new", session, NOW_MS).result()
        assert {each.id for each in changed.ended} == {session_id("one"), session_id("two")}
        assert stores.identities.of("ann").result() == StoredLogin("ann", "new")
        assert stores.mail_addresses.owner("t", "reset", NOW_MS).result() is None
        with pytest.raises(Refused, match="wrong_password"):
            stores.credential_changes.set_password(login, "late", session, NOW_MS).result()
        assert [device.id for device in stores.sessions.list("ann").result()] == [session_id("three")]
