"""`serve`, `tables`, `rules`: the house and what stands in it."""

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
"""Columns of a terminal from which a list of tables has room for their titles, and for limits in one line."""


FEW_CONNECTIONS = 5_000
"""With fewer, the operator is told how to have more."""


class SocketLibrary(StrEnum):
    picows = "picows"
    websockets = "websockets"


FloorFile = Annotated[
    Path | None,
    typer.Option("--floor", help="A TOML file with the settings of live tables and server; see above."),
]


Anchors = Annotated[
    list[str] | None,
    typer.Option("--anchor", help="Where the journal is anchored; more than once for more places."),
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
        int | None, typer.Option(min=0, max=PORT_MAX, help="The WebSocket's port.  [default: the next]")
    ] = None,
    socket: Annotated[SocketLibrary, typer.Option(help="The WebSocket library.")] = SocketLibrary.picows,
    public_socket: Annotated[
        str, typer.Option(help="The WebSocket's address for browsers, where a proxy joins both ports.")
    ] = "",
    public_origin: Annotated[
        list[str] | None,
        typer.Option(
            help="Where browsers find the pages, if not at --port of the host they name and not at the host"
            " of --public-socket: https://tables.example. May be repeated."
        ),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            help="A proxy whose X-Forwarded-* headers count: its address or network. May be repeated."
        ),
    ] = None,
    data: Data = DATA,
    tables: TablesFile = None,
    floor: FloorFile = None,
    accept_system_time: Annotated[
        bool,
        typer.Option("--accept-system-time", help="Set the server's clock by the system clock; see below."),
    ] = False,
    anchor: Anchors = None,
    anchor_seconds: Annotated[
        int, typer.Option(min=1, max=86_400, help="Seconds between anchors, while the journal grows.")
    ] = 60,
    anchor_key: AnchorKey = None,
    void_unreadable: Annotated[
        bool,
        typer.Option(
            "--void-unreadable", help="Void open rounds that shoes.key doesn't open; the journal says so."
        ),
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Start the server: pages, tables and database, until Ctrl-C.

    Everything is kept in the data folder, in SQLite. You may kill the server at any time: hands at own tables
    continue after a restart, and a live round in play is void, with every stake returned.

    A floor file has a block for each live table, and one each for absent players, players' own limits,
    currencies, rate limits, and what the jurisdiction allows. All are optional:

        [infinite]
        dealer = "person"    # or "automatic"
        opened = false       # the shift manager opens it
        chat = false
        seats_each = 1       # where there are seats
        betting_ms = 20000   # and warning_ms, insurance_ms, decision_ms,
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

        [currencies]         # that the server has, and the play money a guest starts with
        GC = "5000000"
        EUR = "1000"

        [profile]
        like = "one_table"   # all, no_statistics, one_table, slow_rounds,
        results = false      # always_reminded, strictest

        [rate_limits]
        guests_per_hour = 60       # from one address; 0: no limit

    docs/guide/live-tables.md and running-a-server.md explain every field.

    The server's clock doesn't follow a step of the system clock, so that no limit or break of a player's ends
    early; it logs the step. Where the system clock is right, start once with `--accept-system-time`.

    The journal is anchored: what it ends with is signed and sent to every `--anchor`, such as a file on
    another machine, `syslog://host`, or `https://host/path`. `croupier verify --anchor FILE` finds what was
    changed since. `croupier anchor-key` prints the public key for it.

    Example: `croupier serve --port 8000 --tables my-tables.toml --floor floor.toml`
    """
    from croupier.app.serve import Address, serve
    from croupier.audit.startup import Safeguards

    if port == PORT_MAX and socket_port is None:
        refuse(f"no port comes after {PORT_MAX}; choose another with --port or --socket-port")
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
    """The public origins; the first that is malformed ends the command."""
    from croupier.gateway.origins import origin_of_socket, read_origin

    if socket and not origin_of_socket(socket):
        refuse(f"--public-socket {socket}: write wss://HOST/ws, or ws://HOST:PORT/ws")
    return frozenset(
        read_origin(text) or refuse(f"--public-origin {text}: write https://HOST or http://HOST:PORT")
        for text in origins
    )


def _proxies(proxies: Iterable[str]) -> tuple[str, ...]:
    """The proxies' addresses and networks; the first that is neither ends the command."""
    from ipaddress import ip_network

    for proxy in proxies:
        try:
            ip_network(proxy)
        except ValueError as error:
            refuse(f"--proxy: {error}; write an address such as 127.0.0.1, or a network such as 10.0.0.0/8")
    return tuple(proxies)


def _server_config(file: Path | None, all_tables: Mapping[str, Table]) -> "ServerConfig":
    """The floor of the house; a wrong file ends the command."""
    from croupier.config import DEFAULT_CONFIG, read_config

    return (
        DEFAULT_CONFIG
        if file is None
        else read_file(file, lambda text: read_config(text, all_tables, str(file)))
    )


def _offered_tables(all_tables: Mapping[str, Table], currencies: Collection[str]) -> Mapping[str, Table]:
    """Return the tables that a server with these currencies opens; say which it doesn't."""
    found = in_currencies(all_tables, currencies)
    if left_out := all_tables.keys() - found.keys():
        codes = ", ".join(currencies)
        typer.echo(f"Left out, because they take none of {codes}: {', '.join(sorted(left_out))}", err=True)
    return found


def _anchor_targets(names: Sequence[str]) -> "dict[str, Target]":
    """Return the targets of anchors; a wrong name ends the command."""
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
    except ImportError:  # Windows has none
        asyncio.run(coroutine)  # type: ignore[arg-type]
    else:
        uvloop.run(coroutine)  # type: ignore[arg-type]


def _print_started(address: str, connections: int) -> None:
    lines = [
        f"The server is running at {address}  (Ctrl-C stops it)",
        f"It has room for {connections:,} connections; each player's page holds one open.",
    ]
    if connections < FEW_CONNECTIONS:
        lines.append("For more, raise the limit on open files (ulimit -n, or systemd's LimitNOFILE).")
    typer.echo("\n".join(lines))


def _print_started_json(address: str, connections: int) -> None:
    typer.echo(msgspec.json.encode({"address": address, "connections": connections}).decode())


def tables(tables: TablesFile = None, floor: FloorFile = None, json: JsonFlag = False) -> None:
    """List the tables with their limits, wagering classes and published returns.

    With `--floor`, in the currencies that the server has then.
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
    """One range for each currency."""
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
    """Print a table's rules, made from the same record that deals its cards.

    Example: `croupier rules infinite`
    """
    from rich.markdown import Markdown

    from croupier.gateway.pages.rules import markdown

    found = one_table(table, tables)
    if json:
        print_json(_record(found) | {"page": markdown(found)})
    else:
        console.print(Markdown(markdown(found)))
