"""A small run of `croupier bench live`: connections, messages received, the ledger, and peers."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from croupier.bench import peers
from croupier.bench.figures import FIGURES
from croupier.bench.process import UNRAISED

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the bench runs on Linux only")
PLAYERS, PLAYERS_MAX, BETS = 24, 30, 36
WORK = {
    "players": PLAYERS,
    "commands": BETS,
    "rate": 40,
    "broadcasts_per_s": 4,
    "command_bytes": 320,
    "broadcast_bytes": 280,
    "event_bytes": 180,
    "events": 2,
}
COMMAND = "from croupier.cli.main import app; import sys; app(sys.argv[1:], prog_name='croupier')"


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", COMMAND, "bench", "live", *arguments]
    return subprocess.run(command, capture_output=True, check=False, text=True)


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return the output of a run that is too small to reach the target of ten thousand players."""
    arguments = (
        "--players",
        str(PLAYERS),
        "--players-max",
        str(PLAYERS_MAX),
        "--rate",
        "40",
        "--rounds",
        "1",
    )
    done = bench(
        *arguments, "--no-peers", "--busy", "--json", "--folder", str(tmp_path_factory.mktemp("bench"))
    )
    assert done.returncode == 1, done.stderr
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
    assert done.returncode == 2
    assert "--folder" in done.stderr


def test_peers_that_cannot_be_installed_are_omitted_with_a_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for name in ("npm_config_registry", "PIP_INDEX_URL"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm"))
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_CONFIG_FILE"):
        monkeypatch.setenv(name, "")
    results = dict(peers.measured(WORK, UNRAISED, lambda _doing: None))
    assert list(results) == list(peers.PEERS)
    bare, *others = results.values()
    assert bare["players"] == PLAYERS
    assert (bare["command"]["number"], bare["command"]["unanswered"]) == (BETS, 0)
    assert bare["event"]["number"] == WORK["events"]
    assert all("not installed (offline?)" in reason for reason in others)
    assert not list((tmp_path / "croupier" / "bench").glob("*.installed"))
