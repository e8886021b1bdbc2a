"""A small run of `croupier bench live`: connections, messages received, the ledger, and peers."""

import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from croupier.bench import peers, run
from croupier.bench.figures import FIGURES
from croupier.bench.process import UNRAISED
from croupier.cli.main import app
from tests.bench.in_process import bench_here

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the bench runs on Linux only")
PLAYERS, PLAYERS_MAX, BETS = 24, 30, 36
WORK = {
    "players": PLAYERS,
    "commands": BETS,
    "rate": 100,
    "broadcasts_per_s": 4,
    "command_bytes": 320,
    "broadcast_bytes": 280,
    "event_bytes": 180,
    "events": 2,
}
ROUND_MS = {"warning_ms": 500, "offer_ms": 2_500, "pause_ms": 300}
LINES = 3


def bench(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["bench", "live", *arguments])


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return the output of a run that is too small to reach the target of ten thousand players."""
    arguments = (
        "--players",
        str(PLAYERS),
        "--players-max",
        str(PLAYERS_MAX),
        "--rate",
        "100",
        "--rounds",
        "1",
    )
    folder = str(tmp_path_factory.mktemp("bench"))
    with bench_here() as patch:
        patch.setattr(run, "ROUND_MS", ROUND_MS)
        patch.setattr(run, "STARTS", 1)
        patch.setattr(run, "LoadSize", partial(run.LoadSize, lines=LINES))
        done = bench(*arguments, "--no-peers", "--busy", "--json", "--folder", folder)
    assert done.exit_code == 1, done.stderr
    return json.loads(done.stdout)


def test_no_faults_are_reported(output: Any) -> None:
    assert output["faults"] == []


def test_every_player_bets_decides_and_receives_results(output: Any) -> None:
    results = output["results"]
    (played,) = results["rounds"]
    assert results["event_recipients"] == PLAYERS_MAX
    assert played["results_received"] == PLAYERS
    assert results["bets"]["number"] >= BETS
    assert played["ledger"] == [played["staked_minor"], played["returned_minor"]]
    assert played["staked_minor"] > 0


def test_every_figure_is_printed_with_the_machine(output: Any) -> None:
    assert [figure["work"] for figure in output["figures"]] == [row.work for row in FIGURES]
    assert output["figures"][0]["measured"] == PLAYERS_MAX
    assert output["figures"][0]["met"] is False
    assert {"processor", "python", "sqlite", "aiofastnet", "sync_ms", "raised_priority"} <= output[
        "machine"
    ].keys()


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    done = bench("--folder", str(tmp_path / "none"))
    assert done.exit_code == 2
    assert "--folder" in done.stderr


@pytest.mark.parametrize(
    "listed",
    [
        pytest.param(peers.PEERS[:2], id="npm"),
        pytest.param(peers.PEERS, id="npm-and-pypi", marks=pytest.mark.campaign),
    ],
)
def test_peers_that_cannot_be_installed_are_omitted_with_a_reason(
    listed: tuple[peers.Peer, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An environment for Python takes seconds to make, so only the campaign makes it."""
    monkeypatch.setattr(peers, "PEERS", listed)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for name in ("npm_config_registry", "PIP_INDEX_URL"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm"))
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_CONFIG_FILE"):
        monkeypatch.setenv(name, "")
    results = dict(peers.measured(WORK, UNRAISED, lambda _doing: None))
    assert tuple(results) == listed
    bare, *others = results.values()
    assert bare["players"] == PLAYERS
    assert (bare["command"]["number"], bare["command"]["unanswered"]) == (BETS, 0)
    assert bare["event"]["number"] == WORK["events"]
    assert all("not installed (offline?)" in reason for reason in others)
    assert not list((tmp_path / "croupier" / "bench").glob("*.installed"))
