"""Devices over the network: their list, and sign-out from another one."""

import httpx
import msgspec
import pytest

from croupier.protocol import wire
from tests.support.accounts import account_at, closed_soon, code_of, device_at, new_name, sent, sign_in
from tests.support.browser_connection import Browser, connect_guest
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
ENDED = wire.No("", "signed_out", {"why": "ended"})


async def devices(browser: Browser) -> list[wire.SignedInDevice]:
    return await browser.get("/api/account/devices", list[wire.SignedInDevice])


async def other_device(browser: Browser) -> wire.SignedInDevice:
    """Return the one device of the player that isn't this one."""
    (other,) = (device for device in await devices(browser) if not device.this)
    return other


async def test_the_list_has_each_device_with_its_browser_and_times(http_server: ServerProcess) -> None:
    name = new_name()
    async with account_at(http_server.address, name) as first, Browser(http_server.address) as second:
        second.http.headers["User-Agent"] = FIREFOX
        await sign_in(second, name)
        there = await other_device(first)
        assert there.description == "Firefox on Windows"
        assert 0 < there.signed_in_ms <= there.seen_ms
        here = await other_device(second)
        assert here.seen_ms >= there.seen_ms, "a connected device is in use now"
        assert {here.id, there.id} == {device.id for device in await devices(first)}


async def test_a_device_is_signed_out_from_another_one_and_has_to_sign_in_again(
    server: ServerProcess,
) -> None:
    name = new_name()
    async with account_at(server.address, name) as first, device_at(server.address, name) as second:
        player = (await first.get("/api/me", wire.Me)).player
        order = wire.EndDevice((await other_device(first)).id)
        left = await first.post("/api/account/devices/end", list[wire.SignedInDevice], order)
        assert [device.this for device in left] == [True]
        assert await closed_soon(second) == [ENDED]
        for path in ("/api/guest", "/api/account/devices/end-others"):
            answer = await sent(second, path)
            assert (answer.status_code, answer.json()) == (401, {"code": "signed_out", "args": ENDED.args})
            assert "set-cookie" not in answer.headers, "it doesn't become a guest"
        assert (await sign_in(second, name)).json()["player"] == player
        await first.drain()


async def test_a_device_that_was_offline_is_told_so_when_it_connects_again(server: ServerProcess) -> None:
    name = new_name()
    async with account_at(server.address, name) as first, device_at(server.address, name) as second:
        await second.disconnect()
        await first.post("/api/account/devices/end-others", list[wire.SignedInDevice])
        await second.connect()
        await second.send(wire.Hello(wire.PROTOCOL))
        assert await second.next() == ENDED
        assert (await sent(second, "/api/sign-out")).status_code == 204
        assert (await second.guest()).account == ""


async def test_all_other_devices_are_signed_out_at_once(server: ServerProcess) -> None:
    name = new_name()
    async with (
        account_at(server.address, name) as first,
        device_at(server.address, name) as second,
        device_at(server.address, name) as third,
    ):
        left = await second.post("/api/account/devices/end-others", list[wire.SignedInDevice])
        assert [device.this for device in left] == [True]
        for browser in (first, third):
            assert await closed_soon(browser) == [ENDED]
        await second.drain()


async def test_another_players_device_is_out_of_reach(http_server: ServerProcess) -> None:
    async with (
        account_at(http_server.address, new_name()) as ada,
        account_at(http_server.address, new_name()) as ben,
    ):
        (device,) = await devices(ada)
        answer = await sent(ben, "/api/account/devices/end", wire.EndDevice(device.id))
        assert (answer.status_code, code_of(answer)) == (404, "no_such_device")
        assert await devices(ada)


async def test_a_device_that_was_signed_out_already_is_refused(http_server: ServerProcess) -> None:
    name = new_name()
    async with account_at(http_server.address, name) as first, device_at(http_server.address, name) as second:
        order = wire.EndDevice((await other_device(first)).id)
        await sent(second, "/api/sign-out")
        assert code_of(await sent(first, "/api/account/devices/end", order)) == "no_such_device"


async def test_a_guest_whose_session_is_gone_becomes_another_guest(http_server: ServerProcess) -> None:
    async with connect_guest(http_server.address) as browser:
        cookies = httpx.Cookies(browser.http.cookies)
        await sent(browser, "/api/sign-out")
        browser.http.cookies = cookies
        assert (await browser.guest()).account == ""


@pytest.mark.parametrize("body", [{}, {"device": ""}, {"device": "x" * 41}, {"device": 1}, []])
async def test_a_malformed_request_signs_nobody_out(http_server: ServerProcess, body: object) -> None:
    async with account_at(http_server.address, new_name()) as browser:
        path = f"{browser.address}/api/account/devices/end"
        answer = await browser.http.post(path, content=msgspec.json.encode(body))
        assert (answer.status_code, code_of(answer)) == (400, "malformed")
        assert await devices(browser)
