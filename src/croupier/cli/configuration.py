"""`config check`, and the server configuration file as an option of other commands."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.output import JsonFlag, TablesFile, print_json, read_file, server_tables
from croupier.cli.own_tables import check_own_tables
from croupier.play.contract.amounts import DEFAULT_CURRENCIES, Currency
from croupier.play.contract.game import Table
from croupier.tables.limits import in_currencies

if TYPE_CHECKING:
    from croupier.config import ServerConfig

app = typer.Typer(name="config", help="Check a server configuration file.", no_args_is_help=True)


ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", help="The server configuration file (TOML); see above."),
]


@app.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The server configuration file (TOML).")],
    tables: TablesFile = None,
    json: JsonFlag = False,
) -> None:
    """Check a configuration file as `croupier serve --config FILE` would read it, without starting a server.

    It reads the secrets, documents and tables that the file names; it doesn't connect to other services. It
    lists the return of each bet. A bet that returns more than 100 % is refused, unless its table has
    `allow_over_100 = true`; so is a line of a paytable that can't occur.

    Exit 0: the file is valid. Exit 2: the first error is printed, with its line and what is allowed.

    Example: `croupier config check croupier.toml --tables my-tables.toml`
    """
    from croupier.maths.exact.returns import returns

    currencies = read_server_currencies(file)
    all_tables = server_tables(tables, currencies)
    config = read_server_config(file, all_tables)
    offered = offered_tables(all_tables, currencies)
    mains = check_own_tables(tables, offered)
    percents = {name: returns(table, mains.get(name)) for name, table in offered.items()}
    if json:
        print_json(
            {
                "currencies": list(currencies),
                "tables": list(offered),
                "bonuses": list(config.bonuses),
                "returns": percents,
            }
        )
        return
    typer.echo(f"{file} is valid: {len(offered)} tables in {', '.join(currencies)}")
    for name, of_table in percents.items():
        typer.echo(f"{name}: " + ", ".join(f"{label} {percent:.3f} %" for label, percent in of_table.items()))


def read_server_config(file: Path | None, all_tables: Mapping[str, Table]) -> "ServerConfig":
    """Read the server configuration; exit if the file is wrong."""
    from croupier.config import DEFAULT_CONFIG, read_config

    return (
        DEFAULT_CONFIG
        if file is None
        else read_file(file, lambda text: read_config(text, all_tables, str(file)))
    )


def read_server_currencies(file: Path | None) -> Mapping[str, Currency]:
    """Read the currencies of a server configuration; exit if the file is wrong."""
    from croupier.config import read_currencies

    return (
        DEFAULT_CURRENCIES if file is None else read_file(file, lambda text: read_currencies(text, str(file)))
    )


def offered_tables(all_tables: Mapping[str, Table], currencies: Collection[str]) -> Mapping[str, Table]:
    """Return the tables that accept one of these currencies; print which don't."""
    found = in_currencies(all_tables, currencies)
    if left_out := all_tables.keys() - found.keys():
        codes, names = ", ".join(currencies), ", ".join(sorted(left_out))
        typer.echo(f"Not opened, because they accept none of {codes}: {names}", err=True)
    return found
