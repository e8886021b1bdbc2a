"""Signals that stop the server."""

import asyncio
import signal
import socket
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from litestar.types import ASGIApp

from croupier.gateway.connection_limits import ConnectionLimiter
from croupier.gateway.http_server import HttpServer

Drain = Callable[[], Coroutine[Any, Any, None]]


@contextmanager
def stop_signal() -> Iterator[asyncio.Event]:
    """Yield an event that SIGINT and SIGTERM set, so that they don't interrupt starting and stopping.

    A second Ctrl-C interrupts. While uvicorn runs, it handles the signals, and raises them afterwards.
    """
    stopping, loop = asyncio.Event(), asyncio.get_running_loop()

    def handle(number: int, _frame: FrameType | None) -> None:
        if number == signal.SIGINT:
            signal.signal(number, signal.default_int_handler)
        loop.call_soon_threadsafe(stopping.set)

    handled = [number for number in (signal.SIGINT, signal.SIGTERM) if not _is_ignored(number)]
    previous = {number: signal.signal(number, handle) for number in handled}
    try:
        yield stopping
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _is_ignored(number: signal.Signals) -> bool:
    """Return whether the signal is ignored, as shells ignore Ctrl-C for background jobs."""
    return signal.getsignal(number) is signal.SIG_IGN


class SignalledHttpServer(HttpServer):
    """The players' HTTP server. SIGINT and SIGTERM end it once `drain` has returned, a second one at once."""

    def __init__(
        self, site: ASGIApp, listening: socket.socket, limiter: ConnectionLimiter, drain: Drain
    ) -> None:
        super().__init__(site, listening, limiter)
        self._drain = drain
        self._draining: asyncio.Task[None] | None = None
        self._loop = asyncio.get_running_loop()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._loop.call_soon_threadsafe(self._exit, sig, frame)

    def _exit(self, sig: int, frame: FrameType | None) -> None:
        if self._draining is None:
            self._draining = asyncio.create_task(self._drain())
            self._draining.add_done_callback(lambda _: self._exit(sig, frame))
        elif self._draining.done():
            super().handle_exit(sig, frame)
        else:
            self._draining.cancel()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Keep ignoring the signals that were ignored before."""
        ignored = [number for number in (signal.SIGINT, signal.SIGTERM) if _is_ignored(number)]
        with super().capture_signals():
            for number in ignored:
                signal.signal(number, signal.SIG_IGN)
            yield
