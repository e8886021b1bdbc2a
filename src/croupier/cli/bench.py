"""`bench`: how fast the mathematics is on this machine; `bench live`: the live table."""

from typing import TYPE_CHECKING

import typer
from rich.table import Table as Grid

from croupier.cli import bench_live
from croupier.cli.output import Json, console, print_json
from croupier.cli.study import need

if TYPE_CHECKING:
    from croupier.maths.bench import Measure


app = typer.Typer(context_settings={"help_option_names": ["-h", "--help"]})
app.command()(bench_live.live)


@app.callback(invoke_without_command=True)
def bench(context: typer.Context, json: Json = False) -> None:
    """Measure how fast this machine is at exact analysis and simulation, and how much memory they take.

    Every figure stands beside what croupier promises to reach on an idle machine. Exit 1: one wasn't reached.
    """
    if context.invoked_subcommand is None:
        _mathematics(json)


def _mathematics(json: bool) -> None:
    try:
        from croupier.maths.bench import machine, measures
    except ModuleNotFoundError as missing:
        need(missing, "maths")
    about, found = machine(), []
    for measure in measures():
        found.append(measure)
        if not json:
            typer.echo(f"{measure.work}: {measure.measured:.3g} {measure.unit}", err=True)
    if json:
        told = [measure._asdict() | {"reached": measure.reached} for measure in found]
        print_json({"machine": about, "measures": told})
    else:
        console.print(", ".join(f"{name} {value}" for name, value in about.items()))
        console.print(_grid(found))
    raise typer.Exit(0 if all(measure.reached for measure in found) else 1)


def _grid(found: list["Measure"]) -> Grid:
    grid = Grid("work", "measured", "to reach", "")
    for measure in found:
        sign = "≤" if measure.most else "≥"
        said = "[green]reached[/]" if measure.reached else "[red]not reached[/]"
        grid.add_row(
            measure.work, f"{measure.measured:.3g} {measure.unit}", f"{sign} {measure.reach:g}", said
        )
    return grid
