"""`wallet serve` and `wallet check`: the reference operator, and the checks of an operator's own wallet."""

import asyncio
from collections.abc import Awaitable, Sequence
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.counterparty import HostOption, SecretFile, listen, shared_secret
from croupier.cli.output import JsonFlag, console, print_json, progress_bar, refuse

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from croupier.integration.wallet_check.replies import HttpTransport
    from croupier.integration.wallet_check.report import WalletReport
    from croupier.integration.wallet_check.trial import WalletCheck
    from croupier.integration.wallet_operator.wallet import WalletAccount

app = typer.Typer(
    name="wallet",
    help="Connect an operator's own wallet: a reference to try, and checks to run against yours.",
    no_args_is_help=True,
)

PLAYERS = ("test:EUR:100000", "other:EUR:100000")
Players = Annotated[
    list[str] | None,
    typer.Option(
        "--player",
        metavar="NAME:CURRENCY:AMOUNT",
        help=f"A balance, in smallest units. Repeatable; default: {' and '.join(PLAYERS)}.",
    ),
]


@app.command()
def serve(
    secret_file: SecretFile,
    player: Players = None,
    host: HostOption = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on; 0: any free one.")] = 8200,
) -> None:
    """Run the reference operator: a wallet in memory, which misbehaves on command (see the guide).

    Anybody who reaches it can set its balances, so keep it on a private address.

    Example: `croupier wallet serve --secret-file wallet.secret --player anna:EUR:50000`
    """
    from croupier.integration.wallet_operator.operator import ReferenceOperator
    from croupier.integration.wallet_operator.site import operator_site
    from croupier.integration.wallet_operator.wallet import OperatorWallet

    wallet = OperatorWallet(dict(map(_balance, player or PLAYERS)))
    operator = ReferenceOperator(shared_secret(secret_file), wallet)
    listen(operator_site(operator), "operator", host, port)


def _balance(text: str) -> "tuple[WalletAccount, int]":
    from croupier.integration.wallet_operator.wallet import WalletAccount

    account, _, amount = text.rpartition(":")
    player, _, currency = account.rpartition(":")
    if not (player and currency and amount.isascii() and amount.isdigit()):
        refuse(f"--player: {text!r} isn't like anna:EUR:50000")
    return WalletAccount(player, currency), int(amount)


@app.command()
def check(
    url: Annotated[str, typer.Argument(help="The wallet's address, without /balance and the like.")],
    secret_file: SecretFile,
    player: Annotated[str, typer.Option(help="A test player, with a balance of 100 or more smallest units.")],
    currency: Annotated[str, typer.Option(help="The currency of the test players.")],
    other_player: Annotated[
        str, typer.Option(help="A second test player, for the checks that need two; none: they are skipped.")
    ] = "",
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME|CLAUSE", help="Run only this check or clause. Repeatable."),
    ] = None,
    restart: Annotated[
        str,
        typer.Option(
            metavar="COMMAND",
            help="A command that restarts the wallet's server, for the check of what it remembers; none: the "
            "check is skipped.",
        ),
    ] = "",
    timeout_s: Annotated[float, typer.Option(min=0.1, max=60, help="Time for one answer.")] = 10,
    json: JsonFlag = False,
) -> None:
    """Check that an operator's wallet follows the protocol; exit with status 1 if it doesn't.

    It sends about 600 signed messages, which move a test player's money, at times all of it. Each check gives
    back what it took, so nobody may play with that player meanwhile. The clauses W1 to W8 are in the guide.

    Examples:

    - `croupier wallet check http://127.0.0.1:8200 --secret-file wallet.secret --player test --currency EUR`
    - `croupier wallet check http://127.0.0.1:8200 --secret-file wallet.secret --player test --currency EUR
      --other-player other --only W4 --only repeat_debit`
    """
    from croupier.cli.wallet_report import report_grid, summary
    from croupier.integration.wallet_check.replies import HttpTransport
    from croupier.integration.wallet_check.report import WalletPlayers, WalletTester
    from croupier.integration.wallet_check.restarting import restart_wallet
    from croupier.integration.wallet_check.trial import WalletUnderTest

    checks, transport = _chosen(only or []), HttpTransport(url, timeout_s)
    again = partial(restart_wallet, restart) if restart else None
    wallet = WalletUnderTest(transport, shared_secret(secret_file), [], again)
    tester = WalletTester(wallet, WalletPlayers(player, other_player, currency))
    with progress_bar(hidden=json) as progress:
        shown = partial(_show, progress, progress.add_task("", total=None), checks, hidden=json)
        report = asyncio.run(_report(transport, tester.run(checks, shown)))
    if json:
        print_json(report)
    else:
        console.print(report_grid(report), *summary(report, player), sep="\n", highlight=False)
    raise typer.Exit(not report.is_passed)


def _show(
    progress: "Progress",
    task: "TaskID",
    checks: "Sequence[WalletCheck]",
    done: int,
    total: int,
    *,
    hidden: bool,
) -> None:
    """Show the check that begins: in the bar, or as a line where there is no terminal."""
    name = checks[done].name
    progress.update(task, description=name, completed=done, total=total)
    if progress.disable and not hidden:
        typer.echo(f"{done + 1}/{total} {name}", err=True)


async def _report(transport: "HttpTransport", running: "Awaitable[WalletReport]") -> "WalletReport":
    async with aclosing(transport):
        return await running


def _chosen(only: list[str]) -> "Sequence[WalletCheck]":
    """Return the checks that are named, or whose clause is; all without names."""
    from croupier.integration.wallet_check.checks import CHECKS
    from croupier.integration.wallet_check.report import ANSWER_TIME, ANSWER_TIME_CLAUSE

    known = {name for each in CHECKS for name in (each.name, each.clause)}
    known |= {ANSWER_TIME, ANSWER_TIME_CLAUSE}
    for unknown in set(only) - known:
        refuse(f"--only: no check and no clause is {unknown!r}; there are: {', '.join(sorted(known))}")
    return [each for each in CHECKS if not only or {each.name, each.clause} & {*only}]
