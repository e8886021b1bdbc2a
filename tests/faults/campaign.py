"""Kill a server under play repeatedly, and compare it with its players' records after each restart."""

import asyncio
import json
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

from croupier.app.serve import DATABASE, SHOES_KEY
from croupier.audit.data_folder import audit
from croupier.ledger.protocol import LedgerBroken
from tests.faults.player import Player
from tests.faults.player_record import must
from tests.faults.resuming import compare_all, resume
from tests.support.browser_connection import Browser
from tests.support.server_process import CROUPIER, ServerProcess

PLAYERS = 6
KILLS_PER_FOLDER = 50
"""Kills before a new data folder, so that first starts are killed too and audits stay fast."""
KILLS_BETWEEN_AUDITS = 5
ACTIONS_MAX = 60
"""Actions of all players before a kill: most players have resumed by then, some not yet."""
KILL_DELAY_S = 0.005
"""Longer than any command takes, so that kills fall on every moment of one."""
PLAY_MAX_S = 10.0
START_MAX_S = 0.9
KILLED = ("both", "both", "the server alone", "the writer process alone")
WRITER_ENDED = f"\n{LedgerBroken.__module__}.LedgerBroken: the writer process has ended".encode()
WHILE_STARTING = 0.1
"""The fraction of kills that come while the server starts."""


class Plan(NamedTuple):
    """The plan of a campaign.

    `program` is run with `popen`. `progress` is called with the number of kills done.

    `keep`: keep the data folder of a server that fails, for inspection.
    """

    kills: int
    seed: int = 0
    program: tuple[str, ...] = CROUPIER
    popen: type[subprocess.Popen[bytes]] = subprocess.Popen
    progress: Callable[[int], None] = lambda _kills: None
    keep: bool = True


class Result(NamedTuple):
    """The result of a campaign.

    `counts`: the numbers of actions, by name.
    """

    kills: int
    seconds: float
    counts: Counter[str]

    @property
    def bound(self) -> float:
        """The fraction of kills that would fail, at most, with 95 % confidence."""
        return 3 / self.kills

    def json(self) -> str:
        return json.dumps(
            {"kills": self.kills, "seconds": round(self.seconds, 1), "bound": self.bound} | self.counts
        )

    def __str__(self) -> str:
        counts = ", ".join(f"{number:,} {what}" for what, number in sorted(self.counts.items()))
        return (
            f"{self.kills:,} kills in {self.seconds:,.0f} s, none failed (fewer than {self.bound:.1e} would,"
            f" at 95 %): {counts}"
        )


def campaign(plan: Plan) -> Result:
    """Run the plan; Broken as soon as the server has lost or created anything."""
    began, counts = time.monotonic(), Counter[str]()
    for first in range(0, plan.kills, KILLS_PER_FOLDER):
        kills = range(first, min(first + KILLS_PER_FOLDER, plan.kills))
        with _folder(plan.keep) as folder:
            counts += asyncio.run(_Server(plan, folder, Random(f"{plan.seed} {first}")).run(kills))
    return Result(plan.kills, time.monotonic() - began, counts)


@contextmanager
def _folder(keep: bool) -> Iterator[Path]:
    """A folder that is deleted unless an exception is raised."""
    folder = Path(tempfile.mkdtemp(prefix="croupier-kill-"))
    try:
        yield folder
    except BaseException as error:
        if not keep:
            shutil.rmtree(folder)
        error.add_note(f"the database is in {folder}")
        raise
    shutil.rmtree(folder)


class _Server:
    """One data folder, its players, and the process that is killed."""

    def __init__(self, plan: Plan, folder: Path, chance: Random) -> None:
        self._plan = plan
        self._chance = chance
        self._process = ServerProcess(folder / "data", program=plan.program, popen=plan.popen)
        self._players = [Player(Random(chance.random()), self._acted) for _ in range(PLAYERS)]
        self._counts = Counter[str]()
        self._actions_left = 0
        self._enough = asyncio.Event()

    def _acted(self) -> None:
        self._actions_left -= 1
        if self._actions_left < 0:
            self._enough.set()

    async def run(self, kills: range) -> Counter[str]:
        try:
            for number in kills:
                await self._kill()
                if (number + 1) % KILLS_BETWEEN_AUDITS == 0:
                    self._audit()
                self._plan.progress(number + 1)
            await self._end()
        finally:
            self._process.kill()
        return sum((player.done for player in self._players), self._counts)

    async def _kill(self) -> None:
        if self._chance.random() < WHILE_STARTING:
            self._process.start_within(self._chance.uniform(0, START_MAX_S))
            self._process.kill()
            self._counts["kills while starting"] += 1
            return
        began = time.monotonic()
        self._process.start()
        self._counts["start_ms"] += int(1000 * (time.monotonic() - began))
        await self._play()

    async def _play(self) -> None:
        """Play until some commands are done, kill, then raise the players' errors."""
        self._actions_left = self._chance.randrange(ACTIONS_MAX)
        self._enough.clear()
        visits = [asyncio.create_task(player.visit(self._process.address)) for player in self._players]
        enough = asyncio.create_task(self._enough.wait())
        await asyncio.wait([enough, *visits], timeout=PLAY_MAX_S, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.sleep(self._chance.uniform(0, KILL_DELAY_S))
        await asyncio.to_thread(self._kill_some)  # players continue meanwhile
        enough.cancel()
        for ended in await asyncio.gather(*visits, return_exceptions=True):
            if ended is not None:
                raise ended

    def _kill_some(self) -> None:
        """Kill the server and its writer process at once, as a power cut does, or one of them alone."""
        match killed := self._chance.choice(KILLED):
            case "the server alone":
                self._process.kill_server()
            case "the writer process alone":
                must(
                    self._process.kill_writer_process() == 2,
                    "the server didn't stop without its writer process",
                )
            case _:
                self._process.kill()
        self._counts[f"kills of {killed}"] += 1

    def _audit(self) -> None:
        """Audit the database as the kill left it, and replay every round from its sealed shoe."""
        database = self._process.data / DATABASE
        if not database.exists():
            return
        report = audit(database, self._process.data / SHOES_KEY, lambda _done, _all: None)
        must(report.bad is None, f"the audit: {report.bad}")
        self._counts["audits"] += 1

    async def _end(self) -> None:
        """Let all players resume once more, and compare every round and every unit with their records."""
        self._process.start()
        for player in self._players:
            async with Browser(self._process.address) as browser:
                browser.http.cookies = player.cookies
                if player.record.tables:
                    await resume(browser, player.record, player.done)
                    await compare_all(browser, player.record)
                    player.done["rounds"] += len(player.record.rounds)
        must(self._process.stop() == 0, "the server didn't stop in order")
        self._audit()
        log = self._process.log.read_bytes()
        must(log.count(b"Traceback") == log.count(WRITER_ENDED), f"see {self._process.log}")
