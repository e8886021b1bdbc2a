"""Browsers of players with accounts."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import msgspec
from websockets.exceptions import ConnectionClosed

from croupier.protocol import wire
from tests.support.browser_connection import Browser, connect_guest

PASSWORD = "correct horse"
CLOSES_WITHIN_S = 1.0


def new_name() -> str:
    """Return an e-mail address that no other test uses."""
    return f"ada-{secrets.token_hex(6)}@example.org"


async def sent(browser: Browser, path: str, body: msgspec.Struct | None = None) -> httpx.Response:
    """Send a change, whatever the server answers."""
    content = msgspec.json.encode(body) if body else b""
    return await browser.http.post(browser.address + path, content=content)


async def sign_in(browser: Browser, name: str, password: str = PASSWORD) -> httpx.Response:
    return await sent(browser, "/api/sign-in", wire.PlayerSignIn(name, password))


@asynccontextmanager
async def account_at(address: str, name: str, password: str = PASSWORD) -> AsyncIterator[Browser]:
    """Yield the browser of a guest who has just become an account, connected."""
    async with connect_guest(address) as browser:
        await browser.post("/api/account", wire.Me, wire.NewAccount(name, password))
        await browser.disconnect()
        await browser.connect()
        await browser.hello()
        yield browser


@asynccontextmanager
async def device_at(address: str, name: str, password: str = PASSWORD) -> AsyncIterator[Browser]:
    """Yield another device, signed in and connected."""
    async with Browser(address) as browser:
        answer = await sign_in(browser, name, password)
        assert answer.status_code == 200, answer.text
        await browser.connect()
        await browser.hello()
        yield browser


async def closed_soon(browser: Browser) -> list[wire.Message]:
    """Return the last messages of a connection that the server closes within a second."""
    last: list[wire.Message] = []
    async with asyncio.timeout(CLOSES_WITHIN_S):
        try:
            while True:
                last.append(await browser.next())
        except ConnectionClosed:
            return last


def code_of(answer: httpx.Response) -> str:
    """Return the code of a refusal; empty for another answer."""
    return str(answer.json()["code"]) if answer.status_code >= 400 else ""
