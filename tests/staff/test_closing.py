"""A closed account has no sessions, and none can begin; its rounds are finished and its history is kept."""

from pathlib import Path

import pytest

from croupier.accounts.devices import NewSession
from croupier.accounts.identity import Identity
from croupier.accounts.passkeys import RelyingParty
from croupier.accounts.repository import Arrival
from croupier.accounts.responsible_gaming import DAY_MS
from croupier.admission.player_limits import PlayerLimits, SpendRequest
from croupier.clock import now_ms
from croupier.gateway.server import Server
from croupier.ledger.entries import note
from croupier.players.accounts import BegunSession, Caller
from croupier.players.confirmed_actions import ShownCredential
from croupier.protocol import staff_players, wire
from croupier.refusal import Refused
from croupier.staff.service import StaffService
from tests.dealing.waiting_round import received, record_close_codes, waiting_round
from tests.staff.office import ADA, BOB, code_of, office_in
from tests.support.accounts import PASSWORD
from tests.support.authenticator import Authenticator

pytestmark = pytest.mark.anyio

CLOSE = staff_players.CloseAccount
WHERE = Caller("", "127.0.0.1", "")
NAME = "ada@example.org"


async def test_an_open_round_is_finished_and_the_session_ends(tmp_path: Path) -> None:
    async with waiting_round(tmp_path) as (server, player, played):
        staff = StaffService(server)
        (id_,) = (connected.id for connected in server.players)
        with record_close_codes() as codes:
            await staff.players.close(ADA, CLOSE(id_, "asked to"))
            await player.wait_until_finished()
        assert codes == [1000]
        assert received(player)[-1] == wire.No("", "account_closed", {})
        record = server.ledger.round(played.id)
        assert record is not None
        assert record.status == "settled"
        assert await server.sessions.signed_in(player.token) is None
        assert await server.devices.list(id_) == ()
        assert await code_of(staff.players.close(BOB, CLOSE(id_, "again"))) == "account_closed"
        file = await staff.players.file(BOB, id_)
        assert file.closed is not None
        assert (file.closed.by, file.closed.reason, file.player.closed) == ("Ada", "asked to", True)


async def test_money_of_value_keeps_an_account_open(tmp_path: Path) -> None:
    async with office_in(tmp_path) as office:
        assert office.server.queries.cash(office.player, "GC") > 0, "play money doesn't"
        assert await office.decide(BOB, await office.asked(500, "r1")) == "approved"
        with pytest.raises(Refused, match="balance_left") as refused:
            await office.close()
        assert refused.value.args_ == {"currency": "EUR", "balance_minor": 500}
        assert office.server.limits.of(office.player).closed is None
        assert await office.decide(BOB, await office.asked(-500, "r2")) == "approved"
        await office.close()
        assert office.logged("close_account") == [
            ("Ada", "asked to", "ok"),
            ("Ada", "asked to", "balance_left"),
        ]


async def test_an_open_deposit_keeps_an_account_open(tmp_path: Path) -> None:
    """A provider may still be paid, and only an open account can withdraw that again."""
    async with office_in(tmp_path) as office:
        limits, deposit = (
            office.server.limits,
            SpendRequest(office.player, "deposit", "EUR", 500, "payment:1"),
        )
        limits.reserve_deposit(deposit)
        with pytest.raises(Refused, match="deposit_open: currency EUR, amount_minor 500"):
            await office.close()
        assert limits.of(office.player).closed is None
        limits.release_deposit(deposit.entry)
        await office.close()
        with pytest.raises(Refused, match="account_closed"):
            limits.reserve_deposit(deposit)


async def account(server: Server) -> BegunSession:
    """Return the session of a new account."""
    token = await server.sessions.add_guest()
    guest = await server.sessions.signed_in(token)
    assert guest is not None
    return await server.accounts.create(WHERE._replace(token=token), guest, NAME, PASSWORD)


async def test_nobody_signs_in_to_a_closed_account_nor_stakes(tmp_path: Path) -> None:
    async with office_in(tmp_path) as office:
        server = office.server
        begun = await account(server)
        await office.staff.players.close(ADA, CLOSE(begun.player, "asked to"))
        assert await server.sessions.signed_in(begun.token) is None
        again = server.accounts.sign_in(WHERE, NAME, PASSWORD)
        assert await code_of(again) == "account_closed"
        assert await code_of(server.accounts.sign_in(WHERE, NAME, "wrong")) == "wrong_sign_in"
        for check in (server.limits.check_open, server.limits.check_not_barred):
            with pytest.raises(Refused, match="account_closed"):
                check(begun.player)
        loaded = PlayerLimits(server.ledger, server.balances, lambda _: None)
        loaded.load()
        assert loaded.of(begun.player).closed == server.limits.of(begun.player).closed, "also after a restart"
        assert (await office.staff.search.find(BOB, "ada@")).players.players[0].closed


async def test_a_passkey_doesnt_sign_in_to_a_closed_account(tmp_path: Path) -> None:
    async with office_in(tmp_path) as office:
        passkeys, party = office.server.passkeys, RelyingParty("localhost", "http://localhost")
        begun = await account(office.server)
        player = await office.server.sessions.signed_in(begun.token)
        assert player is not None
        authenticator = Authenticator(party.origin)
        new = authenticator.create(await passkeys.creation(player, party))
        await passkeys.add(WHERE, player, ShownCredential(PASSWORD, None, party), new, party)
        signed = authenticator.sign(passkeys.challenge(party))
        assert (await passkeys.sign_in(WHERE, signed, party)).player == begun.player
        await office.staff.players.close(ADA, CLOSE(begun.player, "asked to"))
        signed = authenticator.sign(passkeys.challenge(party))
        assert await code_of(passkeys.sign_in(WHERE, signed, party)) == "account_closed"
        assert await office.server.devices.list(begun.player) == ()


async def test_an_exclusion_outlasts_the_closing_and_the_reopening(tmp_path: Path) -> None:
    async with office_in(tmp_path) as office:
        until_ms = now_ms() + 10 * DAY_MS
        await office.server.restrictions.bar(office.player, "exclusion", until_ms)
        await office.close()
        order = staff_players.AskReopening("again", office.player, "a mistake")
        asked = await office.staff.approvals.ask(ADA, order)
        assert await office.decide(BOB, asked.approval) == "approved"
        after = office.server.limits.of(office.player)
        assert (after.closed, after.excluded.until_ms) == (None, until_ms)


async def test_another_site_sends_nobody_to_a_closed_account(tmp_path: Path) -> None:
    """Launches and identity servers both ask for the player of an identity first."""
    async with office_in(tmp_path) as office:
        external, customer = office.server.launches._sessions, Identity("operator", "customer-1")
        begun = await external.begin(WHERE, Arrival(customer, note("launch:1", now_ms(), {})))
        assert await external.known_player(customer) == begun.player
        await office.staff.players.close(ADA, CLOSE(begun.player, "asked to"))
        assert await code_of(external.known_player(customer)) == "account_closed"


async def test_a_session_that_began_while_the_account_was_closed_is_refused(tmp_path: Path) -> None:
    async with office_in(tmp_path) as office:
        server = office.server
        begun = await account(server)
        login = await server.gateway.durable(server.accounts._identities.of(begun.player))
        assert login is not None
        await office.staff.players.close(ADA, CLOSE(begun.player, "asked to"))
        late = NewSession(begun.player, "account-late", "")
        await server.gateway.durable(server.accounts._devices.begin(late, login.password, "", now_ms()))
        assert await code_of(server.sessions.signed_in("account-late")) == "account_closed"
