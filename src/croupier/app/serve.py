"""Run the server: database, tables, pages and sockets, until a signal stops it."""

import asyncio
import gc
import logging
import os
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import uvicorn

from croupier.app.clock_watch import set_clock, watch_clock
from croupier.app.draining import drain_tables
from croupier.app.logs import LogForm, configure_logs
from croupier.app.measuring import switch_optimisations
from croupier.app.nodes import BusOptions, connected_bus, serving_gateways
from croupier.app.operations.admin_site import AdminAddress, serving_admin
from croupier.app.operations.health import Health
from croupier.app.owner_site import staff_only
from croupier.app.server import build_server
from croupier.app.signals import Drain, SignalledHttpServer, stop_signal
from croupier.app.site import create_site
from croupier.app.tracing.target import TraceTarget, sending_traces
from croupier.audit.anchoring.anchoring import Anchoring
from croupier.audit.startup import UNANCHORED, Safeguards, check_database
from croupier.build import current_build
from croupier.cluster.roles import BOTH_ROLES, NodeRole
from croupier.config import DEFAULT_CONFIG, ServerConfig
from croupier.gateway.client_session import ClientSession
from croupier.gateway.connection_limits import ConnectionLimiter, connection_limits
from croupier.gateway.descriptors import connections_that_fit, raise_limit
from croupier.gateway.forwarded import forwarded
from croupier.gateway.library_logs import quiet_libraries
from croupier.gateway.origins import Origin, PublicOrigins, origin_of_socket
from croupier.gateway.server import Server
from croupier.gateway.sockets import PLAYER_COOKIE, socket_server
from croupier.gateway.websocket_connection import SocketEndpoint
from croupier.ledger import stores
from croupier.ledger.protocol import LedgerBroken
from croupier.ledger.sql.balance_check import Stopped
from croupier.ledger.sql.databases import Database, PostgresqlUrl
from croupier.ledger.sql.store import SqlLedger
from croupier.measurements import LatencyHistogram
from croupier.play.contract.game import Table
from croupier.rounds.shoe_key import open_seal
from croupier.staff.admin_socket import serve_admin_socket
from croupier.staff.client_session import StaffClientSession
from croupier.staff.service import StaffService
from croupier.staff.sign_in_api import STAFF_COOKIE
from croupier.storage.sql.stores import sql_stores

log = logging.getLogger(__name__)

SWITCH_INTERVAL_S = 0.0001
"""Thread switch interval: with Python's default of 5 ms, threads that read would delay the event loop."""
GC_THRESHOLDS = (500, 1, 1_000_000)
"""Collections of young objects are frequent and short. A full collection would block the event loop for too
long while thousands are connected, so it never runs automatically."""
FULL_GC_CHECK_S = 600
FEW_PLAYERS = 100
CHECKS_WITHOUT_FULL_GC_MAX = 36
"""A full collection runs when at most FEW_PLAYERS are connected, or after this many checks with more. It may
wait: sessions leave no reference cycles, and most other cycles are found while they are young."""
SWEEP_EVERY_S = 60
IDLE_EVERY_S = 0.5
"""Interval at which idle sessions are ended, so that their sockets end within a second."""
CLIENT = Path(str(files("croupier") / "static"))
DATABASE = "croupier.db"
SHOES_KEY = "shoes.key"


@dataclass(frozen=True, slots=True)
class Address:
    """The addresses of the server. `port` 0: any free port; `socket_port` None: the one after `port`."""

    host: str = "127.0.0.1"
    port: int = 8000
    socket_port: int | None = None
    public_socket: str = ""
    """The WebSocket's address for browsers if a proxy joins both ports; empty otherwise."""
    origins: frozenset[Origin] = frozenset()
    """Public origins of the pages, unless it is `port` of the requested host."""
    proxies: tuple[str, ...] = ()
    """Addresses and networks whose X-Forwarded-* headers are trusted."""
    admin: AdminAddress | None = None
    """Address of the admin port; None: there is none."""

    def public_origins(self, port: int) -> PublicOrigins:
        """Return the origins of the pages, which are served on `port`."""
        by_socket = origin_of_socket(self.public_socket)
        return PublicOrigins(port, self.origins | ({by_socket} if by_socket else set()))

    def of_pages(self, port: int) -> str:
        """Return the pages' address for browsers: the public one, if it is known."""
        public = min(self.origins, default=origin_of_socket(self.public_socket))
        return f"{public or f'http://{self.host}:{port}'}/"


class RunOptions(NamedTuple):
    """Options of the process. `drain_s`: maximum time for live tables to finish their rounds at a stop.

    `database`: in place of SQLite in the data folder. `bus`: the message server of several nodes. `roles`:
    those of this node.
    """

    log_form: LogForm = "text"
    drain_s: float = 0
    traces: TraceTarget | None = None
    database: PostgresqlUrl | None = None
    bus: BusOptions | None = None
    roles: Collection[NodeRole] = BOTH_ROLES


DEFAULT_OPTIONS = RunOptions()


class Started(NamedTuple):
    """The server's address, its maximum number of connections, and the admin port's address if any."""

    address: str
    connections: int
    admin: str


OnStarted = Callable[[Started], None]


def open_ledger(folder: Path, url: PostgresqlUrl | None = None) -> SqlLedger:
    """Open the ledger of a data folder, which is created if necessary; `url`: its database is there."""
    return stores.open_ledger(_database(folder, url))


def _database(folder: Path, url: PostgresqlUrl | None) -> Database:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return url or folder / DATABASE


async def serve(
    folder: Path,
    tables: dict[str, Table],
    address: Address,
    on_started: OnStarted,
    config: ServerConfig = DEFAULT_CONFIG,
    *,
    accept_system_time: bool = False,
    safeguards: Safeguards = UNANCHORED,
    options: RunOptions = DEFAULT_OPTIONS,
) -> None:
    """Run the server until SIGINT or SIGTERM; call `on_started` once it accepts connections.

    Raise DatabaseUnusable if the database or the key of the shoes is unusable.
    """
    quiet_libraries()
    # In a checkout this asks git. The answer is kept, so that nothing waits for it on the event loop later.
    await asyncio.to_thread(current_build)
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    gc.set_threshold(*GC_THRESHOLDS)
    writer_gone = asyncio.Event()
    with stop_signal() as stopping:
        health = Health(configure_logs(options.log_form), LatencyHistogram())
        async with serving_admin(address.admin, health), sending_traces(options.traces):
            database = _database(folder, options.database)
            ledger = await stores.open_with_writer_process(database, writer_gone.set)
            repositories, speculate = sql_stores(ledger), switch_optimisations(os.environ)
            try:
                with suppress(Stopped):
                    anchoring = await check_database(folder, database, safeguards, stopping.is_set)
                    await set_clock(ledger, accept_system_time=accept_system_time)
                    seal = await open_seal(
                        ledger, folder / SHOES_KEY, void_unreadable=safeguards.void_unreadable
                    )
                    async with (
                        _anchored(anchoring),
                        connected_bus(options.bus, database) as bus,
                        _started(
                            build_server(
                                repositories, tables, seal, config, speculate, bus, roles=options.roles
                            )
                        ) as server,
                        serving_gateways(server, bus if options.bus else None, options.roles),
                    ):
                        drain = partial(_drain, server, health, options.drain_s)
                        start = partial(_serve, server, stopping, writer_gone, folder, address)
                        await start(on_started, health, drain, options.roles)
            finally:
                health.server = None
                ledger.close()


@asynccontextmanager
async def _anchored(anchoring: Anchoring) -> AsyncIterator[None]:
    """Anchor the journal in the background, and its new entries at the end."""
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


def _limiter(config: ServerConfig, proxies: Sequence[str]) -> ConnectionLimiter:
    """Return a limiter for the number of connections that this process may hold."""
    total = connections_that_fit(raise_limit())
    return ConnectionLimiter(connection_limits(config.connections, total, proxies))


async def _serve(
    server: Server,
    stopping: asyncio.Event,
    writer_gone: asyncio.Event,
    folder: Path,
    address: Address,
    on_started: OnStarted,
    health: Health,
    drain: Drain,
    roles: Collection[NodeRole],
) -> None:
    limiter = _limiter(server.config, address.proxies)
    with socket.create_server((address.host, address.port)) as listening:
        port = listening.getsockname()[1]
        at = f"http://{address.host}:{port}/"
        staff = StaffService(server, address.of_pages(port))
        origins = address.public_origins(port)
        endpoints = _endpoints(server, staff, origins, roles)
        wanted = port + 1 if address.socket_port is None else address.socket_port
        async with (
            socket_server(endpoints, address.host, wanted, limiter) as socket_port,
            serve_admin_socket(folder, staff.execute_admin_command),
        ):
            site = create_site(server, staff, CLIENT, address.public_socket, socket_port, origins)
            site = site if "gateway" in roles else staff_only(site)
            health.mark_ready(server, limiter)
            on_started(Started(at, limiter.limits.total, health.url))
            http = SignalledHttpServer(forwarded(site, address.proxies), listening, limiter, drain)
            gc.freeze()  # what exists now stays until the end
            background = [
                asyncio.create_task(_close_when(stopping, http)),
                asyncio.create_task(_close_when(server.gateway.broken, http)),
                asyncio.create_task(_break_when(writer_gone, server)),
                asyncio.create_task(_collect_garbage(server)),
                asyncio.create_task(_sweep(server.sweep, SWEEP_EVERY_S)),
                asyncio.create_task(_sweep(server.end_idle_sessions, IDLE_EVERY_S)),
                asyncio.create_task(server.outside.run()),
                asyncio.create_task(server.database.run()),
                asyncio.create_task(server.payments.driver.run()),
                asyncio.create_task(server.payments.debts.run()),
                asyncio.create_task(server.offers.run()),
                asyncio.create_task(server.wallet.driver.run()),
                asyncio.create_task(watch_clock(server.gateway)),
                asyncio.create_task(staff.reports.monitor.run()),
            ]
            await http.serve()
            for task in background:
                task.cancel()
    if server.gateway.broken.is_set():
        raise LedgerBroken("a commit failed, so the server stopped; start it again, and run croupier verify")


def _endpoints(
    server: Server, staff: StaffService, origins: PublicOrigins, roles: Collection[NodeRole]
) -> dict[str, SocketEndpoint]:
    """Return the WebSockets by path; that of players is on gateways only."""
    of_players = SocketEndpoint(PLAYER_COOKIE, partial(ClientSession, server), origins.accepts_socket)
    of_staff = SocketEndpoint(STAFF_COOKIE, partial(StaffClientSession, staff), origins.accepts_socket)
    return {**({"/ws": of_players} if "gateway" in roles else {}), "/ws/staff": of_staff}


async def _drain(server: Server, health: Health, longest_s: float) -> None:
    health.phase = "stopping"
    if longest_s:
        await drain_tables(server, longest_s)


async def _close_when(event: asyncio.Event, http: uvicorn.Server) -> None:
    await event.wait()
    http.should_exit = True


async def _break_when(writer_gone: asyncio.Event, server: Server) -> None:
    """Stop when the writer process ends, even if nothing is waiting for a commit."""
    await writer_gone.wait()
    server.gateway.broken.set()


async def _sweep(work: Callable[[], Awaitable[None]], every_s: float) -> None:
    while True:
        await asyncio.sleep(every_s)
        try:
            await work()
        except LedgerBroken:
            return  # the server stops
        except Exception:
            log.exception("a sweep failed; it is tried again")


async def _collect_garbage(server: Server) -> None:
    skipped = 0
    while True:
        await asyncio.sleep(FULL_GC_CHECK_S)
        skipped = skipped + 1 if len(server.players) > FEW_PLAYERS else 0
        if skipped % CHECKS_WITHOUT_FULL_GC_MAX == 0:
            gc.collect()
