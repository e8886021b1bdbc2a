"""Members of staff who enrol with an authenticator app or a passkey."""

from base64 import b32decode
from typing import TypeVar

import httpx
import msgspec

from croupier.accounts.one_time_codes import code_at, step_of
from croupier.clock import now_ms
from croupier.protocol import staff_sign_in, wire
from tests.staff.clients import StaffBrowser
from tests.support.authenticator import Authenticator

T = TypeVar("T")


def shown_code(secret: str, steps: int = 0) -> str:
    """Return the code that an app shows, or will show after so many steps."""
    return code_at(b32decode(secret), step_of(now_ms()) + steps)


class Newcomer(StaffBrowser):
    """A member's browser at a host name, with an authenticator for passkeys."""

    def __init__(self, address: str) -> None:
        super().__init__(address.replace("127.0.0.1", "localhost"))
        self.http.headers["Origin"] = self.address
        self.authenticator = Authenticator(self.address)

    async def sent(self, path: str, body: msgspec.Struct | None = None) -> httpx.Response:
        """Send a change, whatever the server answers."""
        content = msgspec.json.encode(body) if body else b""
        return await self.http.post(f"{self.address}/api/staff/{path}", content=content)

    async def answered(self, kind: type[T], path: str, body: msgspec.Struct | None = None) -> T:
        answer = await self.sent(path, body)
        assert answer.is_success, answer.text
        return msgspec.json.decode(answer.content, type=kind)

    async def offer(self, name: str, code: str) -> staff_sign_in.EnrolmentOffer:
        order = staff_sign_in.StartEnrolment(name, code)
        return await self.answered(staff_sign_in.EnrolmentOffer, "enrolment", order)

    async def enrol_app(self, name: str, code: str, secret: str, steps: int = -1) -> httpx.Response:
        """Enrol an app, by default with its last code, so that the present one is left for a sign-in."""
        enrolment = staff_sign_in.StartEnrolment(name, code)
        order = staff_sign_in.EnrolAuthenticator(enrolment, shown_code(secret, steps))
        return await self.sent("enrolment/authenticator", order)

    async def enrol_passkey(self, name: str, code: str, wanted: wire.PasskeyCreation) -> httpx.Response:
        order = staff_sign_in.EnrolPasskey(
            staff_sign_in.StartEnrolment(name, code), self.authenticator.create(wanted)
        )
        return await self.sent("enrolment/passkey", order)

    async def sign_in_with_passkey(self, authenticator: Authenticator) -> httpx.Response:
        wanted = await self.answered(wire.PasskeyChallenge, "sign-in/challenge")
        return await self.sent("sign-in/passkey", authenticator.sign(wanted))

    async def me(self) -> httpx.Response:
        return await self.http.get(f"{self.address}/api/staff/me")
