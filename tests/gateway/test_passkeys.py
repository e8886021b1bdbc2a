"""Passkeys of players over the network, with real signatures of an authenticator in software."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import httpx
import msgspec
import pytest
from msgspec.structs import replace

from croupier.accounts.passkeys import PASSKEYS_MAX
from croupier.app.serve import DATABASE
from croupier.players.accounts import ATTEMPTS_MAX
from croupier.protocol import wire
from tests.support.accounts import PASSWORD, account_at, closed_soon, code_of, new_name
from tests.support.authenticator import PRESENT, Authenticator, changed
from tests.support.browser_connection import Browser
from tests.support.passkeys import Device, passkey_account
from tests.support.server_process import ServerProcess
from tests.support.servers import assert_clean_stop

pytestmark = pytest.mark.anyio
REFUSED = "SELECT count(*) FROM journal WHERE body LIKE '%player_sign_in_refused%' AND body LIKE ?"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Start a server of its own: failed sign-ins fill the log, which other tests read."""
    server = ServerProcess(tmp_path_factory.mktemp("passkeys") / "data").start()
    yield server
    assert_clean_stop(server)


async def passkeys_of(device: Browser) -> list[wire.PasskeyView]:
    return await device.get("/api/passkeys", list[wire.PasskeyView])


async def test_an_account_with_a_passkey_alone_signs_in_on_another_device(site: ServerProcess) -> None:
    name = new_name()
    async with passkey_account(site, name) as first, Device(site) as second:
        player = await first.get("/api/me", wire.Me)
        answer = await second.sign_in(first.authenticator)
        assert msgspec.json.decode(answer.content, type=wire.Me) == player
        (passkey,) = await passkeys_of(second)
        assert passkey.used_ms >= passkey.added_ms > 0
        password = await second.sent("/api/sign-in", wire.PlayerSignIn(name, ""))
        assert code_of(password) == "wrong_sign_in", "there is no password"


async def test_an_account_with_a_password_adds_and_removes_passkeys(site: ServerProcess) -> None:
    async with Device(site) as device:
        await device.post("/api/account", wire.Me, wire.NewAccount(new_name(), PASSWORD))
        for name in ("Phone", ""):
            assert (await device.add(name, PASSWORD)).status_code == 200
        second, first = await passkeys_of(device)
        assert (first.name, first.used_ms, second.name) == ("Phone", 0, "Passkey")
        for passkey in (first, second):
            answer = await device.remove(passkey.id, PASSWORD)
            assert answer.status_code == 200
        assert answer.json() == []
        assert code_of(await device.sign_in()) == "wrong_sign_in"
        answer = await device.remove(first.id, PASSWORD)
        assert (answer.status_code, code_of(answer)) == (404, "no_such_passkey")


async def test_signing_in_replaces_the_session_and_closes_its_sockets(site: ServerProcess) -> None:
    async with (
        passkey_account(site, new_name()) as first,
        Device(site) as other,
        Browser(site.address) as old,
    ):
        old.http.cookies = httpx.Cookies(other.http.cookies)
        await old.connect(headers={"Cookie": _cookies(other), "Origin": site.address})
        await old.hello()
        assert (await other.sign_in(first.authenticator)).status_code == 200
        assert await closed_soon(old) == [wire.No("", "signed_out", {"why": "signed_in"})]
        me = await old.http.get(f"{other.address}/api/me", headers={"Cookie": _cookies(old)})
        assert me.status_code == 401, "its token is dead"


def _cookies(browser: Browser) -> str:
    return "; ".join(f"{name}={value}" for name, value in browser.http.cookies.items())


async def test_an_answer_is_accepted_once(site: ServerProcess) -> None:
    async with passkey_account(site, new_name()) as device:
        signed = device.authenticator.sign(await device.challenge())
        assert (await device.sent("/api/sign-in/passkey", signed)).status_code == 200
        again = await device.sent("/api/sign-in/passkey", signed)
        assert (again.status_code, again.json()) == (401, {"code": "wrong_sign_in", "args": {}})


async def test_a_challenge_is_for_one_purpose_and_one_player(site: ServerProcess) -> None:
    async with (
        passkey_account(site, new_name()) as ada,
        passkey_account(site, new_name()) as ben,
    ):
        wanted = await ada.post("/api/passkeys/creation", wire.PasskeyCreation)
        for device, challenge in ((ben, wanted.challenge), (ada, (await ada.challenge()).challenge)):
            signed = await device.confirmed()
            new = device.authenticator.create(replace(wanted, challenge=challenge))
            order = wire.PasskeyAddition(new, passkey=signed)
            assert code_of(await device.sent("/api/passkeys", order)) == "passkey_failed"
            assert len(await passkeys_of(device)) == 1
        signed = ada.authenticator.sign(
            wire.PasskeyChallenge(wanted.challenge, wanted.rp), ada.authenticator.credentials[0]
        )
        assert code_of(await ada.sent("/api/sign-in/passkey", signed)) == "wrong_sign_in"


@pytest.mark.parametrize("wrong", ["origin", "host", "unverified", "absent", "user", "key", "count"])
async def test_a_wrong_answer_signs_nobody_in(site: ServerProcess, wrong: str) -> None:
    """Each is signed with the passkey's own key, but one."""
    async with passkey_account(site, new_name()) as ada, Device(site) as other:
        assert (await other.sign_in(ada.authenticator)).status_code == 200
        await other.sent("/api/sign-out")
        tool, credential = ada.authenticator, ada.authenticator.credentials[0]
        match wrong:
            case "origin":
                tool.origin = tool.origin.replace("localhost", "localhost.evil.example")
            case "host":
                credential.rp = "evil.example"
            case "unverified":
                tool.flags = PRESENT
            case "absent":
                tool.flags = 0
            case "user":
                credential.user = "AAAA"
            case "key":
                credential.key = Authenticator("").create_credential("localhost", "").key
            case "count":
                credential.count = 0
        answer = await other.sign_in(tool)
        assert (answer.status_code, answer.json()) == (401, {"code": "wrong_sign_in", "args": {}})
        assert (await other.http.get(f"{other.address}/api/me")).status_code == 401


@pytest.mark.parametrize("wrong", ["origin", "host", "unverified", "bytes"])
async def test_a_wrong_passkey_is_not_added(site: ServerProcess, wrong: str) -> None:
    async with passkey_account(site, new_name()) as ada:
        signed = await ada.confirmed()
        wanted = await ada.post("/api/passkeys/creation", wire.PasskeyCreation)
        match wrong:
            case "origin":
                ada.authenticator.origin = "http://localhost"
            case "host":
                wanted = replace(wanted, rp="evil.example")
            case "unverified":
                ada.authenticator.flags = PRESENT
        new = ada.authenticator.create(wanted)
        if wrong == "bytes":
            new = replace(new, attestation=changed(new.attestation, 12))
        order = wire.PasskeyAddition(new, passkey=signed)
        assert code_of(await ada.sent("/api/passkeys", order)) == "passkey_failed"
        assert len(await passkeys_of(ada)) == 1


async def test_a_known_passkey_is_not_added_again(site: ServerProcess) -> None:
    """A second owner of the same id would take over the first one's sign-in."""
    async with (
        passkey_account(site, new_name()) as ada,
        passkey_account(site, new_name()) as eve,
    ):
        stolen = ada.authenticator.credentials[0]
        signed = await eve.confirmed()
        wanted = await eve.post("/api/passkeys/creation", wire.PasskeyCreation)
        new = eve.authenticator.create(wanted, credential=stolen)
        order = wire.PasskeyAddition(new, passkey=signed)
        assert code_of(await eve.sent("/api/passkeys", order)) == "passkey_failed"


async def test_the_last_way_to_sign_in_stays(site: ServerProcess) -> None:
    async with passkey_account(site, new_name()) as device:
        (only,) = await passkeys_of(device)
        answer = await device.remove(only.id)
        assert code_of(answer) == "last_passkey"
        await device.add()
        answer = await device.remove(only.id)
        assert answer.status_code == 200
        assert (await device.sign_in()).status_code == 200, "with the other one"


async def test_nobody_removes_another_players_passkey(site: ServerProcess) -> None:
    async with (
        passkey_account(site, new_name()) as ada,
        passkey_account(site, new_name()) as eve,
    ):
        (passkey,) = await passkeys_of(ada)
        answer = await eve.remove(passkey.id)
        assert code_of(answer) == "no_such_passkey"
        assert await passkeys_of(ada) == [passkey]


async def test_passkeys_of_an_account_are_limited(site: ServerProcess) -> None:
    async with passkey_account(site, new_name()) as device:
        answers = [await device.add() for _ in range(PASSKEYS_MAX)]
        assert [answer.status_code for answer in answers] == [200] * (PASSKEYS_MAX - 1) + [409]
        assert answers[-1].json() == {"code": "too_many_passkeys", "args": {"most": PASSKEYS_MAX}}


async def test_a_self_excluded_player_is_barred(site: ServerProcess) -> None:
    async with passkey_account(site, new_name()) as device, Device(site) as other:
        order = wire.BreakRequest("exclusion", 180)
        page = await device.post("/api/responsible-gaming/break", wire.ResponsibleGaming, order)
        answer = await other.sign_in(device.authenticator)
        assert msgspec.json.decode(answer.content, type=wire.Me).barred == page.barred is not None


async def test_failed_attempts_with_a_passkey_are_limited_and_logged(site: ServerProcess) -> None:
    async with passkey_account(site, new_name()) as ada, Device(site) as other:
        player = (await ada.get("/api/me", wire.Me)).player
        ada.authenticator.flags = PRESENT
        for _ in range(ATTEMPTS_MAX):
            assert code_of(await other.sign_in(ada.authenticator)) == "wrong_sign_in"
        answer = await other.sign_in(ada.authenticator)
        assert (answer.status_code, code_of(answer)) == (429, "too_many_tries")
    with closing(sqlite3.connect(site.data / DATABASE)) as database:
        (refused,) = database.execute(REFUSED, (f'%"name":"{player}"%',)).fetchone()
    assert refused == ATTEMPTS_MAX


@pytest.mark.parametrize(
    ("origin", "host", "code"),
    [
        ("http://127.0.0.1:{port}", "127.0.0.1:{port}", "passkey_host"),
        ("http://[::1]:{port}", "[::1]:{port}", "passkey_host"),
        ("http://evil.example", "localhost:{port}", "cross_origin"),
        ("", "localhost:{port}", "cross_origin"),
    ],
)
async def test_a_page_elsewhere_or_at_an_ip_address_gets_no_challenge(
    site: ServerProcess, origin: str, host: str, code: str
) -> None:
    port = site.address.rpartition(":")[2]
    headers = {"Origin": origin.format(port=port), "Host": host.format(port=port)}
    async with httpx.AsyncClient() as client:
        answer = await client.post(
            f"{site.address}/api/sign-in/challenge",
            headers={name: value for name, value in headers.items() if value},
        )
    assert code_of(answer) == code


async def test_guests_have_no_passkeys_and_accounts_make_no_second_one(site: ServerProcess) -> None:
    async with Device(site) as guest:
        assert code_of(await guest.sent("/api/passkeys/creation")) == "no_account"
        order = wire.PasskeyAccountName(new_name())
        wanted = await guest.post("/api/account/passkey/creation", wire.PasskeyCreation, order)
        new = guest.authenticator.create(wanted)
        assert code_of(await guest.sent("/api/passkeys", wire.PasskeyAddition(new))) == "no_account"
    async with passkey_account(site, new_name()) as device:
        answer = await device.sent("/api/account/passkey/creation", order)
        assert code_of(answer) == "account_exists"


async def test_a_taken_or_unusable_name_is_told_before_the_passkey_is_made(
    site: ServerProcess,
) -> None:
    name = new_name()
    async with account_at(site.address, name), Device(site) as guest:
        for typed, code in ((name.upper(), "name_taken"), ("a b", "login_name")):
            answer = await guest.sent("/api/account/passkey/creation", wire.PasskeyAccountName(typed))
            assert code_of(answer) == code


async def test_a_name_that_was_taken_meanwhile_leaves_no_passkey(site: ServerProcess) -> None:
    """The account and its passkey are stored together or not at all."""
    name, path = new_name(), "/api/account/passkey"
    async with Device(site) as guest:
        order = wire.PasskeyAccountName(name)
        wanted = await guest.post(f"{path}/creation", wire.PasskeyCreation, order)
        async with passkey_account(site, name):
            new = guest.authenticator.create(wanted)
            assert code_of(await guest.sent(path, wire.NewPasskeyAccount(name, new))) == "name_taken"
        assert await passkeys_of(guest) == []
        assert (await guest.get("/api/me", wire.Me)).account == ""


@pytest.mark.parametrize("field", ["id", "client_data", "authenticator_data", "signature", "user"])
@pytest.mark.parametrize("text", ["", "AA", "é", "a" * 5_000, "====", "e30", "A"])
async def test_malformed_answers_are_refused(site: ServerProcess, field: str, text: str) -> None:
    async with passkey_account(site, new_name()) as ada, Device(site) as other:
        signed = ada.authenticator.sign(await other.challenge())
        body = {**msgspec.to_builtins(signed), field: text}
        answer = await other.http.post(f"{other.address}/api/sign-in/passkey", json=body)
        assert code_of(answer) in ("malformed", "wrong_sign_in")
