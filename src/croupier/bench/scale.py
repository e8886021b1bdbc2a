"""The sequence of `croupier bench scale`: more and more players, on one server and on several nodes."""

import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from msgspec import Struct, convert, to_builtins

from croupier.app.serve import SHOES_KEY
from croupier.bench import live_table_files
from croupier.bench.growing_load import GrowthPlan, MeasuredServer, PlayedTable
from croupier.bench.guests import add_guests
from croupier.bench.process import ANYWHERE, StatusCallback, raise_descriptor_limit, run_module
from croupier.bench.server import RunningServer, running_owner, running_server
from croupier.games import published_tables
from croupier.ledger.sql.databases import PostgresqlUrl

CURRENCY = "GC"
"""Play money, which all published own tables take."""
CLUSTER_KEY = "cluster.key"
GROWTH = 1.5
"""Ratio of players from one step to the next."""


class Topology(NamedTuple):
    """Servers on one database. `url` None: SQLite, which one server has alone; `bus` empty: no others.

    With `owners`, the nodes are gateways, and as many more run the live tables. `sealed`: as messages on the
    bus are, except to measure what that costs.
    """

    nodes: int
    url: PostgresqlUrl | None = None
    bus: str = ""
    owners: int = 0
    sealed: bool = True

    @property
    def name(self) -> str:
        store = "PostgreSQL and NATS" if self.bus else "PostgreSQL" if self.url else "SQLite"
        nodes = _counted(self.nodes, "gateway" if self.owners else "node")
        return f"{store}, {nodes}" + (f", {_counted(self.owners, 'owner')}" if self.owners else "")

    def options(self, folder: Path) -> Sequence[str]:
        """Return the options of all its servers; rounds that a run before has left open are void.

        `folder`: has the key of the cluster.
        """
        database = ("--database", self.url.text, "--void-unreadable") if self.url else ()
        if not self.bus:
            return database
        key = ("--cluster-key", str(_cluster_key(folder))) if self.sealed else ()
        return *database, "--bus", self.bus, "--insecure-bus", *key


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


class ScaleSize(NamedTuple):
    """The amount of work: steps from `players_first` to `players_max` players."""

    players_first: int = 250
    players_max: int = 10_000
    round_s: float = 6.0
    """Time from one round of a player to their next."""
    seconds: float = 10.0
    """Measured time of each step."""
    limit_ms: float = 50.0
    """The largest p99 of a command that still counts."""
    live_tables: int = 0
    """Number of live tables where everyone plays; 0: they play at own tables."""

    @property
    def steps(self) -> tuple[int, ...]:
        steps, players = list[int](), float(self.players_first)
        while players < self.players_max:
            steps.append(round(players))
            players *= GROWTH
        return *steps, self.players_max


class Latencies(Struct, frozen=True):
    """Quantiles in milliseconds, of `number` values; 0 if there are none."""

    number: int
    p50: float = 0.0
    p99: float = 0.0
    p99_9: float = 0.0
    max: float = 0.0


NO_LATENCIES = Latencies(0)


class ScaleStep(Struct, frozen=True):
    """A number of players, and what was measured of their commands.

    `late`: how much later than planned rounds were begun. `skipped`: rounds that weren't begun, since the
    player's last one wasn't over, and bets at live tables that came too late. `memory_kib_each`: of the
    servers that players connect to, for each player who was new in this step.

    Of live tables only: `to_all`, from a line of chat until everyone at the table has it; `results`, from the
    first player's result of a round to the last player's.
    """

    players: int
    commands: Latencies
    commands_per_s: float
    cpu_cores: float
    late: Latencies
    skipped: int
    refused: dict[str, int]
    lost: int
    memory_kib_each: float = 0.0
    to_all: Latencies = NO_LATENCIES
    results: Latencies = NO_LATENCIES


class Growth(Struct, frozen=True):
    """The steps of a topology. The last one exceeds the limit, unless it has the most players asked for."""

    topology: str
    nodes: int
    limit_ms: float
    steps: tuple[ScaleStep, ...]

    @property
    def carried(self) -> ScaleStep | None:
        """The step with the most players within the limit."""
        return max(filter(self._is_within, self.steps), key=lambda step: step.players, default=None)

    def _is_within(self, step: ScaleStep) -> bool:
        return step.commands.p99 <= self.limit_ms and not step.lost

    @property
    def faults(self) -> list[str]:
        """Everything that makes the figures invalid."""
        refused = {code: number for step in self.steps for code, number in step.refused.items()}
        lost = max(step.lost for step in self.steps)
        return [f"{self.topology}: refused: {number} x {code}" for code, number in refused.items()] + (
            [f"{self.topology}: players cut off: {lost}"] if lost else []
        )


class RunningNodes(NamedTuple):
    """The servers that players connect to, and the processes of those that only own live tables."""

    servers: tuple[MeasuredServer, ...]
    owners: tuple[int, ...]


class ServerOptions(NamedTuple):
    """Options of the servers that players connect to, and of each owner of live tables."""

    servers: Sequence[str] = ()
    owners: Sequence[Sequence[str]] = ()


NO_OPTIONS = ServerOptions()


def measure(topology: Topology, size: ScaleSize, folder: Path, status: StatusCallback) -> Growth:
    """Measure a topology, with data folders below `folder`. Raises ProcessFailed."""
    raise_descriptor_limit()
    with TemporaryDirectory(dir=folder) as made:
        module, tables, currency, options = _load(topology, size, Path(made))
        with running_nodes(topology, Path(made), size.players_max, status, options) as nodes:
            plan = GrowthPlan(
                nodes.servers,
                nodes.owners,
                tables,
                currency,
                size.steps,
                size.round_s,
                size.seconds,
                size.limit_ms,
            )

            def report(doing: str) -> None:
                status(f"{topology.name}: {doing}")

            steps = run_module(module, to_builtins(plan), report, ANYWHERE.clients)
    return Growth(topology.name, topology.nodes, size.limit_ms, convert(steps, tuple[ScaleStep, ...]))


def _load(
    topology: Topology, size: ScaleSize, folder: Path
) -> tuple[str, tuple[PlayedTable, ...], str, ServerOptions]:
    """Return the module that plays, its tables and currency, and options of the servers."""
    if not size.live_tables:
        return "own_tables", own_tables(), CURRENCY, NO_OPTIONS
    tables = live_table_files.live_tables(size.live_tables)

    def written(name: str, some: Sequence[PlayedTable]) -> Sequence[str]:
        return live_table_files.write_table_options(folder / name, some, size.round_s)

    shares = [tables[number :: topology.owners] for number in range(topology.owners)]
    owners = [written(f"tables_{number}", share) for number, share in enumerate(shares)]
    return "live_tables", tables, live_table_files.CURRENCY, ServerOptions(written("tables", tables), owners)


def own_tables() -> tuple[PlayedTable, ...]:
    """Return the published own tables, with the smallest stake on their first bet."""
    found = (table for table in published_tables().values() if CURRENCY in table.limits)
    return tuple(
        PlayedTable(each.id, next(iter(each.bets)), each.limits[CURRENCY].min_minor) for each in found
    )


@contextmanager
def running_nodes(
    topology: Topology,
    folder: Path,
    players: int,
    status: StatusCallback,
    options: ServerOptions = NO_OPTIONS,
) -> Iterator[RunningNodes]:
    """Run the servers of a topology; each that players connect to has its share of the players."""
    each = -(-players // topology.nodes)
    status(f"{topology.name}: {each * topology.nodes:,} guests are added to the database")
    folders = [folder / f"node_{number}" for number in range(topology.nodes)]
    tokens = add_guests(folders[0], each * topology.nodes, topology.url)
    with ExitStack() as stack:
        servers, owners = list[MeasuredServer](), list[int]()
        for number, data in enumerate(folders):
            status(f"{topology.name}: server {number + 1} starts")
            _share_key(folders[0], data)
            role = ("--roles", "gateway") if topology.owners else ()
            every = (*topology.options(folder), *options.servers, *role)
            running = stack.enter_context(running_server(data, ANYWHERE, every))
            servers.append(_measured(running, tokens[number * each : (number + 1) * each]))
        for number in range(topology.owners):
            status(f"{topology.name}: owner {number + 1} starts")
            data = folder / f"owner_{number}"
            _share_key(folders[0], data)
            of_owner = options.owners[number] if options.owners else options.servers
            every = (*topology.options(folder), *of_owner)
            owners.append(stack.enter_context(running_owner(data, ANYWHERE.server, every)))
        yield RunningNodes(tuple(servers), tuple(owners))


def _cluster_key(folder: Path) -> Path:
    """Return the file of a key for the servers' messages."""
    key = folder / CLUSTER_KEY
    if not key.exists():
        key.write_text(secrets.token_hex(32))
    return key


def _share_key(first: Path, data: Path) -> None:
    """Make the data folder of a later node, with the key of the first one."""
    if data != first:
        data.mkdir()
        shutil.copy(first / SHOES_KEY, data / SHOES_KEY)


def _measured(running: RunningServer, tokens: Sequence[str]) -> MeasuredServer:
    return MeasuredServer(running.process, running.socket_port, running.origin, tuple(tokens))
