"""Stored e-mail addresses and tokens: a token works once, for its purpose, until it expires."""

from collections.abc import Iterator

import pytest

from croupier.accounts.devices import NewSession, session_id
from croupier.accounts.mail_addresses import AddressStatus, MailToken, Recipient, TokenPurpose
from croupier.accounts.repository import StoredLogin
from croupier.ledger.sql.databases import Database
from croupier.refusal import Refused
from croupier.storage.sql.mail_addresses import TOKEN_MS
from croupier.storage.stores import Stores
from tests.storage.sql.repositories import HASH, NOW_MS, add_account, stores_in

EXPIRED_MS = NOW_MS + TOKEN_MS
ADDRESS = "ann@example.org"


LOGIN = StoredLogin("ann", HASH)


@pytest.fixture
def stores(database: Database) -> Iterator[Stores]:
    """The stores of a database with the accounts `ann` and `bob`."""
    with stores_in(database) as stores:
        add_account(stores, "ann", "one")
        add_account(stores, "bob", "two")
        yield stores


def add_token(
    stores: Stores, token: str, player: str = "ann", purpose: TokenPurpose = "verify", address: str = ADDRESS
) -> None:
    stores.mail_addresses.add_token(MailToken(token, player, purpose, address), NOW_MS).result()


def verify_address(stores: Stores, player: str, address: str) -> None:
    add_token(stores, f"verify-{player}", player, address=address)
    stores.credential_changes.verify_address(f"verify-{player}", NOW_MS).result()


def test_an_address_is_pending_until_it_is_verified(stores: Stores) -> None:
    add_token(stores, "t")
    assert stores.mail_addresses.status("ann", NOW_MS).result() == AddressStatus("", ADDRESS)
    assert stores.mail_addresses.of("ann").result() is None
    verified = stores.credential_changes.verify_address("t", EXPIRED_MS - 1).result()
    assert verified.address == Recipient("ann", "ann", ADDRESS) == stores.mail_addresses.of("ann").result()
    assert verified.former_address is None
    assert stores.mail_addresses.status("ann", NOW_MS).result() == AddressStatus(ADDRESS, "")
    with pytest.raises(Refused, match="link_expired"):
        stores.credential_changes.verify_address("t", NOW_MS).result()


@pytest.mark.parametrize(
    ("token", "now_ms"),
    [("t", EXPIRED_MS), ("unknown", NOW_MS), ("", NOW_MS), ("replaced", NOW_MS), ("reset", NOW_MS)],
)
def test_an_invalid_token_verifies_nothing(stores: Stores, token: str, now_ms: int) -> None:
    add_token(stores, "replaced")
    add_token(stores, "t")
    add_token(stores, "reset", purpose="reset")
    with pytest.raises(Refused, match="link_expired"):
        stores.credential_changes.verify_address(token, now_ms).result()
    assert stores.mail_addresses.of("ann").result() is None


def test_a_pending_address_is_forgotten_once_its_token_has_expired(stores: Stores) -> None:
    add_token(stores, "t")
    assert stores.mail_addresses.status("ann", EXPIRED_MS).result() == AddressStatus()


def test_an_address_of_another_player_is_refused_and_the_token_stays(stores: Stores) -> None:
    verify_address(stores, "ann", ADDRESS)
    add_token(stores, "t", "bob")
    for _ in range(2):
        with pytest.raises(Refused, match="address_taken"):
            stores.credential_changes.verify_address("t", NOW_MS).result()
    stores.credential_changes.remove_address(LOGIN, "ann", NOW_MS).result()
    assert stores.credential_changes.verify_address("t", NOW_MS).result().address == Recipient(
        "bob", "bob", ADDRESS
    )


def test_another_address_replaces_the_first_and_ends_links_to_it(stores: Stores) -> None:
    verify_address(stores, "ann", ADDRESS)
    add_token(stores, "reset", purpose="reset")
    verify_address(stores, "ann", "new@example.org")
    assert stores.mail_addresses.recipients(ADDRESS).result() == ()
    assert stores.mail_addresses.recipients("ann").result() == (Recipient("ann", "ann", "new@example.org"),)
    assert stores.mail_addresses.owner("reset", "reset", NOW_MS).result() is None


def test_removal_ends_links_and_may_be_repeated(stores: Stores) -> None:
    verify_address(stores, "ann", ADDRESS)
    add_token(stores, "reset", purpose="reset")
    for _ in range(2):
        stores.credential_changes.remove_address(LOGIN, "ann", NOW_MS).result()
    assert stores.mail_addresses.of("ann").result() is None
    assert stores.mail_addresses.owner("reset", "reset", NOW_MS).result() is None


def test_recipients_have_the_name_or_the_verified_address(stores: Stores) -> None:
    verify_address(stores, "ann", ADDRESS)
    add_account(stores, "eve", "three", name=ADDRESS)
    verify_address(stores, "eve", "eve@example.org")
    add_token(stores, "t", "bob", address="bob@example.org")
    ann, eve = Recipient("ann", "ann", ADDRESS), Recipient("eve", ADDRESS, "eve@example.org")
    assert stores.mail_addresses.recipients("ann").result() == (ann,)
    assert stores.mail_addresses.recipients(ADDRESS).result() == (ann, eve), "a name may be another's address"
    for name in ("bob", "bob@example.org", "", "nobody"):
        assert stores.mail_addresses.recipients(name).result() == ()


def test_a_reset_sets_the_password_and_ends_all_sessions_and_tokens(stores: Stores) -> None:
    stores.sessions.begin(NewSession("ann", "three", ""), HASH, "", NOW_MS).result()
    add_token(stores, "verify")
    add_token(stores, "t", purpose="reset")
    assert stores.mail_addresses.owner("t", "reset", NOW_MS).result() == Recipient("ann", "ann", ADDRESS)
    changed = stores.credential_changes.reset("t", "new", (), NOW_MS).result()
    assert {each.id for each in changed.ended} == {session_id("one"), session_id("three")}
    assert stores.identities.of("ann").result() == StoredLogin("ann", "new")
    assert stores.sessions.list("ann").result() == ()
    for token in ("t", "verify"):
        with pytest.raises(Refused, match="link_expired"):
            stores.credential_changes.reset(token, "again", (), NOW_MS).result()
    assert stores.identities.of("bob").result() == StoredLogin("bob", HASH)


def test_an_expired_token_resets_nothing(stores: Stores) -> None:
    add_token(stores, "t", purpose="reset")
    with pytest.raises(Refused, match="link_expired"):
        stores.credential_changes.reset("t", "new", (), EXPIRED_MS).result()
    assert stores.identities.of("ann").result() == StoredLogin("ann", HASH)
