"""Staff enrol with a code of the operator's, and sign in with one-time codes and passkeys."""

import json
import sqlite3
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from croupier.accounts.attempts import Attempt
from croupier.accounts.staff_members import new_code
from croupier.accounts.staff_sign_ins import ENROLMENT_VALID_MS, Authenticator, Enrolment
from croupier.app.serve import DATABASE, open_ledger
from croupier.refusal import Refused
from croupier.staff.service import StaffService
from croupier.staff.sign_in import ATTEMPTS_MAX, NAME_ATTEMPTS_MAX, NAME_LIMIT
from croupier.storage.sql.stores import sql_stores
from tests.staff.clients import add, staff
from tests.staff.enrolling import Newcomer, shown_code
from tests.staff.office import code_of as refusal_of
from tests.staff.office import office_in
from tests.support.accounts import code_of, new_name
from tests.support.authenticator import PRESENT
from tests.support.passkeys import Device, passkey_account
from tests.support.server_process import ServerProcess
from tests.support.servers import assert_clean_stop

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Start a server with the sign-in that is usual outside tests."""
    folder = tmp_path_factory.mktemp("enrolment")
    config = folder / "croupier.toml"
    config.write_text('[staff]\nsign_in = "one_time"\n')
    server = ServerProcess(folder / "data", options=("--config", str(config))).start()
    yield server
    assert_clean_stop(server)


@pytest.fixture
async def newcomer(site: ServerProcess) -> AsyncIterator[Newcomer]:
    async with Newcomer(site.address) as browser:
        yield browser


def reset(data: Path, name: str) -> str:
    """Reset a member's sign-in and return the new code."""
    done = staff(data, "reset", name, "--json")
    assert done.exit_code == 0, done.output
    return str(json.loads(done.stdout)["code"])


async def test_an_app_is_enrolled_once_and_signs_in(site: ServerProcess, newcomer: Newcomer) -> None:
    code = add(site.data, "Ada", "manager")
    offer = await newcomer.offer("Ada", code)
    assert (await newcomer.enrol_app("Ada", code, offer.secret)).status_code == 200
    assert (await newcomer.me()).json() == {"name": "Ada", "role": "manager", "approvals": 0}
    assert [line.what for line in (await newcomer.log())[:2]] == ["enrol", "add_staff"]
    shown = shown_code(offer.secret, 1)
    assert (await newcomer.sign_in("Ada", shown)).status_code == 200
    assert code_of(await newcomer.sign_in("Ada", shown)) == "wrong_sign_in", "each code is accepted once"
    assert code_of(await newcomer.sign_in("Ada", code)) == "wrong_sign_in"
    assert code_of(await newcomer.enrol_app("Ada", code, offer.secret)) == "wrong_sign_in", "it is used up"


async def test_a_passkey_is_enrolled_and_signs_in(site: ServerProcess, newcomer: Newcomer) -> None:
    code = add(site.data, "Ben", "dealer")
    wanted = (await newcomer.offer("Ben", code)).passkey
    assert wanted is not None
    assert (await newcomer.enrol_passkey("Ben", code, wanted)).status_code == 200
    async with Newcomer(site.address) as other:
        assert (await other.me()).status_code == 401
        assert (await other.sign_in_with_passkey(newcomer.authenticator)).status_code == 200
        assert (await other.me()).json() == {"name": "Ben", "role": "dealer", "approvals": 0}
    again = await newcomer.sent("enrolment", None)
    assert again.status_code == 400
    wanted_again = await newcomer.enrol_passkey("Ben", code, wanted)
    assert code_of(wanted_again) == "passkey_failed", "its challenge is used up too"


async def test_a_wrong_code_enrols_nobody_and_leaves_the_right_one(
    site: ServerProcess, newcomer: Newcomer
) -> None:
    code = add(site.data, "Cy", "dealer")
    offer = await newcomer.offer("Cy", code)
    other = await newcomer.enrol_app("Cy", new_code(), offer.secret)
    assert (other.status_code, code_of(other)) == (401, "wrong_sign_in")
    assert code_of(await newcomer.enrol_app("Cy", code, offer.secret, 5)) == "wrong_code"
    assert code_of(await newcomer.enrol_app("Ada ", code, offer.secret)) == "wrong_sign_in"
    assert (await newcomer.me()).status_code == 401
    assert (await newcomer.enrol_app("Cy", code, offer.secret)).status_code == 200


async def test_an_unverified_passkey_leaves_the_code(site: ServerProcess, newcomer: Newcomer) -> None:
    code = add(site.data, "Di", "dealer")
    newcomer.authenticator.flags = PRESENT
    wanted = (await newcomer.offer("Di", code)).passkey
    assert wanted is not None
    assert code_of(await newcomer.enrol_passkey("Di", code, wanted)) == "passkey_failed"
    assert (await newcomer.offer("Di", code)).secret


async def test_players_passkeys_are_not_those_of_staff(site: ServerProcess, newcomer: Newcomer) -> None:
    code = add(site.data, "Eve", "manager")
    wanted = (await newcomer.offer("Eve", code)).passkey
    assert wanted is not None
    await newcomer.enrol_passkey("Eve", code, wanted)
    async with passkey_account(site, new_name()) as player, Device(site) as other:
        assert code_of(await newcomer.sign_in_with_passkey(player.authenticator)) == "wrong_sign_in"
        assert code_of(await other.sign_in(newcomer.authenticator)) == "wrong_sign_in"


async def test_a_reset_ends_sessions_and_ways_to_sign_in(site: ServerProcess, newcomer: Newcomer) -> None:
    code = add(site.data, "Flo", "dealer")
    wanted = (await newcomer.offer("Flo", code)).passkey
    assert wanted is not None
    await newcomer.enrol_passkey("Flo", code, wanted)
    code = reset(site.data, "Flo")
    assert (await newcomer.me()).status_code == 401
    assert code_of(await newcomer.sign_in_with_passkey(newcomer.authenticator)) == "wrong_sign_in"
    offer = await newcomer.offer("Flo", code)
    assert (await newcomer.enrol_app("Flo", code, offer.secret)).status_code == 200
    assert staff(site.data, "reset", "Nobody").exit_code == 2


async def test_a_page_at_an_ip_address_can_enrol_an_app_alone(site: ServerProcess) -> None:
    code = add(site.data, "Gus", "dealer")
    async with Newcomer(site.address) as browser:
        browser.address = browser.http.headers["Origin"] = site.address
        offer = await browser.offer("Gus", code)
        assert offer.passkey is None
        assert (await browser.enrol_app("Gus", code, offer.secret)).status_code == 200


async def test_failed_enrolments_are_limited_and_logged(site: ServerProcess, newcomer: Newcomer) -> None:
    code, offer = add(site.data, "Hal", "dealer"), await _offer_of(site, newcomer)
    for _ in range(ATTEMPTS_MAX):
        assert code_of(await newcomer.enrol_app("Hal", new_code(), offer)) == "wrong_sign_in"
    answer = await newcomer.enrol_app("Hal", code, offer)
    assert (answer.status_code, code_of(answer)) == (429, "too_many_tries")
    with closing(sqlite3.connect(site.data / DATABASE)) as database:
        noted = database.execute("SELECT body FROM journal WHERE body LIKE '%sign_in_refused%'").fetchall()
    assert sum('"name":"Hal"' in body for (body,) in noted) == ATTEMPTS_MAX


async def _offer_of(site: ServerProcess, newcomer: Newcomer) -> str:
    """Return the secret that another member is offered."""
    return (await newcomer.offer("Ida", add(site.data, "Ida", "dealer"))).secret


async def test_the_database_has_neither_code_nor_secret(site: ServerProcess, newcomer: Newcomer) -> None:
    code = add(site.data, "Jo", "dealer")
    offer = await newcomer.offer("Jo", code)
    assert (await newcomer.enrol_app("Jo", code, offer.secret)).status_code == 200
    written = b"".join(file.read_bytes() for file in site.data.iterdir() if file.is_file())
    for secret in (code, code.replace("-", ""), offer.secret):
        assert secret.encode() not in written
        assert secret not in site.log.read_text()


async def test_where_codes_stay_the_same_nobody_enrols(http_server: ServerProcess) -> None:
    code = add(http_server.data, new_name()[:30], "dealer")
    async with Newcomer(http_server.address) as browser:
        methods = await browser.http.get(f"{browser.address}/api/staff/sign-in")
        assert methods.json() == {"one_time": False}
        assert code_of(await browser.enrol_app("Kim", code, "A" * 32)) == "wrong_sign_in"


def test_a_code_expires_and_a_used_one_is_wrong(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path)
    stores = sql_stores(ledger)
    app = Authenticator("sealed", 7)

    def outcome(done: Future[Any]) -> str:
        error = done.exception(timeout=10)
        return error.code if isinstance(error, Refused) else str(error or "ok")

    def enrol(at_ms: int, code: str = "code") -> str:
        return outcome(stores.staff_sign_ins.enrol_authenticator(Enrolment("Ada", code, at_ms), app))

    assert outcome(stores.staff.add("Ada", "dealer", "code", 1)) == "ok"
    assert enrol(ENROLMENT_VALID_MS + 1) == "enrolment_expired"
    assert enrol(ENROLMENT_VALID_MS, "another") == "wrong_sign_in"
    assert enrol(ENROLMENT_VALID_MS) == "ok"
    assert enrol(ENROLMENT_VALID_MS) == "wrong_sign_in"
    steps = [outcome(stores.staff_sign_ins.use_step("Ada", step)) for step in (7, 8, 8, 6, 9)]
    assert steps == ["wrong_sign_in", "ok", "wrong_sign_in", "wrong_sign_in", "ok"]
    assert outcome(stores.staff.reset("Ada", "new", 5)) == "ok"
    assert outcome(stores.staff_sign_ins.use_step("Ada", 10)) == "wrong_sign_in"
    assert outcome(stores.staff.remove("Ada", 6)) == "ok"
    assert enrol(7, "new") == "wrong_sign_in"
    ledger.close()


async def test_many_addresses_and_names_guess_no_more_codes_of_one_name(tmp_path: Path) -> None:
    """A restart changes nothing, nor do other names: see `test_attempts.py`."""
    async with office_in(tmp_path) as office:
        sign_in = office.staff.sign_in
        for number in range(NAME_ATTEMPTS_MAX):
            wrong = await refusal_of(sign_in.with_code(f"192.0.{number}.1", "Ada", "000000"))
            assert wrong == "wrong_sign_in"
        for number in range(1_005):
            await office.server.attempts.count(Attempt(NAME_LIMIT, f"name {number}"))
        restarted = StaffService(office.server).sign_in
        assert await refusal_of(restarted.with_code("198.51.100.1", "Ada", "000000")) == "too_many_tries"
        assert await refusal_of(restarted.with_code("198.51.100.1", "Ben", "000000")) == "wrong_sign_in"
