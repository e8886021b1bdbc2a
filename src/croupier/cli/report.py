"""`report`: a table's mathematics on one page."""

from pathlib import Path
from typing import Annotated

import typer

from croupier import __date__, __version__
from croupier.cli import odds, rtp, strategy
from croupier.cli.counts import at_least
from croupier.cli.output import JsonFlag, TablesFile, print_json, refuse
from croupier.cli.simulate import Seed
from croupier.cli.study import Changes, NoCache, TableName, changed_table, figures_of
from croupier.maths.exact.claims import DIGITS
from croupier.play.contract.figures import Figures
from croupier.play.contract.game import Table
from croupier.play.contract.rules_text import rules_key

Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="The file to write.  [default: TABLE-report.html]")
]

ReportRounds = Annotated[
    int,
    typer.Option(
        "--rounds",
        "-n",
        parser=at_least(0),
        metavar="COUNT",
        help="Rounds of the simulation on the page: 1_000_000, 1e9, 10M; 0: none.",
    ),
]


def report(
    context: typer.Context,
    table: TableName,
    changes: Changes = None,
    output: Output = None,
    rounds: ReportRounds = 100_000_000,
    seed: Seed = None,
    tables: TablesFile = None,
    json: JsonFlag = False,
    _no_cache: NoCache = False,
) -> None:
    """Write a table's mathematics to one HTML page (a PAR sheet): returns, plots, strategy, odds, rules.

    The page needs no other file and prints well. It shows the command that writes it again: with the same
    rounds and seed, only the date differs. With `--json`, the figures are printed, and the page is written
    only with `--output`.

    Examples:

    - `croupier report infinite`
    - `croupier report roulette --rounds 10M --seed 1 --output roulette.html`
    """
    found = changed_table(table, changes, tables)
    figures = figures_of(found)
    path = output or Path(f"{found.id}-report.html")
    if output or not json:
        _write(found, path, rounds, seed, _command(context, tables, table, changes))
    if json:
        print_json(_record(found, figures))
    else:
        typer.echo(f"Wrote the mathematics of {found.title} to {path}")


def _command(context: typer.Context, tables: Path | None, table: str, changes: list[str] | None) -> list[str]:
    """Return the arguments that select this table again."""
    folder = context.parent and context.parent.params.get("folder")
    games = ("--games", str(folder)) if folder else ()
    files = ("--tables", str(tables)) if tables else ()
    sets = [word for change in changes or () for word in ("--set", change)]
    return ["croupier", *games, "report", table, *sets, *files]


def _write(table: Table, path: Path, rounds: int, seed: int | None, command: list[str]) -> None:
    from croupier.maths.study import Study

    try:
        path.write_text(Study(table).report(rounds, seed, command=command), encoding="utf-8")
    except OSError as error:
        refuse(f"{path} can't be written: {error.strerror or error}")


def _record(table: Table, figures: Figures) -> dict[str, object]:
    return (
        rtp.record(table, figures)
        | {
            "rules": rules_key(table.game, table.rules),
            "software": f"croupier {__version__} of {__date__}",
            "bets": {bet.bet: odds.record(bet) for bet in figures.bets},
            "chart": figures.chart and strategy.record(table, figures.chart),
            "distribution": [[bar.net, round(bar.chance, DIGITS)] for bar in figures.distribution],
        }
        | {
            name: {case: round(chance, DIGITS) for case, chance in shown.chances.items()}
            for name, shown in figures.chance_tables.items()
        }
    )
