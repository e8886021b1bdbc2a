"""The sequence of `croupier bench live`."""

from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from croupier.bench import guests, peers, server
from croupier.bench.figures import Results
from croupier.bench.play import CHURN_CLIENTS
from croupier.bench.process import (
    RAISED,
    UNRAISED,
    Placements,
    StatusCallback,
    raise_descriptor_limit,
    run_module,
    session_priority,
)

TABLE = "infinite"
SPARE_DESCRIPTORS = 200
"""Descriptors that a server needs besides its players' sockets."""
STARTS = 3
ROUND_MS = {"warning_ms": 5_000, "offer_ms": 8_000, "pause_ms": 2_000}
BETTING_MARGIN_S = 1.5
"""Margins before and after the bets, within the time for bets."""


class LoadSize(NamedTuple):
    """The amount of work; `rate` is the number of bets per second, and of decisions."""

    players: int = 10_000
    rate: float = 2_000
    rounds: int = 3
    players_max: int = 20_000
    """Maximum number of clients at the end, if descriptors allow."""
    lines: int = 8
    """Chat messages, each broadcast to everybody."""
    busy: bool = False
    """True if the machine has other work, so that clients shouldn't give way."""

    @property
    def places(self) -> Placements:
        return UNRAISED if self.busy else RAISED

    @property
    def betting_ms(self) -> int:
        """The time for everybody to bet, and for every other player to change their bet."""
        return int((1.5 * self.players / self.rate + BETTING_MARGIN_S) * 1000) + ROUND_MS["warning_ms"]

    @property
    def decision_ms(self) -> int:
        return int((self.players / self.rate + 2) * 1000)


class LiveBenchResult(NamedTuple):
    """The results of the server and of the peers, and why peers are missing."""

    results: Results
    peers: Mapping[str, Results]
    missing: Mapping[str, str]


def run(size: LoadSize, folder: Path, status: StatusCallback, *, with_peers: bool) -> LiveBenchResult:
    """Measure everything, with data folders below `folder`. Raises ProcessFailed."""
    with nullcontext() if size.busy else session_priority():
        return _run(size, folder, status, with_peers=with_peers)


def _run(size: LoadSize, folder: Path, status: StatusCallback, *, with_peers: bool) -> LiveBenchResult:
    players_max = min(size.players_max, raise_descriptor_limit() - SPARE_DESCRIPTORS - CHURN_CLIENTS)
    with TemporaryDirectory(dir=folder) as made:
        results = _measure_server(size, players_max, Path(made), status)
        status("the ledger alone")
        plan = {"players": size.players, "folder": made}
        results["ledger"] = run_module("ledger", plan, status, UNRAISED.server)
    missing: dict[str, str] = {}
    others: dict[str, Results] = {}
    for peer, result in peers.measured(_work(size, results), size.places, status) if with_peers else ():
        (missing if isinstance(result, str) else others)[peer.name] = result
    return LiveBenchResult(results, others, missing)


def _measure_server(size: LoadSize, players_max: int, data: Path, status: StatusCallback) -> dict[str, Any]:
    status(f"{max(players_max, size.players):,} guests are added to the database")
    tokens = data / "tokens"
    tokens.write_text("\n".join(guests.add_guests(data, max(players_max, size.players) + CHURN_CLIENTS)))
    config_file = data / "croupier.toml"
    config_file.write_text(_server_config_text(size))
    status("the server starts")
    starts = [_first_page_s(data, config_file, size.places) for _ in range(STARTS)]
    with server.running_server(data, size.places, ("--config", str(config_file))) as running:
        plan = {
            "process": running.process,
            "port": running.socket_port,
            "tokens": str(tokens),
            "table": TABLE,
        }
        plan |= {"origin": running.origin}
        plan |= {"players": size.players, "rate": size.rate, "rounds": size.rounds, "lines": size.lines}
        plan["yield_processor"] = not size.busy
        results: dict[str, Any] = run_module("play", plan, status, size.places.clients)
    _add_ledger_totals(data, results)
    return results | {"first_page_s": median(starts), "players": size.players}


def _server_config_text(size: LoadSize) -> str:
    waits = {"betting_ms": size.betting_ms, "decision_ms": size.decision_ms, **ROUND_MS}
    lines = [f"{name} = {value}" for name, value in waits.items()]
    return "\n".join([f"[{TABLE}]", *lines, ""])


def _first_page_s(data: Path, config_file: Path, places: Placements) -> float:
    with server.running_server(data, places, ("--config", str(config_file))) as running:
        return running.first_page_s


def _add_ledger_totals(data: Path, results: Mapping[str, Any]) -> None:
    """Add the ledger's totals and times to the rounds that the clients played."""
    settled = server.coups(data, TABLE)
    for round_ in results["rounds"]:
        round_["settlement_ms"] = round_["results_sent_ms"] - settled.get(round_["id"], 0)
        round_["ledger"] = list(server.paid(data, round_["id"]))


def _work(size: LoadSize, results: Results) -> dict[str, Any]:
    """Return comparable work for an echo server: messages of the same number, rate and sizes."""
    sizes = results["sizes"]
    return {
        "players": size.players,
        "commands": int(1.5 * size.players),
        "rate": size.rate,
        "broadcasts_per_s": 4,
        "command_bytes": sizes["command"],
        "broadcast_bytes": sizes["pulse"],
        "event_bytes": sizes["chat"],
        "events": size.lines,
    }
