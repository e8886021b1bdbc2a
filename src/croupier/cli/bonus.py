"""`bonus grant`, `bonus cancel`, `bonus list`: the bonuses of a player."""

import asyncio
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import to_builtins
from rich.table import Table as Grid

from croupier.cli.admin import execute_admin_command, existing_database
from croupier.cli.configuration import ConfigFile, read_server_config, read_server_currencies
from croupier.cli.output import DATA, Data, JsonFlag, TablesFile, console, print_json, server_tables
from croupier.play.contract.amounts import Currency

if TYPE_CHECKING:
    from croupier.config import ServerConfig
    from croupier.ledger.sql.store import SqlLedger
    from croupier.play.contract.game import Table
    from croupier.protocol.wire import PlayerBonus
    from croupier.staff.admin_commands import AdminResult, BonusCommand

app = typer.Typer(
    name="bonus",
    help="Grant, cancel and list players' bonuses, whether the server is running or not.",
    no_args_is_help=True,
)

REFUSALS = {
    "no_such_player": "no player has that id; it is on their settings page",
    "no_such_bonus": "there is no such bonus; see [bonuses.NAME] in the configuration file, or "
    "`croupier bonus list`",
    "bonus_active": "the player has an active bonus in that currency; cancel it first",
    "barred": "the player is taking a break or is excluded",
}

PlayerId = Annotated[str, typer.Argument(metavar="PLAYER", help="The player's id, such as p_….")]
ReasonOption = Annotated[str, typer.Option(help="The reason, for the event log.")]


@app.command()
def grant(
    player: PlayerId,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A bonus of the configuration file.")],
    reason: ReasonOption,
    config: ConfigFile = None,
    tables: TablesFile = None,
    data: Data = DATA,
    json: JsonFlag = False,
) -> None:
    """Grant a player the bonus of this name.

    A running server has read its configuration already; a stopped server's is read from `--config`.

    Example: `croupier bonus grant p_8d1f0a2c welcome --reason "a complaint" --config croupier.toml`
    """
    from croupier.protocol.staff_wire import GrantBonus

    _run(data, GrantBonus(player, name, reason), config, tables, json=json)


@app.command()
def cancel(
    player: PlayerId,
    bonus: Annotated[str, typer.Argument(metavar="BONUS", help="The id that `bonus list` shows.")],
    reason: ReasonOption,
    config: ConfigFile = None,
    tables: TablesFile = None,
    data: Data = DATA,
    json: JsonFlag = False,
) -> None:
    """Cancel a bonus: its money is taken back at once, and what is in play when those rounds end.

    Example: `croupier bonus cancel p_8d1f0a2c b0192f3a4b5c --reason "granted by mistake"`
    """
    from croupier.protocol.staff_wire import CancelBonus

    _run(data, CancelBonus(player, bonus, reason), config, tables, json=json)


@app.command("list")
def list_(
    player: PlayerId,
    config: ConfigFile = None,
    tables: TablesFile = None,
    data: Data = DATA,
    json: JsonFlag = False,
) -> None:
    """List a player's last bonuses, newest first. Example: `croupier bonus list p_8d1f0a2c`"""
    from croupier.staff.admin_commands import ListBonuses

    _run(data, ListBonuses(player), config, tables, json=json)


def _run(
    data: Path, command: "BonusCommand", config: Path | None, tables: Path | None, *, json: bool
) -> None:
    """Execute the command, and print the player's bonuses after it."""
    existing_database(data)
    all_tables = server_tables(tables, read_server_currencies(config))
    read = read_server_config(config, all_tables)
    here = lambda ledger: _execute_here(ledger, command, read, all_tables)  # noqa: E731
    bonuses = execute_admin_command(data, command, here, REFUSALS).bonuses
    if json:
        print_json([to_builtins(bonus) for bonus in bonuses])
    else:
        console.print(_grid(bonuses, read.currencies))


def _grid(bonuses: "Iterable[PlayerBonus]", currencies: Mapping[str, Currency]) -> Grid:
    grid = Grid("id", "title", "granted", "status", "currency", "money", "left to stake")
    for bonus in bonuses:
        granted = f"{datetime.fromtimestamp(bonus.granted_ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"
        text = currencies[bonus.currency].text if bonus.currency in currencies else str
        amounts = text(bonus.balance_minor), text(bonus.left_minor)
        grid.add_row(bonus.bonus, bonus.title, granted, bonus.status, bonus.currency, *amounts)
    return grid


async def _execute_here(
    ledger: "SqlLedger", command: "BonusCommand", config: "ServerConfig", tables: "dict[str, Table]"
) -> "AdminResult":
    from croupier.admission.balances import BalanceCache
    from croupier.admission.ledger_gateway import LedgerGateway
    from croupier.admission.player_limits import PlayerLimits
    from croupier.ledger.wallet_rounds import WalletRounds
    from croupier.money.bonus.service import Bonuses
    from croupier.players.connected_players import ConnectedPlayers
    from croupier.staff.bonuses import StaffBonuses
    from croupier.storage.sql.stores import sql_stores

    stores = sql_stores(ledger)
    balances = BalanceCache()
    accounts = stores.accounts
    limits = PlayerLimits(ledger, balances, lambda _: None)
    await asyncio.to_thread(limits.load)
    gateway = LedgerGateway(ledger, balances, limits, WalletRounds())
    players = ConnectedPlayers(balances)
    bonuses = Bonuses(ledger, gateway, players, tables, config.bonuses, stores.payments)
    await bonuses.load()
    staff_bonuses = StaffBonuses(
        bonuses, gateway, limits.check_not_barred, lambda player: gateway.durable(accounts.exists(player))
    )
    return await staff_bonuses.execute_admin_command(command)
