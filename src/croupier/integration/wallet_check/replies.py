"""Posts to the wallet under test, and its replies as they come."""

import time
from collections.abc import Mapping
from typing import NamedTuple, Protocol

import httpx
import msgspec

from croupier.gateway.malformed import MALFORMED
from croupier.protocol.wallet_wire import WalletAnswer

EXCERPT = 60
"""Maximum number of a body's characters in a description."""


class WalletReply(NamedTuple):
    """A reply; `status` 0: there was none, because of `error`."""

    status: int
    body: bytes
    took_ms: int = 0
    error: str = ""

    @property
    def answer(self) -> WalletAnswer | None:
        """Return the answer; None: there is none, or it can't be read."""
        if self.status != httpx.codes.OK:
            return None
        try:
            return msgspec.json.decode(self.body, type=WalletAnswer)
        except MALFORMED:
            return None

    @property
    def described(self) -> str:
        """Return the reply in words, for a person who looks for a mistake."""
        if self.error:
            return self.error
        if self.status != httpx.codes.OK:
            return f"status {self.status}"
        answer = self.answer
        if answer is None:
            return self._why_unreadable()
        return answer.outcome + (f" ({answer.reason})" if answer.reason else "")

    def _why_unreadable(self) -> str:
        try:
            msgspec.json.decode(self.body, type=WalletAnswer)
        except MALFORMED as error:
            return f"{self.body[:EXCERPT].decode(errors='replace')!r}: {error}"
        return ""


class WalletTransport(Protocol):
    async def post(self, path: str, body: bytes, headers: Mapping[str, str]) -> WalletReply: ...


class HttpTransport:
    """Posts to the wallet's address."""

    def __init__(self, url: str, timeout_s: float) -> None:
        self._url = url.rstrip("/")
        self._timeout_s = timeout_s
        self._http = httpx.AsyncClient(timeout=timeout_s)

    async def post(self, path: str, body: bytes, headers: Mapping[str, str]) -> WalletReply:
        started_ns = time.perf_counter_ns()
        try:
            response = await self._http.post(self._url + path, content=body, headers=dict(headers))
        except httpx.TimeoutException:
            return WalletReply(0, b"", error=f"no answer within {self._timeout_s:g} s")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return WalletReply(0, b"", error=f"no answer: {str(error) or type(error).__name__}")
        took_ms = (time.perf_counter_ns() - started_ns) // 1_000_000
        return WalletReply(response.status_code, response.content, took_ms)

    async def aclose(self) -> None:
        await self._http.aclose()
