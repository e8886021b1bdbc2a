"""Rights to the staff's HTTP API: every route, for dealers, managers and without a session."""

from collections.abc import AsyncIterator

import msgspec
import pytest

from croupier.app.documents.openapi import STAFF, openapi
from croupier.protocol import staff_players, staff_wire, wire
from croupier.staff.rights import OFFICE_RIGHTS
from tests.staff.clients import StaffBrowser
from tests.staff.conftest import Staffed
from tests.support.accounts import code_of
from tests.support.browser_connection import Browser, connect_guest

pytestmark = pytest.mark.anyio

FOR_ALL = {("get", "/api/staff/sign-in"), ("get", "/api/staff/me"), ("post", "/api/staff/sign-out")}
ELSEWHERE = "/api/staff/sign-in", "/api/staff/enrolment", "/api/staff/camera"
"""Other routes, see `test_sign_in.py`, `test_enrolment.py` and `test_cameras.py`."""
BODIES: dict[str, msgspec.Struct] = {
    "/api/staff/bonuses/grant": staff_wire.GrantBonus("p_nobody", "none", "why"),
    "/api/staff/bonuses/cancel": staff_wire.CancelBonus("p_nobody", "none", "why"),
    "/api/staff/payments/ask": staff_wire.AskPayment("pay_none"),
    "/api/staff/payments/decide": staff_wire.DecidePayment("pay_none", "credited", "a test"),
    "/api/staff/wallet/ask": staff_wire.AskWallet("none"),
    "/api/staff/players/end-sessions": staff_players.EndPlayerSessions("p_nobody", "why"),
    "/api/staff/players/close": staff_players.CloseAccount("p_nobody", "why"),
    "/api/staff/approvals/adjustment": staff_players.AskAdjustment("r", "p_nobody", "EUR", 5, "why"),
    "/api/staff/approvals/reopening": staff_players.AskReopening("r", "p_nobody", "why"),
    "/api/staff/approvals/decide": staff_players.DecideApproval("ap_none", "approved"),
}
PARAMETERS: dict[str, dict[str, str | list[int]]] = {
    "totals": {"bounds": [0, 1]},
    "search": {"text": "p_nobody"},
}
"""Of routes that need some, by the end of their path."""
UNKNOWN = {
    "no_such_payment",
    "no_such_wallet_call",
    "no_such_player",
    "no_such_approval",
    "no_such_bonus",
    "no_such_round",
    "no_such_recording",
}


def routes() -> list[tuple[str, str]]:
    paths = openapi(STAFF)["paths"].items()
    return [
        (method, path)
        for path, item in paths
        for method in item
        if (method, path) not in FOR_ALL and not path.startswith(ELSEWHERE)
    ]


async def asked(browser: StaffBrowser, method: str, path: str, player: str) -> str:
    """Return the code of the answer; empty for success."""
    body = BODIES.get(path)
    answer = await browser.http.request(
        method,
        browser.address + path.format(player_id=player, round_id="r_none"),
        content=msgspec.json.encode(body) if body else None,
        params=PARAMETERS.get(path.rpartition("/")[2]),
    )
    return code_of(answer)


async def signed_in(shared_server: Staffed, name: str, code: str) -> StaffBrowser:
    browser = StaffBrowser(shared_server.address)
    assert (await browser.sign_in(name, code)).status_code == 200
    return browser


@pytest.fixture
async def guest(shared_server: Staffed) -> AsyncIterator[Browser]:
    async with connect_guest(shared_server.address) as browser:
        yield browser


async def test_dealers_and_strangers_get_nothing_of_the_back_office(
    shared_server: Staffed, guest: Browser
) -> None:
    player = (await guest.get("/api/me", wire.Me)).player
    async with (
        StaffBrowser(shared_server.address) as stranger,
        await signed_in(shared_server, "Ben", shared_server.ben) as ben,
        await signed_in(shared_server, "Ada", shared_server.ada) as ada,
    ):
        for method, path in routes():
            assert await asked(stranger, method, path, player) == "not_signed_in", path
            assert await asked(ben, method, path, player) == "not_allowed", path
            assert await asked(ada, method, path, player) in UNKNOWN | {""}, path
        lines = await ada.log(text=player)
        assert {line.what for line in lines} == {"view_player"}
        seen = {(line.name, line.details["part"], line.answer) for line in lines}
        for part in (
            "",
            "history",
            "statement",
            "payments",
            "account/devices",
            "responsible-gaming",
            "rounds/r_none",
        ):
            assert ("Ada", part, "ok") in seen
            assert ("Ben", part, "not_allowed") in seen


def test_every_command_of_the_back_office_has_its_roles() -> None:
    subclasses = staff_players.OfficeCommand.__subclasses__()
    commands = {each for each in subclasses if each.__module__ == staff_players.__name__}
    assert commands == set(OFFICE_RIGHTS)


async def test_a_manager_sees_the_pages_of_a_player_and_signs_them_out(
    shared_server: Staffed, guest: Browser
) -> None:
    player = (await guest.get("/api/me", wire.Me)).player
    async with await signed_in(shared_server, "Ada", shared_server.ada) as ada:
        for part in ("statement", "history", "totals?bounds=0&bounds=1", "responsible-gaming"):
            theirs = await ada.http.get(f"{ada.address}/api/staff/players/{player}/{part}")
            own = await guest.http.get(f"{ada.address}/api/{part}")
            assert theirs.json() == own.json(), part
        (device,) = (await ada.http.get(f"{ada.address}/api/staff/players/{player}/account/devices")).json()
        order = staff_players.EndPlayerSessions(player, "stolen", device["id"])
        answer = await ada.http.post(
            f"{ada.address}/api/staff/players/end-sessions", content=msgspec.json.encode(order)
        )
        assert answer.status_code == 204
        assert (await guest.http.get(f"{ada.address}/api/me")).status_code == 401


async def test_an_amount_as_text_is_refused(shared_server: Staffed) -> None:
    order = {"req": "r", "player": "p_nobody", "currency": "EUR", "amount_minor": "5", "reason": "why"}
    async with await signed_in(shared_server, "Ada", shared_server.ada) as ada:
        answer = await ada.http.post(f"{ada.address}/api/staff/approvals/adjustment", json=order)
    assert answer.status_code == 400
    assert "amount_minor" in answer.text
