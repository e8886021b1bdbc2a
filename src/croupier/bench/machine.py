"""A description of the machine that was measured."""

import os
import platform
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import croupier
from croupier.bench.process import can_raise_priority
from croupier.ledger.sqlite.connection import SQLITE_VERSION

SYNCS = 200


def machine(folder: Path, *, busy: bool) -> dict[str, Any]:
    """Describe the machine; `sync_ms` is the time to sync 4 KiB, the lower bound of every commit.

    `raised_priority`: whether the measured processes run with raised priority.
    """
    return {
        "processor": _processor(),
        "processors": os.cpu_count(),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "aiofastnet": version("aiofastnet"),
        "uvloop": version("uvloop"),
        "sqlite": SQLITE_VERSION,
        "croupier": croupier.__version__,
        "sync_ms": round(_sync_ms(folder), 3),
        "raised_priority": not busy and can_raise_priority(),
        "load": round(os.getloadavg()[0], 2),
    }


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def _sync_ms(folder: Path) -> float:
    path = folder / "sync"
    with path.open("wb", buffering=0) as file:
        times = [_sync_once(file.fileno()) for _ in range(SYNCS)]
    path.unlink()
    return median(times) * 1e3


def _sync_once(file: int) -> float:
    begun = perf_counter()
    os.write(file, bytes(4096))
    os.fdatasync(file)
    return perf_counter() - begun
