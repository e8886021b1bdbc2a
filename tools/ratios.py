"""Ratios of servers to the bare work below them, each within one run.

    createdb croupier_bench && nats-server &
    python -m tools.ratios postgresql://127.0.0.1/croupier_bench nats://127.0.0.1:4222

Everything is measured in turn, `--runs` times; each ratio is the median of those within a run. Three runs
take about five minutes. Guests and rounds stay in the database. Let nothing else run: `load` is the load
average before each run.
"""

import argparse
import asyncio
import json
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory, gettempdir
from time import perf_counter
from typing import Any, NamedTuple

from msgspec import to_builtins

from croupier.bench.growing_load import GrowthPlan
from croupier.bench.process import ANYWHERE, raise_descriptor_limit, run_module
from croupier.bench.scale import CURRENCY, ScaleSize, Topology, own_tables, running_nodes
from croupier.bench.scale import measure as measure_growth
from croupier.bench.timing import latencies_ms
from croupier.ledger.postgresql.connection import connect
from croupier.ledger.sql.databases import PostgresqlUrl, postgresql_url
from croupier.ledger.sqlite.connection import open_writer

SOCKETS, OWN_TABLE, OWN_SECONDS = 200, "classic", 6.0
BETTORS, ROUND_S, LIVE_SECONDS = 200, 3.0, 9.0
"""Everyone bets once in a round, so there are 67 bets a second."""
COMMITS, ROUND_TRIPS = 500, 1_000
UNLIMITED = 1e9

Measured = dict[str, float]
"""Figures of one run: times in milliseconds, rates per second."""


class Ratio(NamedTuple):
    """Two figures' ratio. `limit` is a maximum if `is_maximum`, else a minimum."""

    work: str
    of: Callable[[Measured], float]
    to: Callable[[Measured], float]
    limit: float
    is_maximum: bool = True

    def shown(self, runs: Sequence[Measured]) -> str:
        ratios = [self.of(run) / self.to(run) for run in runs]
        met = median(ratios) <= self.limit if self.is_maximum else median(ratios) >= self.limit
        of, to = median(map(self.of, runs)), median(map(self.to, runs))
        sign = "≤" if self.is_maximum else "≥"
        each = ", ".join(f"{ratio:.2f}" for ratio in sorted(ratios))
        return f"{self.work}: {of:.4g} / {to:.4g} = {median(ratios):.2f} ({each}), {sign} {self.limit:g}" + (
            "" if met else ": missed"
        )


RATIOS = (
    Ratio("bet p99 in ms, PostgreSQL / SQLite, one node", lambda run: run["bet PostgreSQL"],
        lambda run: run["bet SQLite"], 3),
    Ratio("bet p99 in ms by a gateway, its owner and PostgreSQL / NATS round trip + commit",
        lambda run: run["bet by gateway"], lambda run: run["round trip"] + run["commit PostgreSQL"], 3),
    Ratio("bet p50 in ms by a gateway, its owner and PostgreSQL / NATS round trip + commit",
        lambda run: run["bet by gateway, p50"],
        lambda run: run["round trip, p50"] + run["commit PostgreSQL, p50"], 3),
    Ratio("rounds / commits a second, SQLite", lambda run: run["rounds SQLite"],
        lambda run: run["commits SQLite"], 0.5, is_maximum=False),
    Ratio("rounds / commits a second, PostgreSQL", lambda run: run["rounds PostgreSQL"],
        lambda run: run["commits PostgreSQL"], 0.5, is_maximum=False),
)  # fmt: skip


def measure(url: PostgresqlUrl, bus: str, folder: Path) -> Measured:
    """Measure everything once."""
    sqlite, postgresql, split = Topology(1), Topology(1, url), Topology(1, url, bus, owners=1)
    bets = {"SQLite": _bets(sqlite, folder), "PostgreSQL": _bets(postgresql, folder)}
    by_gateway = _bets(split, folder)
    found = {f"bet {store}": times["p99"] for store, times in bets.items()}
    found |= _named("bet by gateway", by_gateway) | bare_sqlite(folder) | bare_postgresql(url)
    found |= _named("round trip", latencies_ms(asyncio.run(round_trips(bus))))
    for topology, store in ((sqlite, "SQLite"), (postgresql, "PostgreSQL")):
        rounds, cores = _rounds_per_s(topology, folder)
        found |= {f"rounds {store}": rounds, f"cpu ms a round {store}": 1_000 * cores / rounds}
    return found


def _named(work: str, times: dict[str, float]) -> Measured:
    return {work: times["p99"], f"{work}, p50": times["p50"]}


# --- servers


def _bets(topology: Topology, folder: Path) -> dict[str, float]:
    """Return the latencies of bets at a live table, each of them durable when it is acknowledged."""
    size = ScaleSize(BETTORS, BETTORS, ROUND_S, LIVE_SECONDS, UNLIMITED, live_tables=1)
    (step,) = measure_growth(topology, size, folder, _ignore).steps
    _check(topology, step.refused, step.lost)
    bets: dict[str, float] = to_builtins(step.commands)
    return bets


def _rounds_per_s(topology: Topology, folder: Path) -> tuple[float, float]:
    """Return rounds a second, and the server's processors in use.

    Players begin their next round as soon as the last one is over.
    """
    tables = tuple(table for table in own_tables() if table.id == OWN_TABLE)
    interval_s = 0.05  # an attempt while a round isn't over is skipped
    with (
        TemporaryDirectory(dir=folder) as made,
        running_nodes(topology, Path(made), SOCKETS, _ignore) as nodes,
    ):
        plan = GrowthPlan(nodes.servers, (), tables, CURRENCY, (SOCKETS,), interval_s, OWN_SECONDS, UNLIMITED)
        (step,) = run_module("own_tables", to_builtins(plan), _ignore, ANYWHERE.clients)
    _check(topology, step["refused"], step["lost"])
    attempts = int(OWN_SECONDS * SOCKETS / interval_s)
    return (attempts - step["skipped"]) / OWN_SECONDS, step["cpu_cores"]


def _check(topology: Topology, refused: dict[str, int], lost: int) -> None:
    if refused or lost:
        raise SystemExit(f"{topology.name}: refused {refused}, players cut off: {lost}")


def _ignore(_: str) -> None: ...


# --- the bare work


def _commits(name: str, commit: Callable[[int], object]) -> Measured:
    """Return times and rate of commits of a row, one after the other."""
    times = []
    for number in range(COMMITS):
        began = perf_counter()
        commit(number)
        times.append(perf_counter() - began)
    return {**_named(f"commit {name}", latencies_ms(times)), f"commits {name}": COMMITS / sum(times)}


def bare_sqlite(folder: Path) -> Measured:
    """Commit with the settings of the server's writer."""
    with TemporaryDirectory(dir=folder) as made, closing(open_writer(Path(made) / "bare.db")) as connection:
        assert isinstance(connection, sqlite3.Connection)
        connection.execute("CREATE TABLE bare (number INTEGER)")
        return _commits("SQLite", lambda n: connection.execute("INSERT INTO bare VALUES (?)", (n,)))


def bare_postgresql(url: PostgresqlUrl) -> Measured:
    with closing(connect(url, {})) as connection:
        connection.execute("DROP TABLE IF EXISTS bare")
        connection.execute("CREATE TABLE bare (number INTEGER)")
        try:
            return _commits("PostgreSQL", lambda n: connection.execute("INSERT INTO bare VALUES ($1)", (n,)))
        finally:
            connection.execute("DROP TABLE bare")


async def round_trips(url: str) -> Sequence[float]:
    """Return the times of requests from one connection that another answers, one after the other."""
    import nats

    served, asking = await nats.connect(url), await nats.connect(url)
    try:
        await served.subscribe("croupier_bench.echo", cb=_echo)
        await asyncio.sleep(0)  # the client's flush overtakes what it hasn't sent yet
        await served.flush()
        return [await _timed(asking.request("croupier_bench.echo", b"x" * 100)) for _ in range(ROUND_TRIPS)]
    finally:
        await served.close()
        await asking.close()


async def _echo(message: Any) -> None:
    await message.respond(message.data)


async def _timed(work: Any) -> float:
    began = perf_counter()
    await work
    return perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("database", type=postgresql_url, metavar="POSTGRESQL_URL")
    parser.add_argument("bus", metavar="NATS_URL")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument(
        "--folder", type=Path, default=Path(gettempdir()), help="for SQLite, on the disk to test"
    )
    arguments = parser.parse_args()
    raise_descriptor_limit()
    runs = []
    for number in range(arguments.runs):
        load, began = os.getloadavg()[0], perf_counter()
        runs.append(measure(arguments.database, arguments.bus, arguments.folder))
        about = {"run": number, "load": load, "seconds": round(perf_counter() - began)}
        print(json.dumps(about | {name: round(value, 3) for name, value in runs[-1].items()}), flush=True)
    for ratio in RATIOS:
        print(ratio.shown(runs))


if __name__ == "__main__":
    main()
