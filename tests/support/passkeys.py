"""Browsers of players with passkeys. They open the site as `localhost`: IP addresses have no passkeys."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Self

import httpx
import msgspec

from croupier.protocol import wire
from tests.support.authenticator import Authenticator, Credential
from tests.support.browser_connection import Browser
from tests.support.server_process import ServerProcess


class Device(Browser):
    """A guest's browser with an authenticator."""

    def __init__(self, server: ServerProcess) -> None:
        super().__init__(server.address.replace("127.0.0.1", "localhost"))
        self.http.headers["Origin"] = self.address
        self.authenticator = Authenticator(self.address)

    async def __aenter__(self) -> Self:
        await self.guest()
        return self

    async def sent(self, path: str, body: msgspec.Struct | None = None) -> httpx.Response:
        """Send a change, whatever the server answers."""
        return await self.http.post(self.address + path, content=msgspec.json.encode(body) if body else b"")

    async def create_account(self, name: str) -> httpx.Response:
        """Make the guest an account with a passkey."""
        path = "/api/account/passkey"
        wanted = await self.post(f"{path}/creation", wire.PasskeyCreation, wire.PasskeyAccountName(name))
        return await self.sent(path, wire.NewPasskeyAccount(name, self.authenticator.create(wanted)))

    async def add(self, name: str = "", password: str = "") -> httpx.Response:
        """Add a passkey to the account, confirmed by the password or else by the newest passkey."""
        signed = None if password else await self.confirmed()
        wanted = await self.post("/api/passkeys/creation", wire.PasskeyCreation)
        new = self.authenticator.create(wanted, name)
        return await self.sent("/api/passkeys", wire.PasskeyAddition(new, password=password, passkey=signed))

    async def remove(self, passkey: str, password: str = "") -> httpx.Response:
        """Remove a passkey, confirmed by the password or else by the newest passkey."""
        signed = None if password else await self.confirmed()
        order = wire.PasskeyRemoval(passkey, password=password, passkey=signed)
        return await self.sent("/api/passkeys/removal", order)

    async def confirmed(self, credential: Credential | None = None) -> wire.PasskeySignIn:
        """Return the answer of a passkey, by default the newest, to a challenge for a confirmation."""
        wanted = await self.post("/api/account/confirmation", wire.PasskeyChallenge)
        return self.authenticator.sign(wanted, credential)

    async def challenge(self) -> wire.PasskeyChallenge:
        return await self.post("/api/sign-in/challenge", wire.PasskeyChallenge)

    async def sign_in(
        self, authenticator: Authenticator | None = None, credential: Credential | None = None
    ) -> httpx.Response:
        """Sign in with a passkey of this or another authenticator, by default the newest."""
        signed = (authenticator or self.authenticator).sign(await self.challenge(), credential)
        return await self.sent("/api/sign-in/passkey", signed)


@asynccontextmanager
async def passkey_account(server: ServerProcess, name: str) -> AsyncIterator[Device]:
    """Yield the browser of a guest who has just become an account with a passkey alone."""
    async with Device(server) as device:
        answer = await device.create_account(name)
        assert answer.status_code == 200, answer.text
        yield device
