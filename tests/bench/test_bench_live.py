"""A small run of `croupier bench live`: connections, messages received, and the ledger."""

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
PLAYERS, CROWDED, BETS = 24, 30, 36
WORK = {
    "players": PLAYERS,
    "commands": BETS,
    "rate": 40,
    "told_each_s": 4,
    "command_bytes": 320,
    "told_bytes": 280,
    "event_bytes": 180,
    "events": 2,
}
COMMAND = "from croupier.cli.main import app; import sys; app(sys.argv[1:], prog_name='croupier')"


def bench(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", COMMAND, "bench", "live", *words]
    return subprocess.run(command, capture_output=True, check=False, text=True)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The output of a small run, which can't reach the target of ten thousand players."""
    words = ("--players", str(PLAYERS), "--crowded", str(CROWDED), "--rate", "40", "--rounds", "1")
    done = bench(*words, "--no-peers", "--busy", "--json", "--folder", str(tmp_path_factory.mktemp("bench")))
    assert done.returncode == 1, done.stderr
    return json.loads(done.stdout)


def test_nothing_was_lost_refused_or_wrong(told: Any) -> None:
    assert told["faults"] == []


def test_everybody_connected_bet_decided_and_received_results(told: Any) -> None:
    found = told["found"]
    (played,) = found["rounds"]
    assert found["crowded"] == CROWDED
    assert played["told"] == PLAYERS
    assert found["bets"]["number"] >= BETS
    assert played["books"] == [played["staked_minor"], played["returned_minor"]]
    assert played["staked_minor"] > 0


def test_every_figure_is_printed_with_the_machine(told: Any) -> None:
    assert [figure["work"] for figure in told["figures"]] == [row.work for row in FIGURES]
    assert told["figures"][0]["measured"] == CROWDED
    assert told["figures"][0]["reached"] is False
    assert {"processor", "python", "sqlite", "picows", "sync_ms", "goes_first"} <= told["machine"].keys()


def test_no_folder_no_bench(tmp_path: Path) -> None:
    done = bench("--folder", str(tmp_path / "none"))
    assert done.returncode == 2
    assert "--folder" in done.stderr


def test_bare_sockets_need_nothing_and_a_peer_that_can_not_be_installed_is_missing_with_a_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for name in ("npm_config_registry", "PIP_INDEX_URL"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm"))
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_CONFIG_FILE"):
        monkeypatch.setenv(name, "")
    said = dict(peers.measured(WORK, UNRAISED, lambda _doing: None))
    assert list(said) == list(peers.PEERS)
    bare, *others = said.values()
    assert bare["players"] == PLAYERS
    assert (bare["command"]["number"], bare["command"]["unanswered"]) == (BETS, 0)
    assert bare["event"]["number"] == WORK["events"]
    assert all("not installed (offline?)" in why for why in others)
    assert not list((tmp_path / "croupier" / "bench").glob("*.installed"))
