"""`serve`: run the server."""

import asyncio
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import msgspec
import typer

from croupier.cli.admin import postgresql
from croupier.cli.bus import BusCa, BusCredentials, BusFlags, ClusterKey, InsecureBus, bus_options
from croupier.cli.configuration import (
    ConfigFile,
    offered_tables,
    read_server_config,
    read_server_currencies,
)
from croupier.cli.output import (
    DATA,
    Data,
    DatabaseUrl,
    JsonFlag,
    TablesFile,
    refuse,
    server_tables,
)
from croupier.cli.own_tables import check_own_tables
from croupier.cli.problems import report_problems
from croupier.extras import require
from croupier.garbage import no_collection

if TYPE_CHECKING:
    from croupier.app.serve import Started
    from croupier.app.tracing.target import TraceTarget
    from croupier.audit.anchoring.targets import Target
    from croupier.cluster.roles import NodeRole
    from croupier.config import ServerConfig
    from croupier.gateway.origins import Origin


PORT_MAX = 65_535
FEW_CONNECTIONS = 5_000
"""Below this, the server prints how to allow more."""


class LogFormat(StrEnum):
    text = "text"
    json = "json"


Anchors = Annotated[
    list[str] | None,
    typer.Option("--anchor", help="Where to anchor the journal. May be repeated."),
]
AnchorKey = Annotated[
    Path | None,
    typer.Option("--anchor-key", help="The file of the key for anchors.  [default: anchor.key in the data]"),
]


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=PORT_MAX, help="The pages' port; 0 for any that is free.")
    ] = 8000,
    socket_port: Annotated[
        int | None, typer.Option(min=0, max=PORT_MAX, help="The WebSocket's port.  [default: the next port]")
    ] = None,
    public_socket: Annotated[
        str, typer.Option(help="The WebSocket URL for browsers, if a proxy serves both ports.")
    ] = "",
    public_origin: Annotated[
        list[str] | None,
        typer.Option(
            help="An origin that browsers load the pages from, such as https://tables.example, if it is"
            " neither --port on the host they request nor the host of --public-socket. May be repeated."
        ),
    ] = None,
    admin_port: Annotated[
        int | None,
        typer.Option(min=0, max=PORT_MAX, help="The port of /livez, /readyz and /metrics.  [default: none]"),
    ] = None,
    admin_host: Annotated[
        str, typer.Option(help="The address that the admin port listens on; it has no sign-in.")
    ] = "127.0.0.1",
    drain_seconds: Annotated[
        int,
        typer.Option(
            min=0, max=3600, help="On SIGTERM and Ctrl-C, let live tables finish their rounds for so long."
        ),
    ] = 0,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            help="The address or network of a proxy whose X-Forwarded-* headers are trusted. May be repeated."
        ),
    ] = None,
    data: Data = DATA,
    database: DatabaseUrl = "",
    bus: Annotated[
        str,
        typer.Option(
            metavar="URL",
            envvar="CROUPIER_BUS",
            help="The NATS server of several servers on one database: tls://USER:PASSWORD@HOST:4222.",
        ),
    ] = "",
    bus_credentials: BusCredentials = None,
    bus_ca: BusCa = None,
    cluster_key: ClusterKey = None,
    insecure_bus: InsecureBus = False,
    roles: Annotated[
        str,
        typer.Option(
            metavar="ROLES",
            help="With --bus: gateway, which holds players' connections; tables, which runs live tables; or"
            " both.  [default: gateway,tables]",
        ),
    ] = "",
    tables: TablesFile = None,
    config: ConfigFile = None,
    media: Annotated[
        str,
        typer.Option(
            envvar="CROUPIER_MEDIA",
            help="The media server of the dealers' cameras, such as janus://127.0.0.1:8188.",
        ),
    ] = "",
    accept_system_time: Annotated[
        bool,
        typer.Option("--accept-system-time", help="Set the server's clock to the system clock; see below."),
    ] = False,
    anchor: Anchors = None,
    anchor_seconds: Annotated[
        int, typer.Option(min=1, max=86_400, help="Seconds between anchors, while the journal grows.")
    ] = 60,
    anchor_key: AnchorKey = None,
    void_unreadable: Annotated[
        bool,
        typer.Option(
            "--void-unreadable", help="Void open rounds that shoes.key can't decrypt; the journal records it."
        ),
    ] = False,
    log_format: Annotated[
        LogFormat, typer.Option(help="The form of the log on stderr; json: one object a line.")
    ] = LogFormat.text,
    traces: Annotated[
        str, typer.Option(help="The collector to send traces to, as http://HOST:4318/v1/traces (OTLP).")
    ] = "",
    trace_ratio: Annotated[
        float, typer.Option(min=0, max=1, help="The share of traces that are recorded.")
    ] = 1.0,
    json: JsonFlag = False,
) -> None:
    """Start the server: pages, tables and database, until Ctrl-C.

    All data is in the data folder, in SQLite; or in PostgreSQL, where `--database` or CROUPIER_DATABASE names
    a database, and only keys and anchors are in the folder. You may kill the server at any time: hands at own
    tables continue after a restart, and a live round in play is void, with every stake returned.

    The server configuration file (`--config`) has a block for each live table, and blocks for absent players,
    players' limits, currencies, the jurisdiction and rate limits. All are optional:

        [infinite]
        dealer = "person"    # or "automatic"
        opened = false       # the shift manager opens it
        chat = false
        seats_each = 1       # where there are seats
        betting_ms = 20000   # and warning_ms, offer_ms, decision_ms,
        pace_ms = 500        # pause_ms, check_ms, spin_ms, roll_ms, ball_ms

        [server]
        idle_minutes = 30    # then a session ends
        resume_hours = 24    # of a round that isn't finished; after that
        unfinished = "play"  # or "refund"
        unused_guest_days = 7    # then guests who never played are deleted

        [responsible_gaming]
        cooling_off_hours = 24
        time_out_days = [1, 7, 30]
        exclusion_days = [180, 365, 1825]    # and for good

        [currencies.EUR]     # a block for each currency of the server
        name = "Euro"
        decimals = 2
        symbol = "€"
        play_money = true
        grant = "1000.00"    # of a new guest: a decimal point, and no grouping

        [profile]
        like = "one_table"   # all, no_statistics, one_table, slow_rounds,
        results = false      # always_reminded, strictest

        [rate_limits]
        guests_per_hour = 60       # from one address; 0: no limit

    docs/operations/configure.md and the pages that it names explain every field.

    The server's clock ignores steps of the system clock, so that no player's limit or break ends early; it
    logs them. If the system clock is right, start once with `--accept-system-time`.

    With `--bus`, several servers share a PostgreSQL database: each takes over the live tables of one that
    fails, and players of any of them play at all tables. All need the same shoes.key, configuration and key
    of the cluster (`--cluster-key`, or CROUPIER_CLUSTER_KEY with the key itself), which seals their messages.
    With `--roles gateway` a server runs no live tables; with `--roles tables` it has no players' connections.

    The journal is anchored: its last hash is signed and sent to every `--anchor`, such as a file on another
    machine, `syslog://host`, or `https://host/path`. `croupier verify --anchor FILE` detects later changes.
    `croupier anchor-key` prints the public key for it.

    With `--admin-port 9464`, supervisors and Prometheus find `/livez`, `/readyz` and `/metrics` there. With
    `--drain-seconds 120`, live tables finish their rounds before the server stops. `--traces URL` sends spans
    of requests, commands, commits and rounds to a collector.

    With `--media janus://127.0.0.1:8188`, dealers may be on camera; docs/guide/dealer-video.md says more.

    Example: `croupier serve --port 8000 --tables my-tables.toml --config croupier.toml`
    """
    with no_collection():  # which would take a sixth of the time of these imports
        from croupier.app.operations.admin_site import AdminAddress
        from croupier.app.serve import Address, RunOptions, serve
        from croupier.audit.startup import Safeguards

    if port == PORT_MAX and socket_port is None:
        refuse(f"--socket-port would be above {PORT_MAX}; choose another --port or --socket-port")
    currencies = read_server_currencies(config)
    all_tables = server_tables(tables, currencies)
    origins, proxies = _origins(public_origin or (), public_socket), _proxies(proxy or ())
    admin = None if admin_port is None else AdminAddress(admin_host, admin_port)
    address = Address(host, port, socket_port, public_socket, origins, proxies, admin)
    settings = _with_media(read_server_config(config, all_tables), media)
    on_started = _print_started_json if json else _print_started
    check_own_tables(tables, offered_tables(all_tables, currencies))
    with report_problems(data):
        guards = Safeguards(_anchor_targets(anchor or ()), anchor_seconds, anchor_key, void_unreadable)
        at = partial(serve, data, all_tables, address, on_started, settings)
        spans, url = _trace_target(traces, trace_ratio), postgresql(database)
        chosen = BusFlags(bus, bus_credentials, bus_ca, cluster_key, insecure_bus)
        secured = bus_options(chosen, several=url is not None)
        options = RunOptions(log_format.value, drain_seconds, spans, url, secured, _roles(roles, bus))
        _listen(at(accept_system_time=accept_system_time, safeguards=guards, options=options))
    typer.echo("The server has stopped. Hands at own tables are kept; live rounds still in play are void.")


def _origins(origins: Iterable[str], socket: str) -> "frozenset[Origin]":
    """Parse the public origins; exit at the first that is malformed."""
    from croupier.gateway.origins import origin_of_socket, read_origin

    if socket and not origin_of_socket(socket):
        refuse(f"--public-socket {socket}: write wss://HOST/ws, or ws://HOST:PORT/ws")
    return frozenset(
        read_origin(text) or refuse(f"--public-origin {text}: write https://HOST or http://HOST:PORT")
        for text in origins
    )


def _with_media(config: "ServerConfig", url: str) -> "ServerConfig":
    """Return the configuration with the media server at `url`, if one is given; exit at a wrong address."""
    from croupier.config.media import media_at
    from croupier.play.tables.toml_blocks import InvalidField

    try:
        return config._replace(media=media_at(url, config.media)) if url else config
    except InvalidField as error:
        refuse(f"--media: {error}")


def _proxies(proxies: Iterable[str]) -> tuple[str, ...]:
    """Check the proxies' addresses and networks; exit at the first that is neither."""
    from ipaddress import ip_network

    for proxy in proxies:
        try:
            ip_network(proxy)
        except ValueError as error:
            refuse(f"--proxy: {error}; write an address such as 127.0.0.1, or a network such as 10.0.0.0/8")
    return tuple(proxies)


def _trace_target(url: str, ratio: float) -> "TraceTarget | None":
    """Return where traces go; exit if the address is malformed or the extra is missing."""
    from croupier.app.tracing.target import TraceTarget

    if not url:
        return None
    address = urlsplit(url)
    if address.scheme not in ("http", "https") or not address.hostname:
        refuse(f"--traces {url}: write http://HOST:4318/v1/traces, or https://")
    try:
        require("tracing")
    except ModuleNotFoundError as missing:
        refuse(f"--traces: {missing}")
    return TraceTarget(url, ratio)


def _roles(text: str, bus: str) -> "frozenset[NodeRole]":
    """Parse the roles of this node; exit at one that there isn't."""
    from croupier.cluster.roles import BOTH_ROLES

    known = {str(role): role for role in BOTH_ROLES}
    chosen = frozenset(known.get(name) or refuse(f"--roles: no role {name!r}") for name in _names(text))
    if chosen and not bus:
        refuse("--roles needs --bus: a server by itself has both roles")
    return chosen or BOTH_ROLES


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")] if text else []


def _anchor_targets(names: Sequence[str]) -> "dict[str, Target]":
    """Return the targets of anchors; exit at a wrong name."""
    from croupier.audit.anchoring.targets import target_of

    try:
        return {name: target_of(name) for name in names}
    except ValueError as error:
        refuse(f"--anchor: {error}")


def _listen(coroutine: object) -> None:
    try:
        _run(coroutine)
    except OSError as error:
        if error.filename:
            raise
        ports = "--port, --socket-port, --admin-port"
        refuse(f"{error.strerror or error}; choose another with {ports} or --host")


def _run(coroutine: object) -> None:
    try:
        import uvloop
    except ImportError:  # not available on Windows
        asyncio.run(coroutine)  # type: ignore[arg-type]
    else:
        uvloop.run(coroutine)  # type: ignore[arg-type]


def _print_started(started: "Started") -> None:
    lines = [
        f"The server is running at {started.address}  (Ctrl-C stops it)",
        f"It accepts {started.connections:,} connections; each player's open page uses one.",
    ]
    if started.admin:
        lines.append(f"Its metrics are at {started.admin}metrics")
    if started.connections < FEW_CONNECTIONS:
        lines.append("For more, raise the limit on open files (ulimit -n, or systemd's LimitNOFILE).")
    typer.echo("\n".join(lines))


def _print_started_json(started: "Started") -> None:
    typer.echo(msgspec.json.encode(started._asdict()).decode())
