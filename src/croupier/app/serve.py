"""Run the server: database, tables, pages and sockets, until a signal stops it."""

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from types import FrameType

import uvicorn

from croupier.app.logs import configure_logs
from croupier.app.measuring import switch_optimisations
from croupier.app.server import build_server
from croupier.app.site import create_site
from croupier.audit.anchoring.anchoring import Anchoring
from croupier.audit.startup import UNANCHORED, Safeguards, check_books
from croupier.config import DEFAULT_CONFIG, ServerConfig
from croupier.gateway.client_session import ClientSession
from croupier.gateway.connection_limits import ConnectionLimiter, connection_limits
from croupier.gateway.descriptors import connections_that_fit, raise_limit
from croupier.gateway.forwarded import forwarded
from croupier.gateway.http_server import HttpServer
from croupier.gateway.library_logs import quiet_libraries
from croupier.gateway.origins import Origin, PublicOrigins, origin_of_socket
from croupier.gateway.sockets import PLAYER_COOKIE, SOCKETS, SocketEndpoint
from croupier.ledger.protocol import LedgerBroken
from croupier.ledger.sqlite.balance_check import Stopped
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.play.contract.game import Table
from croupier.runtime.clock_watch import set_clock, watch_clock
from croupier.runtime.server import Server
from croupier.runtime.shoe_key import open_seal
from croupier.staff.admin_socket import serve_admin_socket
from croupier.staff.api import STAFF_COOKIE
from croupier.staff.client_session import StaffClientSession
from croupier.staff.service import StaffService
from croupier.storage.sqlite.stores import sqlite_stores

log = logging.getLogger(__name__)

SWITCH_S = 0.0001
"""Thread switch interval: with Python's default of 5 ms, threads that read would delay the event loop."""
GARBAGE = (500, 1, 1_000_000)
"""A search among what is new takes less than a millisecond, and all of them as long as if they were fewer and
longer; one among all that thousands of players have takes 0.1 s."""
GARBAGE_EVERY_S = 600
FEW_GUESTS = 100
CROWDED_TIMES = 36
"""So a search among all is made when few are here, or when there were many for so long. It can wait: visits
leave no circles behind, and what else leaves some is mostly found while it is new."""
SWEEP_EVERY_S = 60
CLIENT = Path(str(files("croupier") / "static"))
BOOKS = "croupier.db"
KEY = "shoes.key"


@dataclass(frozen=True, slots=True)
class Address:
    """The addresses of the server. `port` 0: any free one; `socket_port` None: the one after `port`."""

    host: str = "127.0.0.1"
    port: int = 8000
    socket_port: int | None = None
    socket: str = "picows"
    public_socket: str = ""
    """The WebSocket's address for browsers where a proxy joins both ports; empty otherwise."""
    origins: frozenset[Origin] = frozenset()
    """Where browsers find the pages, if it isn't `port` of the host that they name."""
    proxies: tuple[str, ...] = ()
    """Addresses and networks whose X-Forwarded-* headers count."""

    def public_origins(self, port: int) -> PublicOrigins:
        """The origins of the pages, which listen on `port`."""
        by_socket = origin_of_socket(self.public_socket)
        return PublicOrigins(port, self.origins | ({by_socket} if by_socket else set()))


Opened = Callable[[str, int], None]
"""Called with the server's address, and the number of connections it has room for."""


def open_books(folder: Path) -> SqliteLedger:
    """Open the ledger of a data folder, which is created if need be."""
    return SqliteLedger.open(_books(folder), migrate=upgrade)


def _books(folder: Path) -> Path:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / BOOKS


async def serve(
    folder: Path,
    tables: dict[str, Table],
    address: Address,
    opened: Opened,
    floor: ServerConfig = DEFAULT_CONFIG,
    *,
    accept_system_time: bool = False,
    safeguards: Safeguards = UNANCHORED,
) -> None:
    """Run the server until SIGINT or SIGTERM; call `opened` once it serves.

    Raise DatabaseUnusable when something is wrong with the database or with the key of the shoes.
    """
    quiet_libraries()
    sys.setswitchinterval(SWITCH_S)
    gc.set_threshold(*GARBAGE)
    gone = asyncio.Event()
    with _told_to_close() as told:
        configure_logs()
        ledger = SqliteLedger.open_with_writer_process(_books(folder), migrate=upgrade, on_exit=gone.set)
        stores, speculate = sqlite_stores(ledger), switch_optimisations(os.environ)
        try:
            with suppress(Stopped):
                anchoring = await check_books(folder / BOOKS, safeguards, told.is_set)
                await set_clock(ledger, accept_system_time=accept_system_time)
                seal = await open_seal(ledger, folder / KEY, void_unreadable=safeguards.void_unreadable)
                async with (
                    _anchored(anchoring),
                    _started(build_server(stores, tables, seal, floor, speculate)) as server,
                ):
                    await _serve(
                        server, told, gone, folder, address, opened, _limiter(floor, address.proxies)
                    )
        finally:
            ledger.close()


@asynccontextmanager
async def _anchored(anchoring: Anchoring) -> AsyncIterator[None]:
    """Anchor the journal meanwhile, and what is new of it at the end."""
    task = asyncio.create_task(anchoring.run())
    try:
        yield
    finally:
        task.cancel()
        await anchoring.close()


@asynccontextmanager
async def _started(server: Server) -> AsyncIterator[Server]:
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


def _limiter(floor: ServerConfig, proxies: Sequence[str]) -> ConnectionLimiter:
    """Return the limiter for as many connections as this process may hold."""
    total = connections_that_fit(raise_limit())
    return ConnectionLimiter(connection_limits(floor.connections, total, proxies))


@contextmanager
def _told_to_close() -> Iterator[asyncio.Event]:
    """Yield an event that a signal sets, so that starting and stopping are never interrupted.

    A second Ctrl-C interrupts. While uvicorn serves, it handles the signals, and raises them afterwards.
    """
    told, loop = asyncio.Event(), asyncio.get_running_loop()

    def hear(number: int, _frame: FrameType | None) -> None:
        if number == signal.SIGINT:
            signal.signal(number, signal.default_int_handler)
        loop.call_soon_threadsafe(told.set)

    heard = [number for number in (signal.SIGINT, signal.SIGTERM) if not _is_ignored(number)]
    before = {number: signal.signal(number, hear) for number in heard}
    try:
        yield told
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _is_ignored(number: signal.Signals) -> bool:
    """Return whether the signal is ignored, as shells ignore Ctrl-C for background jobs."""
    return signal.getsignal(number) is signal.SIG_IGN


class _Server(HttpServer):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave a signal ignored that was ignored before."""
        ignored = [number for number in (signal.SIGINT, signal.SIGTERM) if _is_ignored(number)]
        with super().capture_signals():
            for number in ignored:
                signal.signal(number, signal.SIG_IGN)
            yield


async def _serve(
    server: Server,
    told: asyncio.Event,
    gone: asyncio.Event,
    folder: Path,
    address: Address,
    opened: Opened,
    limiter: ConnectionLimiter,
) -> None:
    with socket.create_server((address.host, address.port)) as listening:
        port = listening.getsockname()[1]
        at = f"http://{address.host}:{port}/"
        office = StaffService(server, at)
        origins = address.public_origins(port)
        endpoints = {
            "/ws": SocketEndpoint(PLAYER_COOKIE, partial(ClientSession, server), origins.accepts_socket),
            "/ws/staff": SocketEndpoint(
                STAFF_COOKIE, partial(StaffClientSession, office), origins.accepts_socket
            ),
        }
        wanted = port + 1 if address.socket_port is None else address.socket_port
        async with (
            SOCKETS[address.socket](endpoints, address.host, wanted, limiter) as socket_port,
            serve_admin_socket(folder, office.execute_admin_command),
        ):
            site = create_site(server, office, CLIENT, address.public_socket, socket_port, origins)
            opened(at, limiter.limits.total)
            http = _Server(forwarded(site, address.proxies), listening, limiter)
            gc.freeze()  # what is here now stays
            meanwhile = [
                asyncio.create_task(_close_when(told, http)),
                asyncio.create_task(_close_when(server.gateway.broken, http)),
                asyncio.create_task(_broken_when_gone(server, gone)),
                asyncio.create_task(_collect_garbage(server)),
                asyncio.create_task(_sweep(server)),
                asyncio.create_task(watch_clock(server.gateway)),
            ]
            await http.serve()
            for task in meanwhile:
                task.cancel()
    if server.gateway.broken.is_set():
        raise LedgerBroken("a commit failed, so the server stopped; start it again, and run croupier verify")


async def _close_when(event: asyncio.Event, http: uvicorn.Server) -> None:
    await event.wait()
    http.should_exit = True


async def _broken_when_gone(server: Server, gone: asyncio.Event) -> None:
    """Stop when the writer process ends, even if nothing is waiting for a commit."""
    await gone.wait()
    server.gateway.broken.set()


async def _sweep(server: Server) -> None:
    while True:
        await asyncio.sleep(SWEEP_EVERY_S)
        try:
            await server.sweep()
        except LedgerBroken:
            return  # the server stops
        except Exception:
            log.exception("a sweep failed; it is tried again")


async def _collect_garbage(server: Server) -> None:
    crowded = 0
    while True:
        await asyncio.sleep(GARBAGE_EVERY_S)
        crowded = crowded + 1 if len(server.players) > FEW_GUESTS else 0
        if crowded % CROWDED_TIMES == 0:
            gc.collect()
