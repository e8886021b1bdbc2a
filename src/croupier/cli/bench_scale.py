"""`bench scale`: the players that one server and several nodes carry on this machine."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table as Grid

from croupier.cli.admin import postgresql
from croupier.cli.bench_live import TEMPORARY, report
from croupier.cli.output import DatabaseUrl, JsonFlag, console, print_json, refuse
from croupier.extras import require

if TYPE_CHECKING:
    from croupier.bench.scale import Growth, ScaleSize, ScaleStep, Topology

DATABASE_MARK = "bench"
COLUMNS = "players", "per second", "p50 ms", "p99 ms", "worst ms", "cores", "KiB each", "late ms", "skipped"
LIVE_COLUMNS = "to all p50 ms", "to all p99 ms", "results ms"
LIVE_TABLES = 4


def scale(
    players: Annotated[int, typer.Option(min=1, help="Players of the first step.")] = 250,
    players_max: Annotated[int, typer.Option(min=1, help="Players of the last step.")] = 10_000,
    round_s: Annotated[
        float, typer.Option(min=0.1, help="Seconds from one round of a player to their next.")
    ] = 6.0,
    seconds: Annotated[float, typer.Option(min=1, help="Measured time of each step.")] = 10.0,
    limit_ms: Annotated[
        float, typer.Option(min=1, help="The largest 99th percentile of a command's time that still counts.")
    ] = 50.0,
    database: DatabaseUrl = "",
    bus: Annotated[
        str, typer.Option(metavar="URL", help="A NATS server, nats://HOST:4222: also measure several nodes.")
    ] = "",
    nodes: Annotated[int, typer.Option(min=2, help="The largest number of nodes.")] = 2,
    live: Annotated[
        bool, typer.Option("--live", help="Players at live tables, in place of own tables; see below.")
    ] = False,
    tables: Annotated[int, typer.Option(min=1, help="With --live: the number of live tables.")] = LIVE_TABLES,
    folder: Annotated[
        Path, typer.Option(help="The folder for SQLite, on the disk to test.", exists=True, file_okay=False)
    ] = TEMPORARY,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw a plot, .svg or .png.", dir_okay=False)
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Measure how many players one server carries, and several nodes (Linux only).

    Players at all published own tables begin a round every six seconds and decide at once. Each step has half
    as many players more, until a command's 99th percentile, from the time it was due to its durable
    acknowledgement, exceeds 50 ms. A step that does is repeated once. The table shows commands a second, the
    99th percentile of how late rounds were begun, and rounds skipped since the player's last one wasn't over.

    One server on SQLite is measured. With `--database`, so is one on PostgreSQL; with `--bus` too, two nodes
    and more. Guests and rounds are added to that database, so it must be one for this purpose, with "bench"
    in its name. Servers, databases and players share this machine's processors: several nodes carry more than
    one only if there are processors for them.

    With `--live`, the players sit at live roulette tables and bet in each round. With `--bus`, one gateway
    and one owner of live tables are measured too, and more of both up to `--nodes`; each owner runs its share
    of the tables. The table also shows the time from a line of chat to its receipt by everyone at a table,
    and the median of the time from the first player's result of a round to the last player's.

    `bench live` measures players at one live table with decisions, and compares with other servers.

    Example: `createdb croupier_bench && croupier bench scale --database postgresql://127.0.0.1/croupier_bench
    --bus nats://127.0.0.1:4222 --plot scale.svg`

    Exit 1: a player was cut off, or a command refused.
    """
    if sys.platform != "linux":
        refuse("bench scale needs /proc and epoll, so it runs on Linux only")
    from croupier.bench.machine import machine
    from croupier.bench.process import ProcessFailed
    from croupier.bench.scale import ScaleSize, measure

    if plot:
        _check_plot(plot)
    most = max(players, players_max)
    size = ScaleSize(players, most, round_s, seconds, limit_ms, tables if live else 0)
    topologies = planned_topologies(database, bus, nodes, live=live)
    about = machine(folder, busy=True)
    try:
        with console.status("") as status:
            grown = [
                measure(each, size, folder, lambda doing: report(doing, status.update, json))
                for each in topologies
            ]
    except ProcessFailed as failed:
        refuse(str(failed))
    if plot:
        _draw(grown, plot, live=live)
    (_print_json if json else _show)(about, size, grown)
    raise typer.Exit(1 if any(each.faults for each in grown) else 0)


def planned_topologies(database: str, bus: str, nodes: int, *, live: bool) -> "list[Topology]":
    """Return what is to be measured; exit if it can't be."""
    from croupier.bench.scale import Topology

    url = postgresql(database)
    if bus and not url:
        refuse("--bus needs --database: one server at a time can use an SQLite database")
    if url and DATABASE_MARK not in str(url).rpartition("/")[2]:
        refuse(f'{url}: guests and rounds would be added; name a database with "{DATABASE_MARK}" in its name')
    _require(*(["postgresql"] if url else []), *(["nodes"] if bus else []))
    one = [Topology(1), *([Topology(1, url)] if url else [])]
    if not bus:
        return one
    if live:
        return [*one, *(Topology(number, url, bus, owners=number) for number in range(1, nodes + 1))]
    return [*one, *(Topology(number, url, bus) for number in range(2, nodes + 1))]


def _require(*extras: str) -> None:
    try:
        for extra in extras:
            require(extra)
    except ModuleNotFoundError as missing:
        refuse(str(missing))


def _check_plot(plot: Path) -> None:
    """Exit, before anything is measured, if the plot couldn't be drawn."""
    if plot.suffix not in (".svg", ".png"):
        refuse(f"--plot {plot}: write a file name that ends in .svg or .png")
    _require("maths")


def _draw(grown: "Sequence[Growth]", plot: Path, *, live: bool) -> None:
    from croupier.bench.growth_plot import draw_growth

    draw_growth(grown, plot, at="live tables" if live else "own tables")
    typer.echo(f"plot: {plot}", err=True)


def _print_json(about: object, size: "ScaleSize", grown: "Sequence[Growth]") -> None:
    carried = {each.topology: each.carried.players if each.carried else 0 for each in grown}
    topologies = msgspec.to_builtins(grown)
    print_json({"machine": about, "size": size._asdict(), "carried": carried, "topologies": topologies})


def _show(about: "dict[str, object]", size: "ScaleSize", grown: "Sequence[Growth]") -> None:
    console.print(", ".join(f"{name} {value}" for name, value in about.items()))
    for each in grown:
        console.print(_grid(each, live=bool(size.live_tables)))
        for fault in each.faults:
            console.print(f"[red]{escape(fault)}[/]")
    for each in grown:
        console.print(f"{each.topology}: {_carried(each.carried, size)}")


def _carried(step: "ScaleStep | None", size: "ScaleSize") -> str:
    limit = f"p99 within {size.limit_ms:g} ms"
    if step is None:
        return f"not even {size.players_first:,} players with a {limit}"
    return f"{step.players:,} players, {step.commands_per_s:,.0f} commands a second, with a {limit}"


def _grid(growth: "Growth", *, live: bool) -> Grid:
    columns = (*COLUMNS, *LIVE_COLUMNS) if live else COLUMNS
    grid = Grid(*columns, title=growth.topology, title_justify="left", box=SIMPLE_HEAD)
    for column in grid.columns:
        column.justify = "right"
    for step in growth.steps:
        times = step.commands
        grid.add_row(
            f"{step.players:,}",
            f"{step.commands_per_s:,.0f}",
            *(f"{ms:.1f}" for ms in (times.p50, times.p99, times.max)),
            f"{step.cpu_cores:.2f}",
            f"{step.memory_kib_each:.1f}",
            f"{step.late.p99:.1f}",
            f"{step.skipped:,}",
            *(f"{ms:.1f}" for ms in (step.to_all.p50, step.to_all.p99, step.results.p50) if live),
        )
    return grid
