"""Checks of an operator's own tables before they are opened: their returns, and their paytables' lines."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import typer

from croupier.cli.output import read_file, refuse
from croupier.extras import require
from croupier.games import published_tables
from croupier.play.contract.game import Table
from croupier.play.tables.toml_blocks import InvalidField, located

COMPUTE = "import sys; from croupier.maths.exact.returns import print_main_return as p; p(*sys.argv[1:])"
COMPUTE_S = 300


def check_own_tables(file: Path | None, tables: Mapping[str, Table]) -> Mapping[str, float | None]:
    """Exit if an own table's paytable has a line that can't occur, or a bet that returns too much.

    Name the bets that are allowed to. Return the returns of main bets with decisions by table; None: unknown.
    """
    if file is None:
        return {}
    text = read_file(file, str)
    own = [table for name, table in tables.items() if name not in published_tables()]
    returns = {}
    for table in own:
        if table.game.figures:
            returns[table.id] = _main_return(table)
        for field, why in _faults(table, returns.get(table.id)):
            refuse(str(located(text, str(file), table.id, InvalidField(field, why))))
    return returns


def _faults(table: Table, main: float | None) -> Iterator[tuple[str, str]]:
    from croupier.maths.exact.returns import over_100, paytable_faults

    faults = [*paytable_faults(table)]
    for fault in faults:
        if not (fault.is_over_100 and table.allow_over_100):
            yield fault.field, fault.why
    over = [fault.why for fault in faults if fault.is_over_100]
    if main is not None and main > 1:
        why = over_100(table.labels["main"], main)
        over.append(why)
        if not table.allow_over_100:
            yield "", why
    for why in over:
        typer.echo(f"{table.id}: {why.partition(';')[0]}, as allow_over_100 allows", err=True)


def _main_return(table: Table) -> float | None:
    """Return the return of the main bet, computed by a process of its own; None without the extra."""
    from croupier.maths.exact.returns import published_return

    if (known := published_return(table)) is not None:
        return known
    try:
        require("maths")
    except ModuleNotFoundError as missing:
        typer.echo(f"{table.id}: the return of its main bet isn't checked: {missing}", err=True)
        return None
    rules = msgspec.json.encode(table.rules).decode()
    command = [sys.executable, "-c", COMPUTE, table.game.name, rules]
    done = subprocess.run(command, capture_output=True, text=True, timeout=COMPUTE_S, check=False)  # noqa: S603
    return float(done.stdout) if done.returncode == 0 and done.stdout else None
