"""Malformed frames are refused with a code or end the connection, without other effects."""

import random
import socket

import httpx
import pytest
from msgspec import DecodeError
from msgspec.json import decode, encode
from websockets.exceptions import ConnectionClosed, InvalidStatus

from croupier.play.contract.amounts import PLAY_MONEY
from croupier.protocol import wire
from tests.support.browser_connection import Browser, another_browser, connect_guest, fetch_balances
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

DEAL = '{"t":"deal","req":"x","table":"multihand","stakes":[{"box":0,"bet":"main","stake_minor":%s}]}'
JOIN = '{"t":"join","req":%s,"table":"multihand","currency":"GC"}'
DECIDE = '{"t":"decide","req":"x","table":"classic","round":"r","turn":0,"box":%s,"hand":0,"action":"hit"}'
HELLO = '{"t":"hello","protocol":3,"tables":[%s]}'
MALFORMED = {
    "nothing": "",
    "no JSON": "hello",
    "half a message": '{"t":"deal","req":"x"',
    "two messages": '{"t":"ping"}{"t":"ping"}',
    "null": "null",
    "a list": "[]",
    "a number": "1",
    "no type": "{}",
    "unknown type": '{"t":"shuffle","req":"x"}',
    "a message of the server's": '{"t":"ok","req":"x"}',
    "a missing field": '{"t":"join","req":"x","table":"classic"}',
    "an extra field": '{"t":"leave","req":"x","table":"classic","money":1}',
    "an extra field inside": DEAL % '1000,"win":true',
    "no id": JOIN % '""',
    "an id too long": JOIN % f'"{"x" * 41}"',
    "an id that is half a character": JOIN % '"\\ud800"',
    "a null character": '{"t":"join","req":"x","table":"a\\\\\\u0000","currency":"GC"}',
    "an amount with a fraction": DEAL % "1000.5",
    "an amount written with an exponent": DEAL % "1e30",
    "an amount that is true": DEAL % "true",
    "a negative amount": DEAL % "-1000",
    "no amount": DEAL % "0",
    "an amount beyond counting": DEAL % 2**53,
    "an amount of 400 digits": DEAL % ("9" * 400),
    "an amount in quotes": DEAL % '"1000"',
    "not a number": DEAL % "NaN",
    "no stakes": '{"t":"deal","req":"x","table":"multihand","stakes":[]}',
    "too many stakes": DEAL % ("1000}," + '{"box":0,"bet":"main","stake_minor":1000},' * 200)[:-2],
    "a box far away": DECIDE % 41,
    "a box below": DECIDE % -1,
    "too many tables": HELLO % ('{"table":"classic"},' * 5)[:-1],
    "a colour there is not": '{"t":"save_settings","req":"x","settings":{"cloth":"pink"}}',
    "a volume too loud": '{"t":"save_settings","req":"x","settings":{"effects_volume":101}}',
    "depth": "[" * 4000,
    "depth behind an id": '{"req":"x","depth":' + "[" * 4000,
}


@pytest.mark.parametrize("frame", MALFORMED.values(), ids=MALFORMED)
async def test_a_malformed_message_is_refused_without_effect(browser: Browser, frame: str) -> None:
    await browser.join("multihand", "GC")
    before = await fetch_balances(browser)
    await browser.socket.send(frame)
    (refused,) = await browser.drain()
    assert isinstance(refused, wire.No)
    assert (refused.req, refused.code, list(refused.args)) == (_req_in(frame), "malformed", ["why"])
    assert await fetch_balances(browser) == before
    assert (await browser.get("/api/history", wire.History)).lines == ()


@pytest.mark.parametrize(
    "text", [r"\u0000", "'; DROP TABLE round; --", "../..", "<script>", "é" * 40, "\U0001f0a1"]
)
async def test_any_text_is_accepted_as_a_name(browser: Browser, text: str) -> None:
    """Names of tables, bets and currencies may be any text; ids may not."""
    assert (await browser.join("classic")).code == ""
    assert (await browser.join(text)).code == "no_such_table"
    assert (await browser.join("classic", text)).code == "no_such_currency"
    assert (await browser.deal("classic", wire.Stake(0, text, 1000))).code == "no_such_bet"
    await browser.send(wire.DealRound(text, "classic", (wire.Stake(0, "main", 1000),)))
    (answer,) = await browser.drain()
    assert isinstance(answer, wire.No)
    assert answer.code == "malformed"


async def test_text_that_is_no_utf_8_is_refused(browser: Browser) -> None:
    await browser.socket.send(b'{"t":"join","req":"\xff\xfe","table":"classic","currency":"GC"}', text=True)
    assert await _code(browser) == 1007
    await _unharmed(browser)


async def test_a_binary_frame_ends_the_connection(browser: Browser) -> None:
    await browser.socket.send(encode(wire.Ping()), text=False)
    assert await _code(browser) == 1003
    await _unharmed(browser)


async def test_a_fragmented_command_is_executed(browser: Browser) -> None:
    whole = encode(wire.Join("", "classic", "GC")).decode()
    await browser.socket.send([whole[:10], whole[10:]])
    assert await _code(browser) == "malformed", "a join without an id"
    whole = encode(wire.Ping()).decode()
    await browser.socket.send([whole[:3], whole[3:]])
    assert isinstance(await browser.next(), wire.Pong)


def _req_in(frame: str) -> str:
    """Return the `req` of the command in the frame; empty without one."""
    try:
        req = decode(frame)["req"]
    except (DecodeError, LookupError, TypeError, RecursionError):
        return ""
    return req if isinstance(req, str) and 0 < len(req) <= 40 else ""


async def _code(browser: Browser) -> int | str:
    """Return the code of a frame's refusal, or of the end of the connection."""
    try:
        answer = await browser.next()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 1006
    assert isinstance(answer, wire.No), answer
    return answer.code


async def test_a_frame_is_limited_to_sixteen_kib(browser: Browser) -> None:
    for size in (16_000, 16 * 1024):
        padded = encode(wire.Ping()).ljust(size)
        await browser.socket.send(padded, text=True)
        assert isinstance(await browser.next(), wire.Pong)
    await browser.socket.send(encode(wire.Ping()).ljust(16 * 1024 + 200), text=True)
    assert await _closed(browser) == 1009
    await _unharmed(browser)


async def test_a_flood_of_commands_ends_the_connection(browser: Browser) -> None:
    try:
        for number in range(2000):
            await browser.send(wire.SaveSettings(f"s{number}", wire.Settings()))
    except ConnectionClosed:
        pass
    assert await _closed(browser) in (1006, 1008)
    await _unharmed(browser)


async def test_a_flood_of_pings_delays_nobody(server: ServerProcess, browser: Browser) -> None:
    async with connect_guest(server.address) as other:
        for _ in range(5_000):
            await browser.socket.ping()
        assert (await other.join("classic")).code == ""
    assert await browser.drain() == []


async def _closed(browser: Browser) -> int:
    """Read until the connection ends; return its close code, 1006 if there was none."""
    try:
        while True:
            await browser.next()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 1006


async def _unharmed(browser: Browser) -> None:
    """Assert that nothing has changed for the player."""
    async with another_browser(browser) as again:
        assert await fetch_balances(again) == tuple(
            wire.Balance(code, minor, 0, 0, 0) for code, minor in PLAY_MONEY.items()
        )
        assert (await again.join("classic")).code == ""


# --- handshakes


async def test_hello_comes_first(server: ServerProcess) -> None:
    async with Browser(server.address) as browser:
        await browser.guest()
        await browser.connect()
        assert (await browser.join("classic")).code == "hello_first"
        await browser.hello()
        assert (await browser.join("classic")).code == ""


async def test_another_protocol_version_receives_upgrade(server: ServerProcess) -> None:
    async with Browser(server.address) as browser:
        await browser.guest()
        await browser.connect()
        for protocol in (0, wire.PROTOCOL + 1, 2**40):
            await browser.send(wire.Hello(protocol))
            assert await browser.next() == wire.Upgrade(wire.PROTOCOL)
        assert (await browser.join("classic")).code == "hello_first"


STRANGERS = [
    "",
    "croupier_session=",
    "croupier_session=" + "x" * 43,
    "croupier_session=\xff",
    'a="; croupier_session=;',
    "=;=,",
]


@pytest.mark.parametrize("cookie", STRANGERS)
async def test_a_connection_without_a_session_is_refused(server: ServerProcess, cookie: str) -> None:
    async with Browser(server.address) as browser:
        await browser.connect(headers={"Origin": server.address, "Cookie": cookie})
        await browser.send(wire.Hello(wire.PROTOCOL))
        assert await browser.next() == wire.No("", "not_signed_in", {})
        assert await _closed(browser) == 1008


@pytest.mark.parametrize("cookie", STRANGERS)
@pytest.mark.parametrize("path", ["/api/me", "/api/history", "/api/statement", "/api/rounds/r1"])
async def test_without_a_session_there_is_no_history(
    http_server: ServerProcess, path: str, cookie: str
) -> None:
    header = httpx.Headers([(b"Cookie", cookie.encode("latin-1"))])
    async with Browser(http_server.address) as browser:
        answer = await browser.http.get(http_server.address + path, headers=header)
        assert answer.status_code == 401


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1.evil.example", "", "http://", None]
)
async def test_a_page_of_another_site_gets_no_socket(server: ServerProcess, origin: str | None) -> None:
    headers = {} if origin is None else {"Origin": origin}
    async with Browser(server.address) as browser:
        with pytest.raises(InvalidStatus) as refused:
            await browser.connect(headers=headers)
        assert refused.value.response.status_code == 403


@pytest.mark.parametrize("path", ["/", "/ws/", "/wss", "/api/server", "/../ws"])
async def test_the_socket_is_at_one_address(server: ServerProcess, path: str) -> None:
    async with Browser(server.address) as browser:
        with pytest.raises(InvalidStatus) as refused:
            await browser.connect(path)
        assert refused.value.response.status_code == 404


async def test_noise_on_the_socket_affects_no_other_connection(
    server: ServerProcess, browser: Browser
) -> None:
    port = (await browser.get("/api/server", wire.ServerInfo)).socket_port
    noise = random.Random(8).randbytes
    for size in (0, 1, 100, 5_000, 100_000):
        with socket.create_connection(("127.0.0.1", port)) as raw:
            raw.sendall(noise(size))
    assert (await browser.join("classic")).code == ""
