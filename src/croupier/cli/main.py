"""The `croupier` command."""

from pathlib import Path
from typing import Annotated

import typer

from croupier import __date__, __version__, games
from croupier.build import current_build
from croupier.cli import (
    backup,
    bench,
    bonus,
    compare,
    configuration,
    copying,
    ledger,
    migration,
    odds,
    payment_provider,
    protocol,
    report,
    rtp,
    serve,
    simulate,
    staff,
    strategy,
    tables,
    wallet,
)
from croupier.cli.output import refuse
from croupier.cli.usage import Commands
from croupier.equipment.rng import RNG_DATE, RNG_VERSION
from croupier.play.tables.toml_blocks import InvalidFile

GamesFolder = Annotated[
    Path | None,
    typer.Option(
        "--games",
        envvar="CROUPIER_GAMES",
        exists=True,
        file_okay=False,
        help="A folder with games of your own, in addition to croupier's: each a package with a GAME.",
    ),
]


def _versions(wanted: bool) -> None:
    if wanted:
        build = current_build()
        typer.echo(f"croupier {__version__}, {__date__}\nbuild {build.id}: {build.describe()}")
        typer.echo(f"RNG {RNG_VERSION}, {RNG_DATE}")
        raise typer.Exit


MATHEMATICS = "The mathematics of a table"

VersionFlag = Annotated[
    bool,
    typer.Option(
        "--version",
        callback=_versions,
        is_eager=True,
        help="Print the versions of the server and of its random number generator, with their dates.",
    ),
]

app = typer.Typer(
    name="croupier",
    cls=Commands,
    help="An open platform for casino table games. To play, start `croupier serve` and open what it prints. "
    "For the mathematics of a table, start with `croupier rtp infinite`.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(serve.serve)
app.command()(tables.tables)
app.command()(tables.rules)
app.command()(protocol.protocol)
for command in (rtp.rtp, strategy.strategy, odds.odds, compare.compare, simulate.simulate, report.report):
    app.command(rich_help_panel=MATHEMATICS)(command)
app.add_typer(bench.app, name="bench", rich_help_panel=MATHEMATICS)
app.command()(ledger.replay)
app.command()(ledger.verify)
app.command()(backup.backup)
app.command()(backup.restore)
app.command()(migration.migrate)
app.command("copy-database")(copying.copy_database)
app.command("anchor-key")(ledger.anchor_key)
app.command("payment-provider")(payment_provider.payment_provider)
app.add_typer(configuration.app)
app.add_typer(staff.app)
app.add_typer(bonus.app)
app.add_typer(wallet.app)


@app.callback()
def with_games(folder: GamesFolder = None, _version: VersionFlag = False) -> None:
    """Add the games of `--games`, before any command runs."""
    if folder is None:
        return
    try:
        games.add_folder(str(folder))
    except InvalidFile as error:
        refuse(str(error))


def main() -> None:
    app()
