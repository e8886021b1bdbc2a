"""The admin port: `/livez`, `/readyz` and `/metrics`, for supervisors, load balancers and Prometheus.

It has no sign-in, so it listens on this machine only unless another address is given.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from http import HTTPStatus
from typing import Any, NamedTuple

from litestar.types import ASGIApp, Receive, Scope, Send

from croupier.app.operations.health import Health
from croupier.gateway.connection_limits import ConnectionLimiter
from croupier.gateway.http_server import HttpServer
from croupier.measurements import LatencyHistogram

LAG_CHECK_S = 0.25
TEXT = "text/plain; charset=utf-8"


class AdminAddress(NamedTuple):
    """Address of the admin port; port 0: any free one."""

    host: str
    port: int


class AdminAnswer(NamedTuple):
    status: HTTPStatus
    body: bytes
    media: str = TEXT


class _AdminServer(HttpServer):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to the players' server."""
        yield


@asynccontextmanager
async def serving_admin(address: AdminAddress | None, health: Health) -> AsyncIterator[None]:
    """Serve the admin port, if there is one, from before the server starts until it has stopped."""
    if address is None:
        yield
        return
    with socket.create_server(address) as listening:
        server = _AdminServer(admin_site(health), listening, ConnectionLimiter())
        health.url = f"http://{address.host}:{listening.getsockname()[1]}/"
        tasks = asyncio.create_task(server.serve()), asyncio.create_task(_measure_lag(health.loop_lag))
        try:
            yield
        finally:
            server.should_exit = True
            await tasks[0]
            tasks[1].cancel()


def admin_site(health: Health) -> ASGIApp:
    """Return the application of the admin port."""

    async def app(scope: Scope, _receive: Receive, send: Send) -> None:
        if scope["path"] == "/metrics":
            from croupier.app.operations.metrics import read_results

            await read_results(health)
        answer = _answer(health, str(scope.get("method")), str(scope["path"]))
        headers = [
            (b"content-type", answer.media.encode()),
            (b"content-length", str(len(answer.body)).encode()),
            (b"cache-control", b"no-store"),
        ]
        start: Any = {"type": "http.response.start", "status": answer.status.value, "headers": headers}
        body: Any = {"type": "http.response.body", "body": answer.body}
        await send(start)
        await send(body)

    return app


def _answer(health: Health, method: str, path: str) -> AdminAnswer:
    if method not in ("GET", "HEAD"):
        return AdminAnswer(HTTPStatus.METHOD_NOT_ALLOWED, b"only GET\n")
    match path:
        case "/livez":
            return AdminAnswer(HTTPStatus.OK, b"alive\n")
        case "/readyz":
            status = HTTPStatus.OK if health.is_ready else HTTPStatus.SERVICE_UNAVAILABLE
            return AdminAnswer(status, f"{health.shown}\n".encode())
        case "/metrics":
            from croupier.app.operations.metrics import CONTENT_TYPE, metrics_text

            return AdminAnswer(HTTPStatus.OK, metrics_text(health), CONTENT_TYPE)
    return AdminAnswer(HTTPStatus.NOT_FOUND, b"there are /livez, /readyz and /metrics\n")


async def _measure_lag(lag: LatencyHistogram) -> None:
    """Measure how late timers are, until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LAG_CHECK_S
        await asyncio.sleep(LAG_CHECK_S)
        lag.observe(max(0.0, loop.time() - due))
