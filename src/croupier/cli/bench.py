"""`bench`: performance of the mathematics on this machine; `bench live` and `bench scale`: of servers."""

from typing import TYPE_CHECKING

import typer
from rich.table import Table as Grid

from croupier.cli import bench_live, bench_scale
from croupier.cli.output import JsonFlag, console, print_json
from croupier.cli.study import refuse_missing

if TYPE_CHECKING:
    from croupier.maths.bench import Measurement


app = typer.Typer(context_settings={"help_option_names": ["-h", "--help"]})
app.command()(bench_live.live)
app.command()(bench_scale.scale)


@app.callback(invoke_without_command=True)
def bench(context: typer.Context, json: JsonFlag = False) -> None:
    """Measure the speed and memory use of exact analysis and simulation on this machine.

    Each figure is printed with its target for an idle machine. Exit 1: a target was missed.
    """
    if context.invoked_subcommand is None:
        _mathematics(json)


def _mathematics(json: bool) -> None:
    try:
        from croupier.maths.bench import machine, measurements
    except ModuleNotFoundError as missing:
        refuse_missing(missing, "maths")
    about, found = machine(), []
    for measurement in measurements():
        found.append(measurement)
        if not json:
            typer.echo(f"{measurement.work}: {measurement.measured:.3g} {measurement.unit}", err=True)
    if json:
        records = [measurement._asdict() | {"met": measurement.met} for measurement in found]
        print_json({"machine": about, "measurements": records})
    else:
        console.print(", ".join(f"{name} {value}" for name, value in about.items()))
        console.print(_grid(found))
    raise typer.Exit(0 if all(measurement.met for measurement in found) else 1)


def _grid(found: list["Measurement"]) -> Grid:
    grid = Grid("work", "measured", "target", "")
    for measurement in found:
        sign = "≤" if measurement.lower_is_better else "≥"
        measured, target = f"{measurement.measured:.3g} {measurement.unit}", f"{sign} {measurement.target:g}"
        result = "[green]met[/]" if measurement.met else "[red]missed[/]"
        grid.add_row(measurement.work, measured, target, result)
    return grid
