"""Benchmarks of exact analysis and simulation.

Each figure comes from a process of its own, so that cold starts are cold and peak memory is the work's own.
"""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import llvmlite.binding
import numba

from croupier import __version__
from croupier.cache import VARIABLE

BILLION = 1_000_000_000
RATES = {"avx512f": 300, "avx2": 150, "": 40}
"""Target in million rounds per CPU-second, by processor feature; the first match counts."""

EXACT = """
import json, time
from croupier.games import published_tables
from croupier.maths.exact.coup_figures import figures_of
from croupier.play.tables.files import with_rules

def seconds(decks, boxes):
    # How many boxes there are changes nothing but that nothing is remembered.
    exact = figures_of(with_rules(published_tables()["premium"], {"decks": decks, "boxes": boxes}))
    begun = time.perf_counter()
    exact.mean
    return time.perf_counter() - begun

seconds(6, 1)
print(json.dumps({str(decks): min(seconds(decks, boxes) for boxes in range(2, 8)) for decks in (6, 8)}))
"""
COLD = "import croupier; croupier.table('premium').exact().mean; print('{}')"
SIMULATE = "from croupier.cli.main import app; app(['simulate', 'premium', '--seed', '1', '--json', *WORDS])"
PRINT_PEAK = """
import atexit, resource, sys

@atexit.register
def print_peak():
    # On Linux not ru_maxrss: at its start a child has there what its parent had.
    if sys.platform == "linux":
        with open("/proc/self/status") as status:
            print(next(line.split()[1] for line in status if line.startswith("VmHWM")))
    else:
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
"""Prefix for a program that makes it print its peak memory as its last line."""
AT_75 = ("--set", "shuffle=at_cut_card", "--set", "cut_card_percent=75")


class Measurement(NamedTuple):
    """A measured value and its target, both in `unit`."""

    work: str
    measured: float
    target: float
    unit: str
    lower_is_better: bool
    """True if the target is a maximum rather than a minimum."""

    @property
    def met(self) -> bool:
        return self.measured <= self.target if self.lower_is_better else self.measured >= self.target


class ProcessResult(NamedTuple):
    """A process's output, total run time and peak memory."""

    output: Any
    seconds: float
    peak_mib: float


def measurements() -> Iterator[Measurement]:
    """Yield each measurement as it completes; takes some minutes on a slow machine."""
    warm = run_program(EXACT).output
    for decks in ("6", "8"):
        yield Measurement(
            f"exact analysis, {decks} decks, warm", warm[decks], 0.10, "s", lower_is_better=True
        )
    yield Measurement(
        "exact analysis, cold process", run_program(COLD, cold=True).seconds, 4, "s", lower_is_better=True
    )
    rate = RATES[vector_features()]
    yield _rate("simulation, 6 decks shuffled every round, one core", rate)
    cold = run_program(_simulated("--rounds", str(BILLION)), cold=True)
    yield Measurement("a billion rounds, whole command, cold", cold.seconds, 8, "s", lower_is_better=True)
    warmed = run_program(_simulated("--rounds", str(BILLION)))
    yield Measurement("a billion rounds, whole command, warm", warmed.seconds, 4, "s", lower_is_better=True)
    yield _rate("cut-card shoe, 75 %", 120, *AT_75)
    peak = max(cold.peak_mib, warmed.peak_mib)
    yield Measurement("peak memory of a billion rounds", peak, 400, "MiB", lower_is_better=True)


def _rate(work: str, target: float, *words: str) -> Measurement:
    played = run_program(_simulated("--rounds", str(BILLION // 4), "--threads", "1", *words)).output
    rate = played["rounds_per_cpu_second"] / 1e6
    return Measurement(work, rate, target, "million rounds per CPU-second", lower_is_better=False)


def _simulated(*words: str) -> str:
    return SIMULATE.replace("WORDS", repr(words))


def run_program(program: str, *, cold: bool = False) -> ProcessResult:
    """Run a program that prints JSON. `cold`: with an empty cache.

    Raises CalledProcessError when it fails.
    """
    with TemporaryDirectory() as folder:
        environment = {**os.environ, **({VARIABLE: folder} if cold else {})}
        begun = perf_counter()
        command = [sys.executable, "-c", PRINT_PEAK + program]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603
        seconds = perf_counter() - begun
    *output, peak = done.stdout.splitlines()
    mebibyte = 1 << 20 if sys.platform == "darwin" else 1 << 10  # macOS reports bytes, other systems KiB
    return ProcessResult(json.loads("\n".join(output)), seconds, int(peak) / mebibyte)


def vector_features() -> str:
    """Return the key of RATES for this processor."""
    can = llvmlite.binding.get_host_cpu_features()
    return next(name for name in RATES if not name or can.get(name))


def machine() -> dict[str, Any]:
    """Describe the machine that the figures were measured on."""
    return {
        "processor": _processor(),
        "processors": os.cpu_count(),
        "vectors": vector_features() or "none known",
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "numba": numba.__version__,
        "croupier": __version__,
        "load": round(os.getloadavg()[0], 2),
    }


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())
