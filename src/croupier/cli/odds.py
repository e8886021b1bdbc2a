"""`odds`: bets without decisions, line by line."""

from collections.abc import Iterator

from rich.table import Table as Grid

from croupier.cli.output import JsonFlag, TablesFile, console, fits_beside, grid, print_json, refuse
from croupier.cli.study import Changes, NoCache, TableName, changed_table, figures_of
from croupier.maths.exact.claims import DIGITS
from croupier.maths.reporting.wording import bets_label, percent
from croupier.play.contract.figures import BetOdds, LineOdds, group_equal
from croupier.play.contract.game import Table
from croupier.play.contract.odds import PUSH

HEADINGS = ("outcome", "pays", "chance", "one in", "adds", "exactly")
REST_WIDTH = 68
"""Width of a line without its fraction."""


def odds(
    table: TableName,
    changes: Changes = None,
    tables: TablesFile = None,
    json: JsonFlag = False,
    _no_cache: NoCache = False,
) -> None:
    """Print the bets without decisions line by line: chance, payout, share of the return.

    These are the side bets of blackjack and all bets of the other games. Chances are exact fractions for a
    fresh shoe, or for all pockets or rolls.

    Examples:

    - `croupier odds infinite --set decks=6`
    - `croupier odds sic_bo`
    """
    found = changed_table(table, changes, tables)
    bets = figures_of(found).bets
    if json:
        print_json({"table": found.id, "bets": {bet.bet: record(bet) for bet in bets}})
    elif not bets:
        refuse(f"{found.title} has no side bets; `croupier rtp {found.id}` has its main bet")
    else:
        for alike in group_equal(bets):
            line = f"[bold]{found.title}: {bets_label(found, alike)}[/] returns {percent(alike[0].returned)}"
            console.print(line)
            for part in _parts(found, alike[0]):
                console.print(part, soft_wrap=isinstance(part, str))


def record(bet: BetOdds) -> dict[str, object]:
    """Return a bet as `odds --json` prints it."""
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


def _parts(table: Table, bet: BetOdds) -> Iterator[Grid | str]:
    """Yield the lines of a bet; fractions that don't fit into the table follow it."""
    beside = fits_beside((line.chance for line in bet.lines), REST_WIDTH)
    shown = grid(*HEADINGS[: None if beside else -1])
    for column in shown.columns[1:]:
        column.justify = "right"
    for line in bet.lines:
        shown.add_row(*_cells(table, line), *((str(line.chance),) if beside else ()))
    yield shown
    if not beside:
        yield from (f"{_outcome(table, line)}: exactly {line.chance}" for line in bet.lines)


def _cells(table: Table, line: LineOdds) -> Iterator[str]:
    yield _outcome(table, line)
    yield str(line.pays)
    yield percent(line.chance)
    yield f"{float(1 / line.chance):,.1f}" if line.chance else "never"
    yield percent(line.returned)


def _outcome(table: Table, line: LineOdds) -> str:
    return table.labels.get(line.outcome, "The stake is returned")
