"""`tables` and `rules`: show the tables of a server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from croupier.cli.configuration import (
    ConfigFile,
    offered_tables,
    read_server_config,
    read_server_currencies,
)
from croupier.cli.output import (
    JsonFlag,
    TablesFile,
    console,
    grid,
    one_table,
    print_json,
    refuse,
    server_tables,
)
from croupier.play.contract.game import Table
from croupier.play.tables.wagering import contribution_minor
from croupier.tables.limits import in_currencies

WIDE, FITS_LIMITS = 140, 110
"""Minimum terminal widths for listing titles, and for limits on one line."""


def tables(
    tables: TablesFile = None,
    config: ConfigFile = None,
    json: JsonFlag = False,
) -> None:
    """List the tables with their limits, wagering classes and published returns.

    With `--config`, limits are in the currencies of that server.
    """
    currencies = read_server_currencies(config)
    all_tables = server_tables(tables, currencies)
    read_server_config(config, all_tables)
    found = offered_tables(all_tables, currencies).values()
    if json:
        print_json([_record(table) for table in found])
        return
    wide = console.width >= WIDE
    shown = grid("table", *(("title",) if wide else ()), "dealt", "wagering", "limits")
    for column in shown.columns[:-1]:
        column.no_wrap = True
    for table in found:
        shown.add_row(f"[bold]{table.id}[/]", *((table.title,) if wide else ()), *_about(table))
    console.print(shown)
    for table in found:
        for figure in table.published:
            console.print(f"{table.id}: published {figure.percent} % of {table.labels[figure.bet]}")


def _about(table: Table) -> Iterator[str]:
    boxes = table.game.boxes(table.rules)
    yield table.dealing + (f", {boxes} boxes" if boxes > 1 else "")
    yield f"{contribution_minor(table.wagering, 100)} %"
    yield (", " if console.width >= FITS_LIMITS else "\n").join(_limits(table))


def _limits(table: Table) -> Iterator[str]:
    """Yield the range of each currency."""
    for code in table.limits:
        text, span = table.currencies[code].text, table.main_limits(code)
        yield f"{code} {text(span.min_minor)}-{text(span.max_minor)}"


def _record(table: Table) -> dict[str, object]:
    return {
        "table": table.id,
        "title": table.title,
        "game": table.game.name,
        "dealing": table.dealing,
        "multi_play": table.multi_play,
        "span": {code: msgspec.to_builtins(table.main_limits(code)) for code in table.limits},
        "limits": msgspec.to_builtins(table.limits),
        "side_limits": msgspec.to_builtins(table.side_limits),
        "kind_limits": msgspec.to_builtins(table.kind_limits),
        "table_limits": msgspec.to_builtins(table.table_limits),
        "restrictions": table.restrictions._asdict(),
        "wagering": {"class": table.wagering, "percent": contribution_minor(table.wagering, 100)},
        "rules": msgspec.to_builtins(table.rules),
        "published": msgspec.to_builtins(table.published),
        "source": table.source,
    }


def _in_currencies(table: Table, config: Path | None) -> Table:
    """Return the table in the currencies of a server; exit if it takes none of them."""
    currencies = read_server_currencies(config)
    limited = in_currencies({table.id: table}, currencies)
    return limited.get(table.id) or refuse(f"{table.id} accepts none of {', '.join(currencies)}")


def rules(
    table: Annotated[str, typer.Argument(help="The table's name, as `croupier tables` lists it.")],
    tables: TablesFile = None,
    config: ConfigFile = None,
    json: JsonFlag = False,
) -> None:
    """Print a table's rules, generated from the record that the game itself uses.

    With `--config`, limits are in the currencies of that server.

    Example: `croupier rules infinite`
    """
    from rich.markdown import Markdown

    from croupier.gateway.pages.rules import markdown

    found = _in_currencies(one_table(table, tables, read_server_currencies(config)), config)
    if json:
        print_json(_record(found) | {"page": markdown(found)})
    else:
        console.print(Markdown(markdown(found)))
