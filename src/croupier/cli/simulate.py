"""`simulate`: very many rounds of a table."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid

from croupier.cli.output import Json, TablesFile, console, print_json, refuse
from croupier.cli.study import Changes, TableName, need, what_if
from croupier.maths.report import percent
from croupier.play.game import Table
from croupier.refusal import Refused

if TYPE_CHECKING:
    from croupier.maths.count import Estimate
    from croupier.maths.simulate import Job, Player, Result

INTERRUPTED = 130
"""The exit status of a command that Ctrl-C has ended."""
MANY = 100_000_000


class Device(StrEnum):
    cpu = "cpu"
    gpu = "gpu"


Rounds = Annotated[int, typer.Option("--rounds", "-n", min=1, help="How many rounds to play.")]
Seed = Annotated[
    int | None,
    typer.Option(min=0, max=2**64 - 1, help="The same seed gives the same result.  [default: chance]"),
]
Threads = Annotated[
    int | None, typer.Option(min=1, help="Threads to play on.  [default: one for each processor]")
]
StrategyName = Annotated[
    str,
    typer.Option(
        "--strategy",
        metavar="NAME|FILE",
        help="optimal, basic, mimic, never_bust, or a chart file.  [default: the game's first]",
    ),
]
BetName = Annotated[
    str,
    typer.Option("--bet", metavar="BET", help="The bet that is told in full.  [default: the table's first]"),
]
Cluster = Annotated[
    str,
    typer.Option(metavar="ADDRESS", help="Play on the Dask cluster of this scheduler: tcp://10.0.0.5:8786."),
]
Where = Annotated[Device, typer.Option("--device", help="What of this machine to play on.")]
FreshShoe = Annotated[
    bool, typer.Option("--fresh-shoe", help="Play every round from a fresh shoe, at a cut-card table too.")
]


def simulate(
    table: TableName,
    rounds: Rounds = MANY,
    seed: Seed = None,
    threads: Threads = None,
    strategy: StrategyName = "",
    bet: BetName = "",
    fresh_shoe: FreshShoe = False,
    cluster: Cluster = "",
    device: Where = Device.cpu,
    changes: Changes = None,
    tables: TablesFile = None,
    json: Json = False,
) -> None:
    """Play very many rounds of a table's main bets, and say what came back.

    The rules are compiled to one table first; then many rounds are played at once, with a stake on each main
    bet. The result depends on the rules, the strategy, the rounds and the seed, and not on where it is
    played: on how many threads, on a cluster, on a GPU. Ctrl-C prints what there is by then.

    Examples: `croupier simulate multihand --rounds 1_000_000_000 --seed 1`,
    `croupier simulate premium --strategy my-chart.txt --set decks=8`, `croupier simulate roulette --bet red`
    """
    found = what_if(table, changes, tables)
    try:
        from croupier.maths.simulate import job
        from croupier.maths.strategies import known_or_read

        player = known_or_read(found, strategy)
        work = job(found.game, found.rules, player, rounds=rounds, seed=seed, fresh_shoe=fresh_shoe)
        shown = work.named(bet)
    except ModuleNotFoundError as missing:
        need(missing, "maths")
    except (ValueError, OSError) as error:
        refuse(str(error))
    result = _played(work, shown, _player(cluster, device, threads), quiet=json)
    by = player if isinstance(player, str) else strategy
    if json:
        print_json(record(found, by, shown, result))
    elif not result.rounds:
        console.print("[yellow]Stopped before any round was counted: nothing was found.[/]")
    else:
        _print(found, by, shown, result)
    if not result.complete:
        raise typer.Exit(INTERRUPTED)


def _player(cluster: str, device: Device, threads: int | None) -> "Player":
    if cluster and device is Device.gpu:
        refuse("choose --cluster or --device gpu, not both")
    extra = "cluster" if cluster else "gpu"
    try:
        if cluster:
            from croupier.maths.cluster import on_cluster

            return on_cluster(cluster)
        if device is Device.gpu:
            from croupier.maths.gpu import on_gpu

            return on_gpu()
    except ModuleNotFoundError as missing:
        need(missing, extra)
    except (ValueError, OSError) as error:
        refuse(str(error))
    from croupier.maths.simulate import on_threads

    return on_threads(threads)


def _played(work: "Job", bet: str, player: "Player", *, quiet: bool) -> "Result":
    """With a bar that shows the figure so far and its error."""
    from croupier.maths.simulate import simulate

    columns = (TaskProgressColumn(), BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), disable=quiet) as bar:
        task = bar.add_task("dealing", total=work.rounds)

        def show(result: "Result") -> None:
            bar.update(task, completed=result.rounds, description=_figure(result.of(bet)))

        try:
            return simulate(work, player, show)
        except Refused as refused:
            refuse(f"{refused}; a shoe ran out in the middle of a round")
        except OSError as error:
            refuse(f"the cluster can't be reached: {error}")


def _figure(found: "Estimate") -> str:
    return f"{percent(found.return_per_initial_stake)} ± {percent(found.standard_error)}"


def record(table: Table, strategy: str, bet: str, result: "Result") -> dict[str, object]:
    """What `simulate --json` prints."""
    found = result.of(bet)
    return {
        "table": table.id,
        "strategy": strategy,
        "seed": result.seed,
        "complete": result.complete,
        "rounds": found.rounds,
        "bet": bet,
        "return_per_initial_stake": found.return_per_initial_stake,
        "return_per_total_stake": found.return_per_total_stake,
        "standard_error": found.standard_error,
        "stake_per_round": found.stake_per_round,
        "standard_deviation": found.standard_deviation,
        "distribution": [[float(net), often] for net, often in found.distribution.items()],
        "bets": {name: _bet(result.of(name)) for name in result.work.bets},
        "seconds": round(result.seconds, 6),
        "cpu_seconds": round(result.cpu_seconds, 6),
        "rounds_per_cpu_second": round(result.rounds_per_cpu_second),
    }


def _bet(found: "Estimate") -> dict[str, float]:
    return {
        "return": found.return_per_initial_stake,
        "standard_error": found.standard_error,
        "standard_deviation": found.standard_deviation,
    }


def _print(table: Table, strategy: str, bet: str, result: "Result") -> None:
    words, found = table.game.words, result.of(bet)
    console.print(f"[bold]{table.title}[/], {words[bet]}, {strategy.replace('_', ' ')}, seed {result.seed}")
    grid = Grid(f"{found.rounds:,} rounds", "found")
    grid.add_row("return per initial stake", _figure(found))
    grid.add_row("return per total stake", percent(found.return_per_total_stake))
    grid.add_row("stake per round", f"{found.stake_per_round:.6f}")
    grid.add_row("standard deviation", f"{found.standard_deviation:.6f}")
    console.print(grid)
    if len(result.work.bets) > 1:
        console.print(_bets(words, result))
    if not result.complete:
        console.print("[yellow]Stopped before all rounds were played.[/]")
    rate = f"{result.rounds_per_cpu_second / 1e6:.0f} million rounds per CPU-second"
    console.print(f"{result.seconds:.2f} s, {result.cpu_seconds:.2f} CPU-seconds: {rate}")


def _bets(words: Mapping[str, str], result: "Result") -> Grid:
    grid = Grid("bet", "return", "standard deviation")
    for name in result.work.bets:
        found = result.of(name)
        grid.add_row(words[name], _figure(found), f"{found.standard_deviation:.6f}")
    return grid
