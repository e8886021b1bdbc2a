"""Signed requests to another service, with bounded answers."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

import httpx
import msgspec
from msgspec import Struct

from croupier import clock, tracing
from croupier.outside.bounded_body import bounded_body
from croupier.outside.no_answer import NoAnswer
from croupier.outside.systems import OutsideSystem
from croupier.protocol.encoding import encode
from croupier.protocol.signatures import Secret, signed_headers

T = TypeVar("T")
CONNECTIONS_MAX = 16
"""Connections of one pool, all of which stay open: httpx looks at each of them for each request."""
MALFORMED = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class ConnectionPool:
    """A client of httpx with its own connections, and the number of its present requests."""

    __slots__ = ("http", "requests")

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http
        self.requests = 0


class SignedClient:
    """Posts signed JSON to one service; each request takes the pool with the fewest."""

    def __init__(
        self, url: str, secret: Secret, timeout_s: float, system: OutsideSystem, pools: int = 1
    ) -> None:
        """Take the system that measures the requests."""
        self._system = system
        self._url = url.rstrip("/")
        self._secret = secret
        self._timeout_s = timeout_s
        limits = httpx.Limits(max_connections=CONNECTIONS_MAX, max_keepalive_connections=CONNECTIONS_MAX)
        tls = httpx.create_ssl_context()
        self._pools = [
            ConnectionPool(httpx.AsyncClient(timeout=timeout_s, limits=limits, verify=tls))
            for _ in range(pools)
        ]

    async def ask(
        self, path: str, question: Struct, kind: type[T], check: Callable[[T], None] | None = None
    ) -> T:
        """Return the answer; raise NoAnswer for everything but a well-formed one with status 200.

        `check` raises NoAnswer for one that can't be an answer to this question.
        """
        with self._system.call(path or "/"):
            answer = await self._ask(path, question, kind)
            if check:
                check(answer)
            return answer

    async def _ask(self, path: str, question: Struct, kind: type[T]) -> T:
        try:
            async with asyncio.timeout(self._timeout_s):
                answer = await self._post(path, encode(question))
            return msgspec.json.decode(answer, type=kind)
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, *MALFORMED) as error:
            raise NoAnswer(f"{type(error).__name__} of {self._url}{path}") from error

    async def close(self) -> None:
        for pool in self._pools:
            await pool.http.aclose()

    async def _post(self, path: str, body: bytes) -> bytes:
        headers = signed_headers(self._secret, body, clock.now_ms() // 1000)
        headers["Content-Type"] = "application/json"
        headers |= tracing.headers()
        pool = min(self._pools, key=lambda pool: pool.requests)
        if pool.http.is_closed:
            raise NoAnswer("the server stops")
        pool.requests += 1
        try:
            async with pool.http.stream("POST", self._url + path, content=body, headers=headers) as response:
                if response.status_code != httpx.codes.OK:
                    raise NoAnswer(f"status {response.status_code} of {self._url}{path}")
                return await bounded_body(response)
        finally:
            pool.requests -= 1
