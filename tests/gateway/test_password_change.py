"""Changes of the password over the network: other devices are signed out, and guessing is limited."""

import httpx
import pytest

from croupier.players.accounts import ATTEMPTS_MAX
from croupier.protocol import wire
from tests.support.accounts import (
    PASSWORD,
    account_at,
    closed_soon,
    code_of,
    device_at,
    new_name,
    sent,
    sign_in,
)
from tests.support.browser_connection import Browser, connect_guest
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio
NEW = "battery staple"


async def change(browser: Browser, password: str = PASSWORD, new: str = NEW) -> httpx.Response:
    return await sent(browser, "/api/account/password", wire.PasswordChange(new, password=password))


async def test_a_new_password_signs_out_the_other_devices_and_keeps_this_one(server: ServerProcess) -> None:
    name = new_name()
    async with account_at(server.address, name) as first, device_at(server.address, name) as second:
        old, player = httpx.Cookies(first.http.cookies), (await first.get("/api/me", wire.Me)).player
        assert (await change(first)).json()["player"] == player
        assert await closed_soon(second) == [wire.No("", "signed_out", {"why": "password"})]
        assert code_of(await sent(second, "/api/guest")) == "signed_out"
        assert await closed_soon(first) == [], "it connects again, with the new cookie"
        await first.connect()
        assert (await first.hello())[0].player == player
        first.http.cookies = old
        assert (await first.http.get(f"{first.address}/api/me")).status_code == 401, "the old cookie is dead"
    async with Browser(server.address) as third:
        assert code_of(await sign_in(third, name)) == "wrong_sign_in"
        assert (await sign_in(third, name, NEW)).json()["player"] == player


@pytest.mark.parametrize(
    ("password", "new", "code"),
    [
        ("wrong password", NEW, "wrong_password"),
        ("", NEW, "not_confirmed"),
        (PASSWORD, "short", "weak_password"),
    ],
)
async def test_a_refused_change_leaves_password_and_devices_as_they_are(
    http_server: ServerProcess, password: str, new: str, code: str
) -> None:
    name = new_name()
    async with account_at(http_server.address, name) as first, device_at(http_server.address, name) as second:
        answer = await change(first, password, new)
        assert (answer.status_code, code_of(answer)) == (409, code)
        for browser in (first, second):
            await browser.get("/api/me", wire.Me)
        assert (await sign_in(first, name)).status_code == 200


async def test_a_guest_has_no_password_to_change(http_server: ServerProcess) -> None:
    async with connect_guest(http_server.address) as browser:
        assert code_of(await change(browser)) == "no_account"


async def test_the_current_password_cannot_be_guessed_without_end(http_server: ServerProcess) -> None:
    async with account_at(http_server.address, new_name()) as browser:
        for _ in range(ATTEMPTS_MAX):
            assert code_of(await change(browser, "wrong password")) == "wrong_password"
        answer = await change(browser)
        assert (answer.status_code, code_of(answer)) == (429, "too_many_tries")
        assert int(answer.headers["retry-after"]) > 0


async def test_changes_are_in_the_event_log_without_the_passwords(http_server: ServerProcess) -> None:
    async with account_at(http_server.address, new_name()) as browser:
        player = (await browser.get("/api/me", wire.Me)).player
        await change(browser, "a wrong password")
        await change(browser)
    written = b"".join(file.read_bytes() for file in http_server.data.iterdir() if file.is_file())
    assert b"player_password_change" in written
    assert player.encode() in written
    for secret in (PASSWORD, NEW, "a wrong password"):
        assert secret.encode() not in written
        assert secret not in http_server.log.read_text()
