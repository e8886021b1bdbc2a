"""Figures of dealers on camera through a real Janus: what players wait for, and what viewers cost.

    python -m tools.video_figures        # four minutes; let nothing else run

First, a dealer and a player in Chromium: a drawing replaces the camera, and shows the time, which the
player's page reads. Then light viewers, who decode nothing. For the bets, the dealer is synthetic as well, so
that the processors are free for Janus and the game server, as they are in production. The last line is JSON;
its `load` says how busy the machine was. It needs Janus and Chromium.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Coroutine, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

from msgspec import to_builtins
from playwright.sync_api import sync_playwright

from croupier.bench.growing_load import GrowthPlan, MeasuredServer
from croupier.bench.guests import add_guests
from croupier.bench.process import ANYWHERE, cpu_s, raise_descriptor_limit, run_module
from croupier.bench.scale import CURRENCY, own_tables
from croupier.protocol import wire
from tests.browser.conftest import launch
from tests.browser.filming import FAKE_DEVICES
from tests.support.browser_connection import Browser
from tests.support.janus import SECRET, JanusProcess
from tests.support.server_process import ServerProcess
from tools.janus import INSTALL, NICENESS, find_janus, own_address
from tools.picture_viewers import Viewers, seated_viewers
from tools.staffed_table import CONFIG, TABLE, synthetic_dealer
from tools.video_pages import filmed_dealer, first_pictures_ms, latencies_ms, player_page, switches_ms

T = TypeVar("T")

LATENCY_S, SWITCHES, FIRST_PICTURES = 20.0, 5, 10
VIEWERS, CPU_TIMES, CPU_S = 50, 3, 10.0
SETTLE_S = 2.0
PLAYERS, ROUND_S, BETS_S, PAIRS = 200, 4.0, 8.0, 5
"""The players are at own tables, and begin a round every four seconds each."""
RUNS = 2 * PAIRS + 1
UNLIMITED = 1e9
P95 = 0.95


class Figure(NamedTuple):
    """Values of which the median counts."""

    name: str
    unit: str
    limit: float
    values: list[float]

    def shown(self) -> str:
        found = sorted(self.values)
        high = found[min(len(found) - 1, int(P95 * len(found)))]
        missed = "" if median(found) <= self.limit else ": missed"
        spread = f"{len(found)} values, {found[0]:.3g} to {found[-1]:.3g}, 95 % ≤ {high:.3g}"
        limit = f"≤ {self.limit:g}{missed}; " if self.limit < UNLIMITED else ""
        return f"{self.name}: {median(found):.3g} {self.unit} ({limit}{spread})"


# --- with Chromium


def chromium_figures(server: ServerProcess, janus: JanusProcess) -> Iterator[Figure]:
    with sync_playwright() as playwright:
        browser = launch(playwright.chromium, *FAKE_DEVICES)
        with filmed_dealer(browser, server, TABLE):
            with player_page(browser, server, TABLE) as player:
                latencies = latencies_ms(player, LATENCY_S)
                yield Figure("glass to glass, 720 lines with voice", "ms", 300, latencies)
                yield Figure("change of layer", "ms", 500, switches_ms(player, SWITCHES))
                yield Figure("first picture", "ms", 1_000, first_pictures_ms(player, FIRST_PICTURES))
            cores = _in_thread(_viewers_cost(server, janus))
            yield Figure(f"Janus with {VIEWERS} viewers at 720 lines", "of a core", 0.3, cores)
        browser.close()


def _in_thread(work: Coroutine[Any, Any, T]) -> T:
    """Run an event loop beside that of the browser's driver."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


async def _viewers_cost(server: ServerProcess, janus: JanusProcess) -> list[float]:
    async with seated_viewers(server.address, TABLE, VIEWERS) as viewers, viewers.watching():
        await asyncio.sleep(SETTLE_S)
        return [await _cost(viewers, janus) for _ in range(CPU_TIMES)]


async def _cost(viewers: Viewers, janus: JanusProcess) -> float:
    """Return the processors that Janus uses, once it is certain that pictures arrive."""
    began, cpu = perf_counter(), cpu_s(janus.pid)
    arrived = await viewers.arriving(CPU_S)
    cores = (cpu_s(janus.pid) - cpu) / (perf_counter() - began)
    print(f"  {arrived.packets:,.0f} packets and {arrived.megabits:.0f} Mb a second arrive", flush=True)
    return cores


# --- bets


async def bet_figures(server: ServerProcess, tokens: list[str]) -> list[Figure]:
    """Measure bets without and with viewers in turn; each pair gives a ratio."""
    load = await _loads(server, tokens)
    with ThreadPoolExecutor(1) as thread:
        await asyncio.get_running_loop().run_in_executor(thread, int)  # it keeps this priority
        # In production, dealers and viewers have computers of their own.
        os.setpriority(os.PRIO_PROCESS, 0, NICENESS)
        without, with_viewers = await _pairs(server, load, thread)
    ratios = [high / low for high, low in zip(with_viewers, without, strict=True)]
    return [
        Figure("bet p99 without viewers", "ms", UNLIMITED, without),
        Figure(f"bet p99 with {VIEWERS} viewers", "ms", UNLIMITED, with_viewers),
        Figure("bet p99 with viewers / without", "times", 1.1, ratios),
    ]


async def _pairs(
    server: ServerProcess, load: Iterator[MeasuredServer], thread: Executor
) -> tuple[list[float], list[float]]:
    without, with_viewers = list[float](), list[float]()
    async with (
        synthetic_dealer(server.address, server.data, TABLE),
        seated_viewers(server.address, TABLE, VIEWERS) as viewers,
    ):
        await _p99_ms(next(load), thread, 1.0)  # the first run of the server's code is slower
        for number in range(PAIRS):
            if number % 2 == 0:
                without.append(await _p99_ms(next(load), thread))
            async with viewers.watching():
                await asyncio.sleep(SETTLE_S)
                with_viewers.append(await _p99_ms(next(load), thread))
            if number % 2:
                without.append(await _p99_ms(next(load), thread))
    return without, with_viewers


async def _loads(server: ServerProcess, tokens: list[str]) -> Iterator[MeasuredServer]:
    """Return the server with new players for each run, whose rounds and requests are their first."""
    async with Browser(server.address) as browser:
        info = await browser.get("/api/server", wire.ServerInfo)
    players = (tuple(tokens[first : first + PLAYERS]) for first in range(0, len(tokens), PLAYERS))
    return (MeasuredServer(server.pid, info.socket_port, server.address, some) for some in players)


async def _p99_ms(load: MeasuredServer, thread: Executor, seconds: float = BETS_S) -> float:
    plan = GrowthPlan((load,), (), own_tables(), CURRENCY, (PLAYERS,), ROUND_S, seconds, UNLIMITED)
    (step,) = await asyncio.get_running_loop().run_in_executor(
        thread, run_module, "own_tables", to_builtins(plan), lambda _: None, ANYWHERE.clients
    )
    assert not step["refused"], step
    return float(step["commands"]["p99"])


# --- the run


@contextmanager
def running(folder: Path) -> Iterator[tuple[ServerProcess, JanusProcess, list[str]]]:
    """Run Janus and a server; yield them, and the session tokens of players."""
    janus = JanusProcess(folder / "janus", niceness=NICENESS)
    janus.start()
    (folder / "media.secret").write_text(SECRET)
    config, data = folder / "croupier.toml", folder / "data"
    config.write_text(CONFIG.format(port=janus.port))
    tokens = add_guests(data, PLAYERS * RUNS)
    server = ServerProcess(data, options=("--config", str(config)), popen=subprocess.Popen)
    try:
        server.start()
        yield server, janus, tokens
    finally:
        server.stop()
        janus.kill()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", choices=("pictures", "bets"), help="one part")
    only = parser.parse_args().only
    if not find_janus() or not own_address():
        sys.exit(INSTALL)
    raise_descriptor_limit()
    figures = list[Figure]()
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as (server, janus, tokens):
        for figure in chromium_figures(server, janus) if only != "bets" else ():
            figures.append(figure)
            print(figure.shown(), flush=True)
        for figure in asyncio.run(bet_figures(server, tokens)) if only != "pictures" else ():
            figures.append(figure)
            print(figure.shown(), flush=True)
    medians = {figure.name: round(median(figure.values), 3) for figure in figures}
    print(json.dumps({"load": os.getloadavg()[0], **medians}))


if __name__ == "__main__":
    main()
