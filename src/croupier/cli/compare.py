"""`compare`: the value of each rule."""

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer
from rich.table import Table as Grid

from croupier.cli.output import JsonFlag, TablesFile, console, grid, print_json, refuse
from croupier.cli.study import Changes, NoCache, TableName, at_best, changed_table, figures_of
from croupier.maths.exact.claims import DIGITS
from croupier.maths.exact.rule_effects import RuleChange, returned, rule_changes
from croupier.maths.reporting.wording import format_rule, percent
from croupier.play.contract.game import Table

SAME = 1e-12
"""Smaller differences are rounding errors."""

Other = Annotated[
    str,
    typer.Argument(metavar="[OTHER]", help="The table to compare with.  [default: TABLE, changed by --set]"),
]


ComparedBet = Annotated[
    str,
    typer.Option(
        "--bet",
        metavar="BET",
        help="A bet without decisions.  [default: the main bet at its best]",
    ),
]


def compare(
    table: TableName,
    other: Other = "",
    bet: ComparedBet = "",
    changes: Changes = None,
    tables: TablesFile = None,
    json: JsonFlag = False,
    _no_cache: NoCache = False,
) -> None:
    """Print the value of each rule: one table is turned into another, rule by rule.

    Figures are in percent of the initial stake. `--set` changes the second table. The value of a rule depends
    on the other rules: in another order the steps differ, but their sum doesn't.

    Examples:

    - `croupier compare premium classic`
    - `croupier compare infinite --set decks=6`
    - `croupier compare dragon_tiger --bet tie --set 'tie=["tie 8:1"]'`
    """
    one, two = changed_table(table, None, tables), changed_table(other or table, changes, tables)
    if not (other or changes):
        refuse(f"nothing to compare {one.title} with; name another table, or write --set FIELD=VALUE")
    if one.game is not two.game:
        refuse(f"{one.title} is {one.game.title} and {two.title} is {two.game.title}; choose two of one game")
    figures_of(one)
    try:
        start, taken = returned(one, bet), list(rule_changes(one, two, bet))
    except ValueError as unknown:
        refuse(str(unknown))
    if json:
        print_json(_record(one, two, bet, start, taken))
    else:
        _print(one, two, bet, start, taken)


def _record(one: Table, two: Table, bet: str, start: float, taken: Sequence[RuleChange]) -> dict[str, object]:
    return {
        "from": one.id,
        "to": two.id,
        "strategy": [bet or figures_of(table).best.strategy for table in (one, two)],
        "return_per_initial_stake": [round(start, DIGITS), round(_end(start, taken), DIGITS)],
        "difference": round(_end(start, taken) - start, DIGITS),
        "steps": [
            {
                "changes": {field: list(change) for field, change in step.changes.items()},
                "difference": round(step.difference, DIGITS),
                "return_per_initial_stake": round(step.after, DIGITS),
            }
            for step in taken
        ],
    }


def _end(start: float, taken: Sequence[RuleChange]) -> float:
    return taken[-1].after if taken else start


def _print(one: Table, two: Table, bet: str, start: float, taken: Sequence[RuleChange]) -> None:
    console.print(f"{_named(one, bet)}: {percent(start)}")
    worth = [step for step in taken if abs(step.difference) >= SAME]
    if worth:
        console.print(_grid(worth))
    end = _end(start, taken)
    console.print(f"{_named(two, bet)}: {percent(end)}, that is {_signed(end - start)}")
    if idle := [field for step in taken if step not in worth for field in step.changes]:
        console.print(f"No effect on the return: {', '.join(idle)}")


def _named(table: Table, bet: str) -> str:
    played = table.labels[bet] if bet else at_best(table, figures_of(table))
    return f"[bold]{table.title}[/], {played}"


def _grid(worth: Sequence[RuleChange]) -> Grid:
    shown = grid("rule", "from", "to", "worth", "return")
    shown.columns[0].no_wrap = True
    for step in worth:
        for row in _rows(step):
            shown.add_row(*row)
    return shown


def _rows(step: RuleChange) -> Iterator[tuple[str, ...]]:
    """Yield a row for each field; the first also has the figures of the whole step."""
    figures = (_signed(step.difference), percent(step.after))
    for field, (old, new) in step.changes.items():
        yield field, format_rule(old), format_rule(new), *figures
        figures = ("", "")


def _signed(part: float) -> str:
    return f"{100 * part:+.4f} %"
