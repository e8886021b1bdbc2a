"""A listening socket that accepts connections only while they fit.

The event loops' own servers don't handle the limit on open files: uvloop closes accepted connections, and
aiofastnet logs a traceback in every turn of the loop.
"""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable
from sys import intern
from typing import Any, Self

from croupier.gateway.connection_limits import ConnectionLimiter

log = logging.getLogger(__name__)

BACKLOG = 512
HANDSHAKE_TIMEOUT_S = 5.0
"""Time limit for a WebSocket's handshake."""
ACCEPT_BATCH = 16
"""Number of connections accepted before other tasks run."""
RETRY_S = 0.5
"""Delay after a failure to accept, as when other processes have used up the machine's descriptors."""

OnClosed = Callable[[], None]
"""Called when a connection is closed, once or more."""
ServeConnection = Callable[[socket.socket, OnClosed], Awaitable[object]]
"""Serve an accepted socket, and call `closed` once it is closed."""


class TcpListener:
    """Accepts connections until closed; `connect` serves each."""

    def __init__(
        self, listening: socket.socket, limiter: ConnectionLimiter, connect: ServeConnection
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._listening = listening
        self._limiter = limiter
        self._connect = connect
        self._serving = True
        self._open = 0
        self._none_open = asyncio.Event()
        self._none_open.set()
        listening.setblocking(False)
        listening.listen(BACKLOG)
        self._tasks = {asyncio.create_task(self._accept_all())}

    @property
    def port(self) -> int:
        port: int = self._listening.getsockname()[1]
        return port

    @property
    def sockets(self) -> tuple[socket.socket, ...]:
        return (self._listening,) if self._serving else ()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()
        await self.wait_closed()

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self._loop

    def is_serving(self) -> bool:
        return self._serving

    def close(self) -> None:
        """Stop accepting; connections stay open."""
        if self._serving:
            self._serving = False
            for task in self._tasks:
                task.cancel()
            self._listening.close()

    async def wait_closed(self) -> None:
        """Wait until every connection is closed."""
        await self._none_open.wait()

    async def _accept_all(self) -> None:
        while True:
            await self._limiter.wait_for_capacity()
            try:
                self._accepted(*await self._loop.sock_accept(self._listening))
                self._accept_waiting()
            except (BlockingIOError, ConnectionError):
                continue
            except OSError as error:
                log.warning("no connection can be accepted: %s", error)
                await asyncio.sleep(RETRY_S)

    def _accept_waiting(self) -> None:
        """Accept further waiting connections; raise BlockingIOError after the last."""
        for _ in range(ACCEPT_BATCH):
            if self._limiter.is_full:
                break
            self._accepted(*self._listening.accept())

    def _accepted(self, accepted: socket.socket, address: tuple[Any, ...]) -> None:
        host = intern(str(address[0]))
        if self._limiter.admit(host):
            task = asyncio.create_task(self._serve(accepted, host))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            log.warning("a connection from %s is refused: the address is at its limit", host)
            accepted.close()

    async def _serve(self, accepted: socket.socket, host: str) -> None:
        accepted.setblocking(False)
        closed = _OpenConnection(self, host)
        try:
            await self._connect(accepted, closed)
        except BaseException as error:
            accepted.close()
            closed()
            if not isinstance(error, OSError):
                raise

    def opened(self) -> None:
        """Count a connection as open."""
        self._open += 1
        self._none_open.clear()

    def closed(self, host: str) -> None:
        """Count a connection of that address as closed."""
        self._limiter.release(host)
        self._open -= 1
        if not self._open:
            self._none_open.set()


class _OpenConnection:
    """Counts a connection as open until it is called."""

    __slots__ = ("_host", "_listener")

    def __init__(self, listener: TcpListener, host: str) -> None:
        self._listener: TcpListener | None = listener
        self._host = host
        listener.opened()

    def __call__(self) -> None:
        listener, self._listener = self._listener, None
        if listener:
            listener.closed(self._host)
