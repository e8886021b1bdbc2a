"""The server that is measured: `croupier serve` in a process of its own, and its ledger afterwards."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import urlopen

from croupier.app.serve import DATABASE
from croupier.bench.process import Placement, Placements, children, pin, server
from croupier.ledger.sqlite.connection import open_reader

CROUPIER = (sys.executable, "-c", "from croupier.cli.main import main; main()")


class RunningServer(NamedTuple):
    """A running server; `first_page_s` is the time from its start to its first page."""

    process: int
    origin: str
    socket_port: int
    first_page_s: float


@contextmanager
def running_server(data: Path, places: Placements, options: Sequence[str] = ()) -> Iterator[RunningServer]:
    """Run a server over a data folder, on free ports, with more `options`."""
    begun = perf_counter()
    with _serving(data, places.server, options) as (process, started):
        _get(started["address"])
        took = perf_counter() - begun
        info = json.loads(_get(f"{started['address']}api/server"))
        for child in children(process):
            pin(child, places.second)
        yield RunningServer(process, started["address"].rstrip("/"), info["socket_port"], took)


@contextmanager
def running_owner(data: Path, place: Placement, options: Sequence[str]) -> Iterator[int]:
    """Run a server that has live tables only; yield its process."""
    with _serving(data, place, (*options, "--roles", "tables")) as (process, _):
        yield process


def _serving(
    data: Path, place: Placement, options: Sequence[str]
) -> AbstractContextManager[tuple[int, dict[str, Any]]]:
    ports = ("--port", "0", "--socket-port", "0")
    serve = ("serve", "--json", *ports, "--data", str(data), *options)
    return server([*CROUPIER, *serve], data / "server.log", place)


def _get(address: str) -> bytes:
    assert urlsplit(address).scheme == "http"
    with urlopen(address) as answer:  # noqa: S310
        page: bytes = answer.read()
    return page


def coups(data: Path, table: str) -> dict[str, int]:
    """Return the time at which each round of a table was settled, in milliseconds of the journal's clock."""
    query = "SELECT key, at_ms FROM journal WHERE kind = 'coup' AND table_id = ?"
    return {str(key).partition(":")[0]: int(at_ms) for key, at_ms in _read(data, query, table)}


def paid(data: Path, round_: str) -> tuple[int, int]:
    """Return the total staked and returned in a round according to the ledger."""
    query = "SELECT SUM(staked_minor), SUM(returned_minor) FROM round WHERE id GLOB ?"
    staked, returned = _read(data, query, f"{round_}.*")[0]
    return int(staked or 0), int(returned or 0)


def _read(data: Path, query: str, *values: str) -> Sequence[Sequence[int | str]]:
    with closing(open_reader(data / DATABASE)) as connection:
        return connection.execute(query, values).fetchall()
