"""The house that is measured: `croupier serve` in a process of its own, and what its books say afterwards."""

import json
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from time import perf_counter
from typing import NamedTuple
from urllib.parse import urlsplit
from urllib.request import urlopen

from croupier.app.serve import BOOKS
from croupier.bench.process import Placements, children, pin, server

CROUPIER = (sys.executable, "-c", "from croupier.cli.main import main; main()")


class RunningServer(NamedTuple):
    """A house that serves: its process, where its pages and its socket are, the seconds to its first page."""

    process: int
    origin: str
    socket_port: int
    first_page_s: float


@contextmanager
def opened(data: Path, floor: Path, places: Placements) -> Iterator[RunningServer]:
    """A house over that data folder, on free ports, until left."""
    begun = perf_counter()
    ports = ("--port", "0", "--socket-port", "0")
    serve = ("serve", "--json", *ports, "--data", str(data), "--floor", str(floor))
    with server([*CROUPIER, *serve], data / "house.log", places.server) as (process, told):
        _get(told["address"])
        took = perf_counter() - begun
        house = json.loads(_get(f"{told['address']}api/house"))
        for clerk in children(process):
            pin(clerk, places.second)
        yield RunningServer(process, told["address"].rstrip("/"), house["socket_port"], took)


def _get(address: str) -> bytes:
    assert urlsplit(address).scheme == "http"
    with urlopen(address) as answer:  # noqa: S310
        page: bytes = answer.read()
    return page


def coups(data: Path, table: str) -> dict[str, int]:
    """When each round of a table was settled, by the journal's clock in milliseconds."""
    query = "SELECT key, at_ms FROM journal WHERE kind = 'coup' AND table_id = ?"
    return {str(key).partition(":")[0]: int(at_ms) for key, at_ms in _read(data, query, table)}


def paid(data: Path, round_: str) -> tuple[int, int]:
    """What the books say was staked and returned in a round, over all its players."""
    query = "SELECT SUM(staked_minor), SUM(returned_minor) FROM round WHERE id GLOB ?"
    staked, returned = _read(data, query, f"{round_}.*")[0]
    return int(staked or 0), int(returned or 0)


def _read(data: Path, query: str, *values: str) -> Sequence[Sequence[int | str]]:
    with closing(sqlite3.connect(f"file:{data / BOOKS}?mode=ro", uri=True)) as books:
        return books.execute(query, values).fetchall()
