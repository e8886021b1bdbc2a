"""A small run of `croupier bench scale`: steps, several nodes, the plot, and what is refused."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.testing import CliRunner, Result

from croupier.bench.live_table_files import live_tables, write_table_options
from croupier.bench.scale import Growth, Latencies, ScaleSize, ScaleStep, Topology, measure, own_tables
from croupier.cli import bench_scale
from croupier.cli.bench_scale import planned_topologies
from croupier.cli.configuration import read_server_config
from croupier.cli.main import app
from croupier.cli.output import server_tables
from croupier.ledger import entries
from croupier.ledger.sql.databases import PostgresqlUrl
from croupier.ledger.stores import open_ledger
from tests.bench.in_process import bench_here
from tests.ledger.sample_entries import ROUND, grant, new_key
from tests.support.nats_server import NatsServer
from tests.support.postgresql import database

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the bench runs on Linux only")
SMALL = ("--round-s", "1", "--limit-ms", "5000", "--json")
NAMES = ["SQLite, 1 node", "PostgreSQL, 1 node", "PostgreSQL and NATS, 2 nodes"]


class Run(NamedTuple):
    """A run of the command: its topologies, counted from the last of NAMES, and its steps."""

    topologies: int
    steps: tuple[int, ...]
    seconds: int

    @property
    def names(self) -> list[str]:
        return NAMES[-self.topologies :]


def bench(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["bench", "scale", *arguments])


@pytest.fixture(scope="module")
def postgresql() -> Iterator[PostgresqlUrl]:
    """Return a database in which a run before has left a round open, whose key is gone."""
    with database(f"croupier_bench_{os.getpid()}") as url:
        with closing(open_ledger(url)) as ledger:
            opened = {"shoe": "a shoe that another key sealed"}
            left = entries.deal(ROUND, new_key(), 2_000, number="#10:00:00", staked_minor=10, opened=opened)
            ledger.post([grant(100), left]).result()
        yield url


RUNS = [
    pytest.param(Run(1, (20,), 1), id="several-nodes"),
    pytest.param(Run(3, (20, 30), 2), id="all", marks=pytest.mark.campaign),
]
"""Those of every topology take a minute."""


@pytest.fixture(scope="module", params=RUNS)
def ran(request: pytest.FixtureRequest) -> Run:
    found: Run = request.param
    return found


@pytest.fixture(scope="module")
def output(ran: Run, postgresql: PostgresqlUrl, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return the output of a run, and the plot as `plot`."""
    folder = tmp_path_factory.mktemp("bench")
    players = "--players", str(ran.steps[0]), "--players-max", str(ran.steps[-1])

    def planned(*options: Any, **more: Any) -> list[Topology]:
        return planned_topologies(*options, **more)[-ran.topologies :]

    with NatsServer() as nats, bench_here() as patch:
        patch.setattr(bench_scale, "planned_topologies", planned)
        several = "--database", postgresql.text, "--bus", nats.url, "--seconds", str(ran.seconds)
        plot = "--folder", str(folder), "--plot", str(folder / "plot.svg")
        done = bench(*SMALL, *players, *several, *plot)
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout) | {"plot": (folder / "plot.svg").read_text()}


def test_every_topology_carries_all_players(ran: Run, output: Any) -> None:
    assert output["carried"] == dict.fromkeys(ran.names, ran.steps[-1])


def test_rounds_are_played_and_commands_timed(ran: Run, output: Any) -> None:
    assert [topology["topology"] for topology in output["topologies"]] == ran.names
    for topology in output["topologies"]:
        assert tuple(step["players"] for step in topology["steps"]) == ran.steps
        for step in topology["steps"]:
            begun = step["players"] * ran.seconds - step["skipped"]
            assert step["commands"]["number"] > 0.7 * begun > 0
            assert 0 < step["commands"]["p50"] <= step["commands"]["p99"]
            assert step["cpu_cores"] > 0
            assert (step["refused"], step["lost"]) == ({}, 0)


def test_the_plot_names_the_topologies(output: Any) -> None:
    for topology in output["topologies"]:
        assert topology["topology"] in output["plot"]


@pytest.mark.campaign
def test_players_at_live_tables_of_two_owners_bet_and_hear_each_other(
    postgresql: PostgresqlUrl, tmp_path: Path
) -> None:
    size = ScaleSize(20, 20, round_s=1.5, seconds=3, limit_ms=5_000, live_tables=2)
    with NatsServer() as nats, bench_here():
        grown = measure(Topology(2, postgresql, nats.url, owners=2), size, tmp_path, lambda _: None)
    assert (grown.topology, grown.faults) == ("PostgreSQL and NATS, 2 gateways, 2 owners", [])
    (step,) = grown.steps
    assert step.commands.number >= 20
    assert 0 < step.commands.p50 <= step.commands.p99
    assert step.to_all.number == 6
    assert step.to_all.p99 > 0
    assert step.results.number >= 1
    assert step.cpu_cores > 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--bus", "nats://127.0.0.1:4222"], "--bus needs --database"),
        (["--database", "postgresql://127.0.0.1/casino"], 'name a database with "bench" in its name'),
        (["--database", "casino"], "isn't of the form"),
        (["--plot", "plot.pdf"], "ends in .svg or .png"),
    ],
)
def test_what_cannot_be_measured_is_refused_at_once(arguments: list[str], said: str) -> None:
    done = bench(*arguments)
    assert done.exit_code == 2
    assert said in done.stderr


def step(players: int, p99: float, lost: int = 0) -> ScaleStep:
    latencies = Latencies(1, p99, p99, p99, p99)
    return ScaleStep(players, latencies, 1.0, 1.0, latencies, 0, {}, lost)


@pytest.mark.parametrize(
    ("steps", "carried"),
    [
        ([step(10, 4), step(20, 50), step(30, 51)], 20),
        ([step(10, 51)], None),
        ([step(10, 4), step(20, 4, lost=1)], 10),
    ],
)
def test_the_last_step_within_the_limit_counts(steps: list[ScaleStep], carried: int | None) -> None:
    found = Growth("SQLite", 1, 50, tuple(steps)).carried
    assert (found and found.players) == carried


def test_steps_grow_by_half_up_to_the_maximum() -> None:
    assert ScaleSize(100, 400).steps == (100, 150, 225, 338, 400)
    assert ScaleSize(100, 100).steps == (100,)


def test_players_play_at_every_published_own_table_and_no_live_one() -> None:
    assert {table.id for table in own_tables()} >= {"classic", "multihand", "roulette", "baccarat"}
    assert not any(table.id.startswith("live") or table.id == "infinite" for table in own_tables())


def test_servers_accept_the_tables_of_the_bench(tmp_path: Path) -> None:
    options = write_table_options(tmp_path / "tables", live_tables(2), round_s=6)
    tables = server_tables(Path(options[1]))
    config = read_server_config(Path(options[3]), tables)
    assert config.live_table("bench_1").betting_ms == 3_600
    assert tables["bench_1"].dealing == "live"


def test_at_live_tables_each_gateway_has_an_owner() -> None:
    url = "postgresql://h/bench"
    names = [each.name for each in planned_topologies(url, "nats://h", nodes=2, live=True)]
    assert names[-2:] == [
        "PostgreSQL and NATS, 1 gateway, 1 owner",
        "PostgreSQL and NATS, 2 gateways, 2 owners",
    ]


def test_topologies_are_named() -> None:
    assert Topology(1).name == "SQLite, 1 node"
    several = Topology(3, PostgresqlUrl("postgresql://h/b"), "nats://h")
    assert several.name == "PostgreSQL and NATS, 3 nodes"
    assert several._replace(owners=1).name == "PostgreSQL and NATS, 3 gateways, 1 owner"
