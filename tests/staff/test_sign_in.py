"""Staff sign-in and sessions."""

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from croupier.accounts.staff_members import Member, new_code
from croupier.protocol import staff_wire
from croupier.staff.sessions import IDLE_TIMEOUT_MS, StaffSessions
from croupier.staff.sign_in import ATTEMPT_WINDOW_MS, ATTEMPTS_MAX
from tests.staff.clients import StaffBrowser, add, staff_client
from tests.staff.conftest import Staffed

pytestmark = pytest.mark.anyio
ADA = Member("Ada", "manager", 0)


async def test_the_cookie_is_hidden_from_scripts(shared_server: Staffed) -> None:
    async with StaffBrowser(shared_server.address) as work:
        cookie = (await work.sign_in("Ada", shared_server.ada)).headers["set-cookie"].lower()
    assert cookie.startswith("croupier_staff=")
    assert {"httponly", "samesite=strict"} <= {part.strip() for part in cookie.split(";")}


@pytest.mark.parametrize("typed", [str.lower, lambda code: code.replace("-", " "), lambda code: f" {code} "])
async def test_a_code_is_accepted_in_any_notation(shared_server: Staffed, typed: object) -> None:
    assert callable(typed)
    async with StaffBrowser(shared_server.address) as work:
        assert (await work.sign_in("Ada", typed(shared_server.ada))).status_code == 200


async def test_a_wrong_code_is_refused_and_then_so_is_the_right_one(shared_server: Staffed) -> None:
    code = add(shared_server.server.data, "Cy", "dealer")
    async with StaffBrowser(shared_server.address) as work:
        answers = [await work.sign_in("Cy", new_code()) for _ in range(ATTEMPTS_MAX)]
        assert {answer.json()["code"] for answer in answers} == {"wrong_sign_in"}
        assert (await work.sign_in("Cy", code)).json()["code"] == "too_many_tries"
        assert (await work.sign_in("Ben", shared_server.ben)).status_code == 200, "not limited"


async def test_a_wrong_code_answers_401_and_is_logged(shared_server: Staffed) -> None:
    """A11: the log has neither the code nor an unknown name."""
    code, mistyped = new_code(), new_code()
    async with staff_client(shared_server.address, "Ada", shared_server.ada) as ada:
        wrong = await ada.sign_in("Ben", code)
        assert (wrong.status_code, wrong.json()["code"]) == (401, "wrong_sign_in")
        assert (await ada.sign_in(mistyped, "Ada")).status_code == 401
        unknown, ben = (await ada.log())[:2]
    assert (ben.name, ben.what, ben.details, ben.answer) == (
        *("Ben", "sign_in_refused", {"address": "127.0.0.1"}),
        "wrong_sign_in",
    )
    assert (unknown.name, unknown.what, unknown.answer) == ("", "sign_in_refused", "wrong_sign_in")
    lines = [line for line in shared_server.server.log.read_text().splitlines() if "sign-in" in line]
    for name in ("Ben", "unknown name"):
        expected = f"a staff sign-in from 127.0.0.1 is refused: wrong code for '{name}'"
        assert any(line.endswith(expected) for line in lines)
    written = b"".join(file.read_bytes() for file in shared_server.server.data.iterdir() if file.is_file())
    for secret in (code, mistyped):
        assert secret not in shared_server.server.log.read_text()
        assert secret.encode() not in written


async def test_too_many_failed_sign_ins_answer_429_with_the_wait(shared_server: Staffed) -> None:
    """A11: forged addresses make no difference."""
    add(shared_server.server.data, "Di", "dealer")
    async with StaffBrowser(shared_server.address) as work:
        for number in range(ATTEMPTS_MAX):
            work.http.headers["X-Forwarded-For"] = f"192.0.2.{number}"
            assert (await work.sign_in("Di", new_code())).status_code == 401
        work.http.headers["X-Forwarded-For"] = "192.0.2.99"
        answer = await work.sign_in("Di", new_code())
    assert answer.status_code == 429
    assert answer.json()["code"] == "too_many_tries"
    assert 0 < int(answer.headers["retry-after"]) <= ATTEMPT_WINDOW_MS // 1000
    assert "127.0.0.1 is refused: too many failed attempts" in shared_server.server.log.read_text()


async def test_another_members_code_is_wrong(shared_server: Staffed) -> None:
    async with StaffBrowser(shared_server.address) as work:
        assert (await work.sign_in("Ada", shared_server.ben)).json()["code"] == "wrong_sign_in"


async def test_without_a_session_nothing_is_shown(shared_server: Staffed) -> None:
    async with StaffBrowser(shared_server.address) as work:
        for path in ("me", "log"):
            assert (await work.http.get(f"{shared_server.address}/api/staff/{path}")).status_code == 401
        await work.http.post(f"{shared_server.address}/api/guest")
        await work.connect("infinite")
        assert [type(one) for one in work.received] == [staff_wire.SignedOut], "a player's cookie"


async def test_another_sites_page_gets_no_socket_and_no_session(shared_server: Staffed) -> None:
    async with staff_client(shared_server.address, "Ada", shared_server.ada) as ada:
        with pytest.raises(Exception, match="403"):
            await ada.connect("", origin="http://evil.example")
        answer = await ada.http.post(
            f"{shared_server.address}/api/staff/sign-out", headers={"Origin": "http://evil.example"}
        )
        assert answer.status_code == 403


async def test_signing_out_ends_the_session(shared_server: Staffed) -> None:
    async with staff_client(shared_server.address, "Ada", shared_server.ada) as ada:
        cookies = httpx.Cookies(ada.http.cookies)
        await ada.http.post(f"{shared_server.address}/api/staff/sign-out")
        ada.http.cookies = cookies
        assert (await ada.http.get(f"{shared_server.address}/api/staff/me")).status_code == 401
        with pytest.raises(ConnectionClosed):
            await ada.ask(staff_wire.OpenTable, "infinite")


async def test_a_sign_in_is_in_the_event_log_without_its_code(shared_server: Staffed) -> None:
    async with staff_client(shared_server.address, "Ada", shared_server.ada) as ada:
        line = (await ada.log())[0]
    assert (line.name, line.role, line.what, line.details, line.answer) == (
        *("Ada", "manager", "sign_in"),
        {},
        "ok",
    )


def test_half_an_hour_without_activity_ends_a_session() -> None:
    sessions = StaffSessions()
    token = sessions.begin(ADA, 0)
    assert sessions.of(token, IDLE_TIMEOUT_MS - 1) is not None
    assert sessions.seen(token, IDLE_TIMEOUT_MS - 1) == ADA
    assert sessions.seen(token, 2 * IDLE_TIMEOUT_MS - 2) == ADA, "activity prolongs the session"
    assert sessions.seen(token, 3 * IDLE_TIMEOUT_MS) is None
    assert sessions.seen("", 0) is None
