"""`bench live`: the capacity of a live table on this machine."""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table as Grid

from croupier.cli.output import JsonFlag, console, print_json, refuse

if TYPE_CHECKING:
    from croupier.bench.figures import Figure
    from croupier.bench.run import LiveBenchResult

TEMPORARY = Path(tempfile.gettempdir())


def live(
    players: Annotated[int, typer.Option(min=1, help="Players at the table.")] = 10_000,
    rate: Annotated[int, typer.Option(min=1, help="Bets, and decisions, per second.")] = 2_000,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds to play.")] = 3,
    crowded: Annotated[
        int, typer.Option(min=0, help="Players connected at the end, if the limit on open files allows.")
    ] = 20_000,
    peers: Annotated[
        bool, typer.Option(help="Also measure other servers, which are installed into the user's cache.")
    ] = True,
    folder: Annotated[
        Path,
        typer.Option(help="The folder for the database, on the disk to test.", exists=True, file_okay=False),
    ] = TEMPORARY,
    busy: Annotated[
        bool, typer.Option("--busy", help="The machine is busy with other work; don't raise priority.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Start a real server, fill its Infinite table, and measure bets, decisions and results (Linux only).

    Each figure is printed with its target for an idle machine with two cores, and with what Node `ws`,
    Colyseus, Starlette and bare sockets (the lower bound) achieve with echoes and broadcasts. Takes about
    four minutes.

    Exit 1: a target was missed, or something was lost, refused or wrong.
    """
    if sys.platform != "linux":
        refuse("bench live needs /proc and epoll, so it runs on Linux only")
    from croupier.bench.figures import faults, figures
    from croupier.bench.machine import machine
    from croupier.bench.process import ProcessFailed
    from croupier.bench.run import LoadSize, run

    about = machine(folder, busy=busy)
    try:
        with console.status("") as status:
            size = LoadSize(players, rate, rounds, crowded, busy=busy)
            ran = run(size, folder, lambda doing: _say(doing, status.update, json), with_peers=peers)
    except ProcessFailed as failed:
        refuse(str(failed))
    found, wrong = figures(ran.found, ran.peers), faults(ran.found)
    (_json if json else _show)(about, found, wrong, ran)
    raise typer.Exit(1 if wrong or any(figure.reached is False for figure in found) else 0)


def _say(doing: str, update: Any, json: bool) -> None:
    if json or not console.is_terminal:
        typer.echo(doing, err=True)
    else:
        update(escape(doing))


def _json(about: Any, found: "Sequence[Figure]", wrong: Sequence[str], ran: "LiveBenchResult") -> None:
    told = [msgspec.to_builtins(figure) | {"reached": figure.reached} for figure in found]
    print_json({"machine": about, "figures": told, "faults": wrong, **ran._asdict()})


def _show(about: Any, found: "Sequence[Figure]", wrong: Sequence[str], ran: "LiveBenchResult") -> None:
    console.print(", ".join(f"{name} {value}" for name, value in about.items()))
    console.print(_grid(found))
    if ran.peers:
        console.print(_beside(found, tuple(ran.peers)))
    for name, why in ran.missing.items():
        console.print(f"{name} wasn't measured: {escape(why)}")
    for fault in wrong:
        console.print(f"[red]{escape(fault)}[/]")


def _grid(found: "Sequence[Figure]") -> Grid:
    grid = Grid("work", "measured", "to reach", "reached", box=SIMPLE_HEAD)
    for figure in found:
        sign = "≤" if figure.most else "≥"
        reach = "" if figure.reach is None else f"{sign} {_number(figure.reach)}"
        reached = {True: "[green]yes[/]", False: "[red]no[/]", None: ""}[figure.reached]
        grid.add_row(figure.work, f"{_number(figure.measured)} {figure.unit}", reach, reached)
    return grid


def _beside(found: "Sequence[Figure]", peers: Sequence[str]) -> Grid:
    """Compare with the peers: an echo stands for a bet, a broadcast for a line of chat."""
    grid = Grid("comparable work", "croupier", *peers, box=SIMPLE_HEAD)
    for figure in found:
        if figure.peers:
            theirs = [_number(figure.peers[name]) for name in peers]
            grid.add_row(f"{figure.work}, {figure.unit}", _number(figure.measured), *theirs)
    return grid


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
