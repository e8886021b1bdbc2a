"""The sequence of `croupier bench live`."""

from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from croupier.bench import guests, peers, server
from croupier.bench.figures import Found
from croupier.bench.play import CHURN_CLIENTS
from croupier.bench.process import (
    RAISED,
    UNRAISED,
    Placements,
    StatusCallback,
    most_descriptors,
    run_module,
    session_priority,
)

TABLE = "infinite"
SPARE_DESCRIPTORS = 200
"""Descriptors that a server needs besides its players' sockets."""
STARTS = 3
ROUND_MS = {"warning_ms": 5_000, "offer_ms": 8_000, "pause_ms": 2_000}
BETS_AFTER_S = 1.5
"""Margins before and after the bets, within the time for bets."""


class LoadSize(NamedTuple):
    """The amount of work; `rate` is bets, and decisions, per second."""

    players: int = 10_000
    rate: float = 2_000
    rounds: int = 3
    crowded: int = 20_000
    """Maximum number of clients at the end, if descriptors allow."""
    lines: int = 8
    """Lines of chat, each broadcast to everybody."""
    busy: bool = False
    """Whether the machine has other work, so that clients shouldn't give way."""

    @property
    def places(self) -> Placements:
        return UNRAISED if self.busy else RAISED

    @property
    def betting_ms(self) -> int:
        """The time for everybody to bet, and for every other player to change their bet."""
        return int((1.5 * self.players / self.rate + BETS_AFTER_S) * 1000) + ROUND_MS["warning_ms"]

    @property
    def decision_ms(self) -> int:
        return int((self.players / self.rate + 2) * 1000)


class LiveBenchResult(NamedTuple):
    """The results of the server and of the peers, and why peers are missing."""

    found: Found
    peers: Mapping[str, Found]
    missing: Mapping[str, str]


def run(size: LoadSize, folder: Path, say: StatusCallback, *, with_peers: bool) -> LiveBenchResult:
    """Measure everything, with data folders below `folder`. Raises ProcessFailed."""
    with nullcontext() if size.busy else session_priority():
        return _run(size, folder, say, with_peers=with_peers)


def _run(size: LoadSize, folder: Path, say: StatusCallback, *, with_peers: bool) -> LiveBenchResult:
    crowded = min(size.crowded, most_descriptors() - SPARE_DESCRIPTORS - CHURN_CLIENTS)
    with TemporaryDirectory(dir=folder) as made:
        found = _measure_server(size, crowded, Path(made), say)
        say("the ledger alone")
        plan = {"players": size.players, "folder": made}
        found["books"] = run_module("ledger", plan, say, UNRAISED.server)
    missing: dict[str, str] = {}
    others: dict[str, Found] = {}
    for peer, told in peers.measured(_work(size, found), size.places, say) if with_peers else ():
        (missing if isinstance(told, str) else others)[peer.name] = told
    return LiveBenchResult(found, others, missing)


def _measure_server(size: LoadSize, crowded: int, data: Path, say: StatusCallback) -> dict[str, Any]:
    say(f"{max(crowded, size.players):,} guests are added to the database")
    tokens = data / "tokens"
    tokens.write_text("\n".join(guests.add_guests(data, max(crowded, size.players) + CHURN_CLIENTS)))
    config_file = data / "floor.toml"
    config_file.write_text(_server_config_text(size))
    say("the server starts")
    starts = [_first_page_s(data, config_file, size.places) for _ in range(STARTS)]
    with server.running_server(data, config_file, size.places) as running:
        plan = {
            "process": running.process,
            "port": running.socket_port,
            "tokens": str(tokens),
            "table": TABLE,
        }
        plan |= {"origin": running.origin}
        plan |= {"players": size.players, "rate": size.rate, "rounds": size.rounds, "lines": size.lines}
        plan["yield_processor"] = not size.busy
        found: dict[str, Any] = run_module("play", plan, say, size.places.clients)
    _add_ledger_totals(data, found)
    return found | {"first_page_s": median(starts), "players": size.players}


def _server_config_text(size: LoadSize) -> str:
    waits = {"betting_ms": size.betting_ms, "decision_ms": size.decision_ms, **ROUND_MS}
    lines = [f"{name} = {value}" for name, value in waits.items()]
    return "\n".join([f"[{TABLE}]", *lines, ""])


def _first_page_s(data: Path, config_file: Path, places: Placements) -> float:
    with server.running_server(data, config_file, places) as running:
        return running.first_page_s


def _add_ledger_totals(data: Path, found: Mapping[str, Any]) -> None:
    """Add what the ledger says to the rounds that the clients saw."""
    settled = server.coups(data, TABLE)
    for round_ in found["rounds"]:
        round_["settle_ms"] = round_["told_ms"] - settled.get(round_["id"], 0)
        round_["books"] = list(server.paid(data, round_["id"]))


def _work(size: LoadSize, found: Found) -> dict[str, Any]:
    """Return comparable work for an echo server: as many messages, as often, of the same sizes."""
    sizes = found["sizes"]
    return {
        "players": size.players,
        "commands": int(1.5 * size.players),
        "rate": size.rate,
        "told_each_s": 4,
        "command_bytes": sizes["command"],
        "told_bytes": sizes["pulse"],
        "event_bytes": sizes["chat"],
        "events": size.lines,
    }
