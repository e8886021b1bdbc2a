"""Options and output that several commands share."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar

import msgspec
import typer
from rich.console import Console
from rich.progress import Progress, TaskID
from rich.table import Column
from rich.table import Table as Grid

from croupier.games import games, published_tables
from croupier.play.contract.amounts import CURRENCIES, Currency
from croupier.play.contract.game import Table
from croupier.play.tables.files import read_tables
from croupier.play.tables.toml_blocks import InvalidFile

T = TypeVar("T")
console = Console()

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead.")]
Data = Annotated[
    Path,
    typer.Option(
        "--data",
        envvar="CROUPIER_DATA",
        help="The server's data folder.",
        show_default=True,
        # The check would refuse a user who may read it by a capability, as back-ups do.
        readable=False,
    ),
]
DatabaseUrl = Annotated[
    str,
    typer.Option(
        "--database",
        metavar="URL",
        envvar="CROUPIER_DATABASE",
        help="A PostgreSQL database, postgresql://USER@HOST/NAME, in place of SQLite in the data folder.",
    ),
]
TablesFile = Annotated[
    Path | None,
    typer.Option("--tables", help="A TOML file with tables of your own, in addition to the published ones."),
]
DATA = Path("croupier-data")


def refuse(text: str) -> NoReturn:
    """Print an error in one line and exit with status 2."""
    typer.echo(f"croupier: {text}", err=True)
    raise typer.Exit(2)


def progress_bar(*, hidden: bool) -> Progress:
    """Return a progress display on stderr, shown on a terminal only and removed at the end."""
    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=hidden or not console.is_terminal)


def progress_step(progress: Progress, unit: str) -> Callable[[int, int], None]:
    """Add a bar for work of unknown length; return a function that sets it to a number done of a total."""
    return partial(_show_progress, progress, progress.add_task(unit, total=None))


def _show_progress(progress: Progress, task: TaskID, done: int, total: int) -> None:
    progress.update(task, completed=done, total=total)


def print_json(value: Any) -> None:
    typer.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def grid(*headings: str) -> Grid:
    """Return a table whose long cells wrap instead of being cut on a narrow terminal."""
    return Grid(*(Column(heading, overflow="fold") for heading in headings))


FRACTION_FITS = 18
"""Width of a fraction that fits into any table."""


def fits_beside(fractions: Iterable[Fraction], rest: int) -> bool:
    """True if the fractions fit into a table whose other columns take `rest` characters."""
    longest = max((len(str(each)) for each in fractions), default=0)
    return longest <= max(FRACTION_FITS, console.width - rest)


def read_file(file: Path, read: Callable[[str], T]) -> T:
    """Return what `read` makes of an operator's file; exit if the file is wrong."""
    try:
        return read(file.read_text(encoding="utf-8"))
    except OSError as error:
        refuse(f"{file} can't be read: {error.strerror}")
    except UnicodeDecodeError:
        refuse(f"{file} isn't UTF-8 text")
    except InvalidFile as error:
        refuse(str(error))


def server_tables(file: Path | None, currencies: Mapping[str, Currency] = CURRENCIES) -> dict[str, Table]:
    """Return the published tables and those of `file`; exit if the file is wrong.

    Their limits may be in `currencies`, and in those of `CURRENCIES` that aren't configured.
    """
    known = {**CURRENCIES, **currencies}
    try:
        tables = dict(published_tables(known))
    except InvalidFile as error:
        refuse(str(error))
    if file is None:
        return tables
    own = read_file(file, lambda text: read_tables(text, games(), str(file), known))
    for taken in own.keys() & tables.keys():
        refuse(f"{file}: [{taken}] is the name of a published table; give yours another")
    return tables | own


def one_table(name: str, file: Path | None, currencies: Mapping[str, Currency] = CURRENCIES) -> Table:
    tables = server_tables(file, currencies)
    if name not in tables:
        refuse(f"no table {name!r}; there are: {', '.join(tables)}")
    return tables[name]
