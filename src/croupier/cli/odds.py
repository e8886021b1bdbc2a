"""`odds`: the bets that nobody can play well or badly, line by line."""

from collections.abc import Iterator

from rich.table import Table as Grid

from croupier.cli.output import Json, TablesFile, console, grid, print_json, refuse
from croupier.cli.study import Changes, TableName, figures_of, what_if
from croupier.maths.claims import DIGITS
from croupier.maths.report import named, percent
from croupier.play.figures import BetOdds, LineOdds, folded
from croupier.play.game import Table
from croupier.play.odds import PUSH

HEADINGS = ("outcome", "pays", "chance", "one in", "exactly", "adds")


def odds(table: TableName, changes: Changes = None, tables: TablesFile = None, json: Json = False) -> None:
    """The bets that nobody can play well or badly, line by line: how likely, what it pays, what it adds.

    Every chance is an exact fraction, counted over all cards of a fresh shoe, or over all that may come up.

    Examples: `croupier odds infinite --set decks=6`, `croupier odds sic_bo`
    """
    found = what_if(table, changes, tables)
    bets = figures_of(found).bets
    if json:
        print_json({"table": found.id, "bets": {bet.bet: record(bet) for bet in bets}})
    elif not bets:
        refuse(f"{found.title} has no side bets; `croupier rtp {found.id}` has its main bet")
    else:
        for alike in folded(bets):
            said = f"[bold]{found.title}: {named(found, alike)}[/] returns {percent(alike[0].returned)}"
            console.print(said)
            console.print(_grid(found, alike[0]))


def record(bet: BetOdds) -> dict[str, object]:
    """A bet as `odds --json` prints it."""
    return {
        "return": round(float(bet.returned), DIGITS),
        "fraction": str(bet.returned),
        "lines": [
            {
                "outcome": line.outcome,
                "chance": round(float(line.chance), DIGITS),
                "fraction": str(line.chance),
                "pays": None if line.pays == PUSH else str(line.pays),
                "returned": round(float(line.returned), DIGITS),
            }
            for line in bet.lines
        ],
    }


def _grid(table: Table, bet: BetOdds) -> Grid:
    shown = grid(*HEADINGS)
    for column in shown.columns[1:]:
        column.justify = "right"
    for line in bet.lines:
        shown.add_row(*_cells(table, line))
    return shown


def _cells(table: Table, line: LineOdds) -> Iterator[str]:
    yield table.words.get(line.outcome, "The stake comes back")
    yield str(line.pays)
    yield percent(line.chance)
    yield f"{float(1 / line.chance):,.1f}" if line.chance else "never"
    yield str(line.chance)
    yield percent(line.returned)
