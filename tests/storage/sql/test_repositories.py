"""The repositories without tests of their own here, on every store."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from croupier.accounts.approvals import Approval
from croupier.accounts.devices import EndedSession, NewSession, session_id
from croupier.accounts.identity import Identity, NewGuest
from croupier.accounts.passkeys import Passkey, PasskeyOwner, PasskeyUse
from croupier.accounts.payments import Payment, PaymentNews, PaymentTimes
from croupier.accounts.repository import Arrival, StoredLogin
from croupier.accounts.staff_members import Member
from croupier.accounts.staff_sign_ins import Authenticator, Enrolment
from croupier.app.serve import DATABASE
from croupier.dealing.advice.training import Judgement
from croupier.dealing.live.chat.rows import ChatRow
from croupier.ledger.entries import note
from croupier.ledger.sql.databases import Database
from croupier.ledger.sql.store import SqlLedger
from croupier.refusal import Refused
from croupier.storage.sql.balances import FIND_BEFORE
from croupier.storage.stores import Stores
from tests.ledger.sample_entries import deal, deposit, grant
from tests.storage.sql.repositories import HASH, NOW_MS, add_account, add_guest, stores_in

LATER_MS = NOW_MS + 1_000
DUE_MS = NOW_MS + 5_000
ANN, BOSS = PasskeyOwner("player", "ann"), PasskeyOwner("staff", "boss")


@pytest.fixture
def stores(database: Database) -> Iterator[Stores]:
    """Stores with the account `ann`, who has 1,000 in a round of 400."""
    with stores_in(database) as stores:
        add_account(stores, "ann", "one")
        stores.ledger.post([grant(1_000)]).result()
        stores.ledger.post([deal(400)]).result()
        yield stores


def test_balances_arrive_with_the_player(stores: Stores) -> None:
    arrived = stores.accounts.arriving("one", LATER_MS).result()
    assert arrived is not None
    player, balances = arrived
    held = balances.held["GC"]
    assert (player.id, held.cash_minor, held.in_play_minor) == ("ann", 600, 400)
    assert balances.before == {"r1"}, "the round began before this visit"
    stores.accounts.end_visits("ann").result()
    stores.accounts.mark_seen(["ann"], LATER_MS).result()
    stores.accounts.save_settings("ann", '{"sound":false}', LATER_MS).result()
    again = stores.accounts.signed_in("one", LATER_MS).result()
    assert again is not None
    assert (again.settings_json, again.visit_ms) == ('{"sound":false}', LATER_MS)
    assert stores.accounts.exists("ann").result()
    assert not stores.accounts.exists("bob").result()


def test_unseen_accounts_are_signed_out(stores: Stores) -> None:
    assert stores.sessions.end_unseen(["ann"], LATER_MS, LATER_MS).result() == ()
    ended = stores.sessions.end_unseen([], LATER_MS, LATER_MS).result()
    assert ended == (EndedSession("ann", session_id("one")),)


def test_a_payment_is_kept_with_each_change(stores: Stores) -> None:
    payment = Payment("p1", "ann", "deposit", "GC", 500, NOW_MS, DUE_MS, "created", NOW_MS, due_ms=DUE_MS)
    assert stores.payments.add(payment).result().after == payment
    assert stores.payments.add(payment).result().before == payment
    assert stores.payments.due(DUE_MS - 1, 5).result() == ()
    assert stores.payments.due(DUE_MS, 5).result() == (payment,)
    times = PaymentTimes(LATER_MS, DUE_MS + 1, DUE_MS + 2)
    stores.payments.change("p1", PaymentNews("asked"), times).result()
    stores.payments.change("p1", PaymentNews("differs"), times).result()
    (stuck,) = stores.payments.stuck(5).result()
    assert (stuck.state, stuck.due_ms) == ("disputed", DUE_MS + 1)
    stores.payments.change("p1", PaymentNews("paid", moved_minor=300), times).result()
    (paid,) = stores.payments.of("ann", 5).result()
    assert (paid.state, paid.moved_minor, stores.payments.stuck(5).result()) == ("confirmed", 300, ())
    assert stores.ledger.balances("ann")["GC"]["cash"] == 900
    withdrawal = Payment("p2", "ann", "withdrawal", "GC", 901, NOW_MS, DUE_MS, "requested", NOW_MS)
    with pytest.raises(Refused, match="not_covered"):
        stores.payments.add(withdrawal).result()
    assert stores.payments.find("p2").result() is None, "the row is undone with its entry"


def test_an_approval_waits_until_it_is_decided(stores: Stores) -> None:
    first, second = (
        Approval(f"ap_{n}", "adjustment", "ann", "GC", 50, "", "boss", NOW_MS + n, DUE_MS) for n in (1, 2)
    )
    for approval in (first, second):
        assert stores.approvals.add(approval).result() == approval
    assert stores.approvals.list(NOW_MS, 5).result() == (second, first)
    assert [stores.approvals.waiting(name, NOW_MS).result() for name in ("boss", "other")] == [0, 2]
    decided = stores.approvals.decide("ap_2", "approved", "other", LATER_MS).result().approval
    assert stores.approvals.list(NOW_MS, 5).result() == (first, decided), "first those that wait"
    assert stores.approvals.waiting("other", DUE_MS).result() == 0, "expired"
    assert stores.ledger.balances("ann")["GC"]["cash"] == 650


def test_staff_enrol_and_sign_in(stores: Stores) -> None:
    stores.staff.add("boss", "manager", "code", NOW_MS).result()
    assert stores.staff.members().result() == (Member("boss", "manager", NOW_MS),)
    stores.staff_sign_ins.check(Enrolment("boss", "code", LATER_MS)).result()
    enrolment, app = Enrolment("boss", "code", LATER_MS), Authenticator("secret", 5)
    assert stores.staff_sign_ins.enrol_authenticator(enrolment, app).result().name == "boss"
    assert stores.staff_sign_ins.authenticator("boss").result() == app
    stores.staff_sign_ins.use_step("boss", 6).result()
    with pytest.raises(Refused, match="wrong_sign_in"):
        stores.staff_sign_ins.use_step("boss", 6).result()
    stores.staff.reset("boss", "again", LATER_MS).result()
    assert stores.staff_sign_ins.authenticator("boss").result() is None
    assert stores.staff.known("boss", "again").result() is not None
    passkey = Passkey("key", BOSS, "public", 0, "Key", LATER_MS)
    stores.staff_sign_ins.enrol_passkey(Enrolment("boss", "again", LATER_MS), passkey).result()
    assert stores.passkeys.of(BOSS).result() == (passkey,)
    stores.staff.remove("boss", LATER_MS).result()
    assert stores.passkeys.found("key").result() is None


def test_a_passkey_begins_a_session(stores: Stores) -> None:
    changes, login = stores.credential_changes, StoredLogin("ann", HASH)
    changes.add_passkey(login, Passkey("key", ANN, "public", 1, "Key", NOW_MS)).result()
    use, session = PasskeyUse("key", ANN, 2), NewSession("ann", "two", "")
    ended = stores.passkeys.begin_session(use, session, "one", LATER_MS).result()
    assert ended == (EndedSession("ann", session_id("one")),)
    with pytest.raises(Refused, match="wrong_sign_in"):
        stores.passkeys.use(use, LATER_MS).result()
    changes.remove_passkey(login, "ann", "key", LATER_MS).result()
    add_guest(stores, "bob", "three")
    another = Passkey("other", PasskeyOwner("player", "bob"), "public", 0, "Key", LATER_MS)
    stores.passkeys.add_account(Identity("account", "bob"), another, NewSession("bob", "four", "")).result()
    with pytest.raises(Refused, match="last_passkey"):
        changes.remove_passkey(PasskeyUse("other", another.owner, 0), "bob", "other", LATER_MS).result()


def test_a_player_of_an_operator_takes_the_guest(stores: Stores) -> None:
    add_guest(stores, "guest", "g")
    identity, new = Identity("operator", "cust"), NewGuest("unused", "Player", "new")
    arrival = Arrival(identity, note("arrival:1", NOW_MS, {}), keeps_guest=True)
    arrived = stores.external_players.begin(arrival, new, "g", [], NOW_MS).result()
    assert (arrived.player, arrived.ended) == ("guest", (EndedSession("guest", session_id("g")),))
    assert stores.external_players.player(identity).result() == "guest"
    assert stores.external_players.name_of("guest").result() == "cust"
    assert stores.external_players.name_of("ann").result() == ""


def test_chat_is_kept_for_some_time_and_mutes_are_listed(stores: Stores) -> None:
    said = [ChatRow("t", NOW_MS, "Said", f"{number}") for number in range(3)]
    stores.chat.add([ChatRow("t", NOW_MS, "Muted", "{}"), *said], NOW_MS, 0).result()
    assert stores.chat.newest("t", 2).result() == [("Muted", "{}"), ("Said", "1"), ("Said", "2")]
    stores.chat.add([ChatRow("t", LATER_MS, "Said", "new")], LATER_MS, LATER_MS).result()
    assert stores.chat.newest("t", 9).result() == [("Said", "1"), ("Said", "2"), ("Said", "new")]


def test_a_judgement_is_counted_once(stores: Stores) -> None:
    judgement = Judgement("r1", NOW_MS, "classic", "hard", "16", "hit", "stand", 100, advised=False)
    for _ in range(2):
        record = stores.training.add("ann", judgement, note("judged:r1", NOW_MS, {}, player="ann")).result()
    assert stores.training.read("ann").result() == record
    assert (record.total.decisions, record.total.cost_millionths) == (1, 100)


def test_only_guests_who_never_played_are_deleted(stores: Stores) -> None:
    for player in ("paid", "used", "unused"):
        add_guest(stores, player, player)
        stores.ledger.post([grant(10, player)]).result()
        stores.leases.seize(f"own:{player}:classic", "node").result()
    stores.ledger.post([deposit(5, "paid")]).result()
    stores.accounts.signed_in("used", LATER_MS).result()
    assert stores.unused_guests.find("", 2, LATER_MS).result() == ("paid", ())
    assert stores.unused_guests.find("paid", 9, LATER_MS).result() == ("", ("unused",))
    assert stores.unused_guests.delete(["paid", "used", "unused"], LATER_MS, LATER_MS).result() == ("unused",)
    assert stores.unused_guests.delete([], LATER_MS, LATER_MS).result() == ()
    assert stores.ledger.balances("unused")["GC"]["cash"] == 0
    leases = "SELECT table_id FROM lease ORDER BY table_id"
    assert isinstance(stores.ledger, SqlLedger)
    kept = stores.ledger.run(lambda connection: connection.execute(leases).fetchall()).result()
    assert kept == [("own:paid:classic",), ("own:used:classic",)]


def test_a_players_open_rounds_are_found_by_their_own_index(tmp_path: Path) -> None:
    """The index of all open rounds would be read once for each player who arrives."""
    path = tmp_path / DATABASE
    with stores_in(path), closing(sqlite3.connect(path)) as connection:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {FIND_BEFORE}", ("ann", NOW_MS))
        steps = [str(row[3]) for row in plan]
    assert "SEARCH round USING INDEX round_by_player (player=? AND opened_seq>?)" in steps
