"""`simulate`: many rounds of a table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid

from croupier.cli.counts import at_least
from croupier.cli.output import JsonFlag, TablesFile, console, print_json, refuse
from croupier.cli.study import Changes, NoCache, TableName, changed_table, refuse_missing
from croupier.maths.reporting.wording import percent
from croupier.play.contract.game import Table
from croupier.refusal import Refused

if TYPE_CHECKING:
    from croupier.maths.simulation.count import Estimate
    from croupier.maths.simulation.simulate import Backend, Result, SimulationJob

INTERRUPTED = 130
"""Exit status after Ctrl-C."""
MANY = 100_000_000


class Device(StrEnum):
    cpu = "cpu"
    gpu = "gpu"


Rounds = Annotated[
    int,
    typer.Option(
        "--rounds", "-n", parser=at_least(1), metavar="COUNT", help="Rounds to play: 1_000_000, 1e9, 10M."
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(min=0, max=2**64 - 1, help="The same seed gives the same result.  [default: random]"),
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
    typer.Option(
        "--bet",
        metavar="BET",
        help="The bet to print in full; no other side bet is played then.  [default: the table's first]",
    ),
]
Cluster = Annotated[
    str,
    typer.Option(metavar="ADDRESS", help="Play on the Dask cluster of this scheduler: tcp://10.0.0.5:8786."),
]
DeviceOption = Annotated[Device, typer.Option("--device", help="The processor to play on.")]
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
    device: DeviceOption = Device.cpu,
    changes: Changes = None,
    tables: TablesFile = None,
    json: JsonFlag = False,
    _no_cache: NoCache = False,
) -> None:
    """Simulate many rounds of a table's bets, and print their returns with the standard error.

    Each round has a stake on every main bet. Each side bet gets as many rounds of its own, from fresh shoes.
    At a cut-card table, every shoe is dealt to its end, so slightly more rounds are played than requested.

    The result depends only on the rules, strategy, rounds and seed: it is the same on any number of threads,
    on a cluster and on a GPU. Ctrl-C prints the result so far.

    Examples:

    - `croupier simulate multihand --rounds 1e9 --seed 1`
    - `croupier simulate premium --strategy my-chart.txt`
    - `croupier simulate roulette --bet red`
    - `croupier simulate infinite --bet any_pair`
    """
    found = changed_table(table, changes, tables)
    try:
        from croupier.maths.exact.compile import side_bets
        from croupier.maths.simulation.simulate import prepare
        from croupier.maths.strategies import find_strategy

        player = find_strategy(found, strategy)
        make = partial(prepare, found.game, found.rules, player, rounds=rounds, fresh_shoe=fresh_shoe)
        job = make(seed=seed, bet=bet)
        beside = () if bet else side_bets(found.game, found.rules)
        jobs = [job, *(make(seed=job.seed, bet=side) for side in beside)]
    except ModuleNotFoundError as missing:
        refuse_missing(missing, "maths")
    except (ValueError, OSError) as error:
        refuse(str(error))
    shown = job.bet_name(bet)
    results = _played(jobs, shown, _backend(cluster, device, threads), quiet=json)
    by = player if isinstance(player, str) else strategy
    if json:
        print_json(record(found, by, shown, results))
    elif not results[0].rounds:
        console.print("[yellow]Stopped before any round was counted: nothing was found.[/]")
    else:
        _print(found, by, shown, results, alone=bool(bet))
    if not _complete(results):
        raise typer.Exit(INTERRUPTED)


def _backend(cluster: str, device: Device, threads: int | None) -> "Backend":
    if cluster and device is Device.gpu:
        refuse("choose --cluster or --device gpu, not both")
    extra = "cluster" if cluster else "gpu"
    try:
        if cluster:
            from croupier.maths.simulation.cluster import on_cluster

            return on_cluster(cluster)
        if device is Device.gpu:
            from croupier.maths.simulation.gpu import on_gpu

            return on_gpu()
    except ModuleNotFoundError as missing:
        refuse_missing(missing, extra)
    except (ValueError, OSError) as error:
        refuse(str(error))
    from croupier.maths.simulation.simulate import on_threads

    return on_threads(threads)


def _played(jobs: "Sequence[SimulationJob]", bet: str, player: "Backend", *, quiet: bool) -> "list[Result]":
    """Run the jobs until Ctrl-C, with a progress bar that shows the estimate so far."""
    from croupier.maths.simulation.simulate import simulate

    columns = (TaskProgressColumn(), BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), disable=quiet) as bar:
        results: list[Result] = []
        task = bar.add_task("dealing", total=len(jobs) * jobs[0].rounds)

        def show(result: "Result") -> None:
            completed = len(results) * result.job.rounds + result.rounds
            estimated = (results or [result])[0].of(bet)
            bar.update(task, completed=completed, description=_figure(estimated))

        try:
            for job in jobs:
                results.append(simulate(job, player, show))
                if not results[-1].complete:
                    break
        except Refused as refused:
            refuse(f"{refused}; a shoe ran out in the middle of a round")
        except OSError as error:
            refuse(f"the cluster can't be reached: {error}")
    return results


def _complete(results: "Sequence[Result]") -> bool:
    """Return whether nothing was interrupted; an interrupted result is the last."""
    return results[-1].complete


def _figure(found: "Estimate") -> str:
    return f"{percent(found.return_per_initial_stake)} ± {percent(found.standard_error)}"


def record(table: Table, strategy: str, bet: str, results: "Sequence[Result]") -> dict[str, object]:
    """Return the record that `simulate --json` prints: one bet in full, and the return of each."""
    result = results[0]
    found = result.of(bet)
    return {
        "table": table.id,
        "strategy": strategy,
        "seed": result.seed,
        "complete": _complete(results),
        "rounds": found.rounds,
        "bet": bet,
        "return_per_initial_stake": found.return_per_initial_stake,
        "return_per_total_stake": found.return_per_total_stake,
        "standard_error": found.standard_error,
        "stake_per_round": found.stake_per_round,
        "standard_deviation": found.standard_deviation,
        "distribution": [[float(net), often] for net, often in found.distribution.items()],
        "bets": {name: _bet(found) for name, found in _each(results)},
        "seconds": round(result.seconds, 6),
        "cpu_seconds": round(result.cpu_seconds, 6),
        "rounds_per_cpu_second": round(result.rounds_per_cpu_second),
    }


def _each(results: "Iterable[Result]") -> "Iterator[tuple[str, Estimate]]":
    return ((name, result.of(name)) for result in results for name in result.job.bets)


def _bet(found: "Estimate") -> dict[str, float]:
    return {
        "rounds": found.rounds,
        "return": found.return_per_initial_stake,
        "standard_error": found.standard_error,
        "standard_deviation": found.standard_deviation,
    }


def _print(table: Table, strategy: str, bet: str, results: "Sequence[Result]", *, alone: bool) -> None:
    """Print the results; `alone`: of this bet only."""
    words, result = table.game.labels, results[0]
    found, each = result.of(bet), [(name, found) for name, found in _each(results) if found.rounds]
    console.print(f"[bold]{table.title}[/], {words[bet]}, {strategy.replace('_', ' ')}, seed {result.seed}")
    grid = Grid(f"{found.rounds:,} rounds", "found")
    grid.add_row("return per initial stake", _figure(found))
    grid.add_row("return per total stake", percent(found.return_per_total_stake))
    grid.add_row("stake per round", f"{found.stake_per_round:.6f}")
    grid.add_row("standard deviation", f"{found.standard_deviation:.6f}")
    console.print(grid)
    if len(each) > 1 and not alone:
        console.print(_bets(words, each))
    if not _complete(results):
        console.print("[yellow]Stopped before all rounds were played.[/]")
    rate = f"{result.rounds_per_cpu_second / 1e6:.0f} million rounds per CPU-second"
    console.print(f"{result.seconds:.2f} s, {result.cpu_seconds:.2f} CPU-seconds: {rate}")


def _bets(words: Mapping[str, str], each: "Iterable[tuple[str, Estimate]]") -> Grid:
    grid = Grid("bet", "return", "standard deviation")
    for name, found in each:
        grid.add_row(words[name], _figure(found), f"{found.standard_deviation:.6f}")
    return grid
