"""`serve`, `tables` and `rules`: run the server, and show its tables."""

import asyncio
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from croupier.cli.output import (
    DATA,
    Data,
    JsonFlag,
    TablesFile,
    console,
    grid,
    one_table,
    print_json,
    read_file,
    refuse,
    server_tables,
)
from croupier.cli.problems import report_problems
from croupier.play.contract.amounts import CURRENCIES, PLAY_MONEY
from croupier.play.contract.game import Table
from croupier.play.tables.wagering import contribution_minor
from croupier.tables.limits import in_currencies

if TYPE_CHECKING:
    from croupier.audit.anchoring.targets import Target
    from croupier.config import ServerConfig
    from croupier.gateway.origins import Origin


PORT_MAX = 65_535
WIDE, FITS_LIMITS = 140, 110
"""Minimum terminal widths for listing titles, and for limits on one line."""


FEW_CONNECTIONS = 5_000
"""Below this, the server prints how to allow more."""


class SocketLibrary(StrEnum):
    picows = "picows"
    websockets = "websockets"


FloorFile = Annotated[
    Path | None,
    typer.Option("--floor", help="The server configuration file (TOML); see above."),
]


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
    socket: Annotated[SocketLibrary, typer.Option(help="The WebSocket library.")] = SocketLibrary.picows,
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
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            help="The address or network of a proxy whose X-Forwarded-* headers are trusted. May be repeated."
        ),
    ] = None,
    data: Data = DATA,
    tables: TablesFile = None,
    floor: FloorFile = None,
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
    json: JsonFlag = False,
) -> None:
    """Start the server: pages, tables and database, until Ctrl-C.

    All data is in the data folder, in SQLite. You may kill the server at any time: hands at own tables
    continue after a restart, and a live round in play is void, with every stake returned.

    The server configuration file (`--floor`) has a block for each live table, and blocks for absent players,
    players' limits, currencies, the jurisdiction and rate limits. All are optional:

        [infinite]
        dealer = "person"    # or "automatic"
        opened = false       # the shift manager opens it
        chat = false
        seats_each = 1       # where there are seats
        betting_ms = 20000   # and warning_ms, offer_ms, decision_ms,
        pace_ms = 500        # pause_ms, check_ms, spin_ms, roll_ms, ball_ms

        [house]
        idle_minutes = 30    # then a session ends
        resume_hours = 24    # of a round that isn't finished; after that
        unfinished = "play"  # or "refund"
        unused_guest_days = 7    # then guests who never played are deleted

        [care]
        cooling_off_hours = 24
        time_out_days = [1, 7, 30]
        exclusion_days = [180, 365, 1825]    # and for good

        [currencies]         # offered by the server, with the play money of a new guest
        GC = "5000000"
        EUR = "1000"

        [profile]
        like = "one_table"   # all, no_statistics, one_table, slow_rounds,
        results = false      # always_reminded, strictest

        [rate_limits]
        guests_per_hour = 60       # from one address; 0: no limit

    docs/guide/live-tables.md and running-a-server.md explain every field.

    The server's clock ignores steps of the system clock, so that no player's limit or break ends early; it
    logs them. If the system clock is right, start once with `--accept-system-time`.

    The journal is anchored: its last hash is signed and sent to every `--anchor`, such as a file on another
    machine, `syslog://host`, or `https://host/path`. `croupier verify --anchor FILE` detects later changes.
    `croupier anchor-key` prints the public key for it.

    Example: `croupier serve --port 8000 --tables my-tables.toml --floor floor.toml`
    """
    from croupier.app.serve import Address, serve
    from croupier.audit.startup import Safeguards

    if port == PORT_MAX and socket_port is None:
        refuse(f"--socket-port would be above {PORT_MAX}; choose another --port or --socket-port")
    all_tables = server_tables(tables)
    origins, proxies = _origins(public_origin or (), public_socket), _proxies(proxy or ())
    address = Address(host, port, socket_port, socket.value, public_socket, origins, proxies)
    on_started, config = _print_started_json if json else _print_started, _server_config(floor, all_tables)
    _offered_tables(all_tables, config.currencies)
    with report_problems(data):
        guards = Safeguards(_anchor_targets(anchor or ()), anchor_seconds, anchor_key, void_unreadable)
        at = partial(serve, data, all_tables, address, on_started, config)
        _listen(at(accept_system_time=accept_system_time, safeguards=guards))
    typer.echo("The server has stopped. Hands at own tables are kept; live rounds in play are void.")


def _origins(origins: Iterable[str], socket: str) -> "frozenset[Origin]":
    """Parse the public origins; exit at the first that is malformed."""
    from croupier.gateway.origins import origin_of_socket, read_origin

    if socket and not origin_of_socket(socket):
        refuse(f"--public-socket {socket}: write wss://HOST/ws, or ws://HOST:PORT/ws")
    return frozenset(
        read_origin(text) or refuse(f"--public-origin {text}: write https://HOST or http://HOST:PORT")
        for text in origins
    )


def _proxies(proxies: Iterable[str]) -> tuple[str, ...]:
    """Check the proxies' addresses and networks; exit at the first that is neither."""
    from ipaddress import ip_network

    for proxy in proxies:
        try:
            ip_network(proxy)
        except ValueError as error:
            refuse(f"--proxy: {error}; write an address such as 127.0.0.1, or a network such as 10.0.0.0/8")
    return tuple(proxies)


def _server_config(file: Path | None, all_tables: Mapping[str, Table]) -> "ServerConfig":
    """Read the server configuration; exit if the file is wrong."""
    from croupier.config import DEFAULT_CONFIG, read_config

    return (
        DEFAULT_CONFIG
        if file is None
        else read_file(file, lambda text: read_config(text, all_tables, str(file)))
    )


def _offered_tables(all_tables: Mapping[str, Table], currencies: Collection[str]) -> Mapping[str, Table]:
    """Return the tables that accept one of these currencies; print which don't."""
    found = in_currencies(all_tables, currencies)
    if left_out := all_tables.keys() - found.keys():
        codes, names = ", ".join(currencies), ", ".join(sorted(left_out))
        typer.echo(f"Not opened, because they accept none of {codes}: {names}", err=True)
    return found


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
        refuse(f"{error.strerror or error}; choose another with --port, --socket-port or --host")


def _run(coroutine: object) -> None:
    try:
        import uvloop
    except ImportError:  # not available on Windows
        asyncio.run(coroutine)  # type: ignore[arg-type]
    else:
        uvloop.run(coroutine)  # type: ignore[arg-type]


def _print_started(address: str, connections: int) -> None:
    lines = [
        f"The server is running at {address}  (Ctrl-C stops it)",
        f"It accepts {connections:,} connections; each player's open page uses one.",
    ]
    if connections < FEW_CONNECTIONS:
        lines.append("For more, raise the limit on open files (ulimit -n, or systemd's LimitNOFILE).")
    typer.echo("\n".join(lines))


def _print_started_json(address: str, connections: int) -> None:
    typer.echo(msgspec.json.encode({"address": address, "connections": connections}).decode())


def tables(tables: TablesFile = None, floor: FloorFile = None, json: JsonFlag = False) -> None:
    """List the tables with their limits, wagering classes and published returns.

    With `--floor`, limits are in the currencies of that server.
    """
    all_tables = server_tables(tables)
    currencies = _server_config(floor, all_tables).currencies if floor else PLAY_MONEY
    found = _offered_tables(all_tables, currencies).values()
    if json:
        print_json([_record(table) for table in found])
        return
    wide = console.width >= WIDE
    shown = grid("table", *(("title",) if wide else ()), "dealt", "wagering", "limits")
    for column in shown.columns[:-1]:
        column.no_wrap = True
    for table in found:
        shown.add_row(f"[bold]{table.id}[/]", *((table.title,) if wide else ()), *_about(table))
    console.print(shown)
    for table in found:
        for figure in table.published:
            console.print(f"{table.id}: published {figure.percent} % of {table.labels[figure.bet]}")


def _about(table: Table) -> Iterator[str]:
    boxes = table.game.boxes(table.rules)
    yield table.dealing + (f", {boxes} boxes" if boxes > 1 else "")
    yield f"{contribution_minor(table.wagering, 100)} %"
    yield (", " if console.width >= FITS_LIMITS else "\n").join(_limits(table))


def _limits(table: Table) -> Iterator[str]:
    """Yield the range of each currency."""
    for code in table.limits:
        text, span = CURRENCIES[code].text, table.main_limits(code)
        yield f"{code} {text(span.min_minor)}-{text(span.max_minor)}"


def _record(table: Table) -> dict[str, object]:
    return {
        "table": table.id,
        "title": table.title,
        "game": table.game.name,
        "dealing": table.dealing,
        "multi_play": table.multi_play,
        "span": {code: msgspec.to_builtins(table.main_limits(code)) for code in table.limits},
        "limits": msgspec.to_builtins(table.limits),
        "side_limits": msgspec.to_builtins(table.side_limits),
        "kind_limits": msgspec.to_builtins(table.kind_limits),
        "table_limits": msgspec.to_builtins(table.table_limits),
        "restrictions": table.restrictions._asdict(),
        "wagering": {"class": table.wagering, "percent": contribution_minor(table.wagering, 100)},
        "rules": msgspec.to_builtins(table.rules),
        "published": msgspec.to_builtins(table.published),
        "source": table.source,
    }


def rules(
    table: Annotated[str, typer.Argument(help="The table's name, as `croupier tables` lists it.")],
    tables: TablesFile = None,
    json: JsonFlag = False,
) -> None:
    """Print a table's rules, generated from the record that the game itself uses.

    Example: `croupier rules infinite`
    """
    from rich.markdown import Markdown

    from croupier.gateway.pages.rules import markdown

    found = one_table(table, tables)
    if json:
        print_json(_record(found) | {"page": markdown(found)})
    else:
        console.print(Markdown(markdown(found)))
