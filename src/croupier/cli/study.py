"""Options and look-ups that the mathematics commands share."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from croupier.cache import uncached
from croupier.cli.output import one_table, refuse
from croupier.extras import advice
from croupier.maths.exact.cached_figures import cached_figures_of
from croupier.play.contract.figures import Figures
from croupier.play.contract.game import Table
from croupier.play.tables.files import InvalidTables, with_rules

TableName = Annotated[
    str, typer.Argument(metavar="TABLE", help="The table's name, as `croupier tables` lists it.")
]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="FIELD=VALUE",
        help="Change a rule: `--set decks=2`. May be repeated; "
        "`croupier rules TABLE --json` names the fields.",
    ),
]


def _uncached(context: typer.Context, wanted: bool) -> bool:
    """Disable the cache until the command ends."""
    if wanted:
        context.with_resource(uncached())
    return wanted


NoCache = Annotated[
    bool,
    typer.Option(
        "--no-cache",
        callback=_uncached,
        help="Ignore the cache. By default, exact results and compiled code are cached in ~/.cache/croupier, "
        "or in the folder CROUPIER_CACHE; CROUPIER_CACHE=off disables the cache.",
    ),
]


def changed_table(name: str, changes: Iterable[str] | None, file: Path | None) -> Table:
    """Return the table under changed rules; exit if a name, field or value is wrong."""
    table = one_table(name, file)
    try:
        return with_rules(table, dict(map(_change, changes or ())))
    except InvalidTables as wrong:
        refuse(f"--set {wrong}")


def _change(text: str) -> tuple[str, Any]:
    field, equals, value = text.partition("=")
    if not equals:
        refuse(f"--set {text!r} has no value; write FIELD=VALUE, such as decks=2")
    return field.strip(), _value(value.strip())


def _value(text: str) -> Any:
    """Parse a TOML value; anything else is a string without quotes."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def figures_of(table: Table) -> Figures:
    """Return the table's exact figures; exit if its game has none."""
    try:
        return cached_figures_of(table)
    except ValueError as unknown:
        refuse(str(unknown))


def at_best(table: Table, figures: Figures) -> str:
    """Describe the play, or the bet, that the printed return belongs to."""
    if figures.chart is None:
        return f"best bet: {table.labels[figures.best.strategy]}"
    return f"best play ({figures.best.strategy})"


def refuse_missing(missing: ModuleNotFoundError, extra: str) -> None:
    """Exit with the command that installs what is missing."""
    if (missing.name or "").startswith("croupier"):
        raise missing
    refuse(advice(str(missing.name), extra))
