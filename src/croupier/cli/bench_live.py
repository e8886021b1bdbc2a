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
    players_max: Annotated[
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
            size = LoadSize(players, rate, rounds, players_max, busy=busy)
            ran = run(size, folder, lambda doing: report(doing, status.update, json), with_peers=peers)
    except ProcessFailed as failed:
        refuse(str(failed))
    measured, wrong = figures(ran.results, ran.peers), faults(ran.results)
    (_json if json else _show)(about, measured, wrong, ran)
    raise typer.Exit(1 if wrong or any(figure.met is False for figure in measured) else 0)


def report(doing: str, update: Any, json: bool) -> None:
    """Show the current step: in the status line of a terminal, else as a line on stderr."""
    if json or not console.is_terminal:
        typer.echo(doing, err=True)
    else:
        update(escape(doing))


def _json(about: Any, measured: "Sequence[Figure]", wrong: Sequence[str], ran: "LiveBenchResult") -> None:
    records = [msgspec.to_builtins(figure) | {"met": figure.met} for figure in measured]
    print_json({"machine": about, "figures": records, "faults": wrong, **ran._asdict()})


def _show(about: Any, measured: "Sequence[Figure]", wrong: Sequence[str], ran: "LiveBenchResult") -> None:
    console.print(", ".join(f"{name} {value}" for name, value in about.items()))
    console.print(_grid(measured))
    if ran.peers:
        console.print(_comparison(measured, tuple(ran.peers)))
    for name, why in ran.missing.items():
        console.print(f"{name} wasn't measured: {escape(why)}")
    for fault in wrong:
        console.print(f"[red]{escape(fault)}[/]")


def _grid(measured: "Sequence[Figure]") -> Grid:
    grid = Grid("work", "measured", "target", "met", box=SIMPLE_HEAD)
    for figure in measured:
        sign = "≤" if figure.lower_is_better else "≥"
        target = "" if figure.target is None else f"{sign} {_number(figure.target)}"
        met = {True: "[green]yes[/]", False: "[red]no[/]", None: ""}[figure.met]
        grid.add_row(figure.work, f"{_number(figure.measured)} {figure.unit}", target, met)
    return grid


def _comparison(measured: "Sequence[Figure]", peers: Sequence[str]) -> Grid:
    """Compare with the peers: an echo stands for a bet, a broadcast for a line of chat."""
    grid = Grid("comparable work", "croupier", *peers, box=SIMPLE_HEAD)
    for figure in measured:
        if figure.peers:
            theirs = [_number(figure.peers[name]) for name in peers]
            grid.add_row(f"{figure.work}, {figure.unit}", _number(figure.measured), *theirs)
    return grid


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
