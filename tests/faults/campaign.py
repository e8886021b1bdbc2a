"""Kills a playing house again and again, and holds it to its word each time it opens again."""

import asyncio
import json
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

from croupier.app.serve import BOOKS, KEY
from croupier.audit.data_folder import audit
from croupier.ledger.protocol import LedgerBroken
from tests.faults.memory import must
from tests.faults.player import Player
from tests.faults.returning import come_back, compare_all
from tests.support.browser_connection import Browser
from tests.support.server_process import CROUPIER, HouseProcess

PLAYERS = 6
KILLS_OF_A_HOUSE = 50
"""Then a new data folder: births are killed too, and an audit stays quick."""
KILLS_BETWEEN_AUDITS = 5
ACTS_MOST = 60
"""Before a kill, of all players together: many return, some are still returning."""
INSTANT_S = 0.005
"""Longer than any command takes, so that the kill falls on every moment of one."""
PLAY_MOST_S = 10.0
OPENING_MOST_S = 0.9
KILLED = ("both", "both", "the house alone", "the clerk alone")
CLERK_ENDED = f"\n{LedgerBroken.__module__}.LedgerBroken: the writer process has ended".encode()
WHILE_OPENING = 0.1
"""The share of kills that come while the house opens."""


class Plan(NamedTuple):
    """`program` opens the house; `told` is called with the number of kills done.

    `keep`: the data folder of a house that broke its word stays, to be looked into.
    """

    kills: int
    seed: int = 0
    program: tuple[str, ...] = CROUPIER
    socket: str = "picows"
    told: Callable[[int], None] = lambda _kills: None
    keep: bool = True


class Result(NamedTuple):
    """`counts`: what was done, by name."""

    kills: int
    seconds: float
    counts: Counter[str]

    @property
    def bound(self) -> float:
        """No failure in so many kills: with 95 % confidence fewer than this share would fail."""
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
    """Broken as soon as the house has lost or made anything; its data folder is kept then."""
    began, counts = time.monotonic(), Counter[str]()
    for first in range(0, plan.kills, KILLS_OF_A_HOUSE):
        kills = range(first, min(first + KILLS_OF_A_HOUSE, plan.kills))
        with _folder(plan.keep) as folder:
            counts += asyncio.run(_House(plan, folder, Random(f"{plan.seed} {first}")).life(kills))
    return Result(plan.kills, time.monotonic() - began, counts)


@contextmanager
def _folder(keep: bool) -> Iterator[Path]:
    """Deleted, unless something went wrong in it."""
    folder = Path(tempfile.mkdtemp(prefix="croupier-kill-"))
    try:
        yield folder
    except BaseException as error:
        if not keep:
            shutil.rmtree(folder)
        error.add_note(f"the books are in {folder}")
        raise
    shutil.rmtree(folder)


class _House:
    """One data folder, its players, and the process that is killed."""

    def __init__(self, plan: Plan, folder: Path, chance: Random) -> None:
        self._plan = plan
        self._chance = chance
        self._process = HouseProcess(folder / "data", socket=plan.socket, program=plan.program)
        self._players = [Player(Random(chance.random()), self._acted) for _ in range(PLAYERS)]
        self._counts = Counter[str]()
        self._acts_left = 0
        self._enough = asyncio.Event()

    def _acted(self) -> None:
        self._acts_left -= 1
        if self._acts_left < 0:
            self._enough.set()

    async def life(self, kills: range) -> Counter[str]:
        try:
            for number in kills:
                await self._kill()
                if (number + 1) % KILLS_BETWEEN_AUDITS == 0:
                    self._audit()
                self._plan.told(number + 1)
            await self._end()
        finally:
            self._process.kill()
        return sum((player.done for player in self._players), self._counts)

    async def _kill(self) -> None:
        if self._chance.random() < WHILE_OPENING:
            self._process.start_within(self._chance.uniform(0, OPENING_MOST_S))
            self._process.kill()
            self._counts["kills while opening"] += 1
            return
        began = time.monotonic()
        self._process.start()
        self._counts["opening_ms"] += int(1000 * (time.monotonic() - began))
        await self._play()

    async def _play(self) -> None:
        """Until some commands are done; a player who broke off is heard after the kill."""
        self._acts_left = self._chance.randrange(ACTS_MOST)
        self._enough.clear()
        visits = [asyncio.create_task(player.visit(self._process.address)) for player in self._players]
        enough = asyncio.create_task(self._enough.wait())
        await asyncio.wait([enough, *visits], timeout=PLAY_MOST_S, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.sleep(self._chance.uniform(0, INSTANT_S))
        await asyncio.to_thread(self._kill_some)  # players go on meanwhile
        enough.cancel()
        for ended in await asyncio.gather(*visits, return_exceptions=True):
            if ended is not None:
                raise ended

    def _kill_some(self) -> None:
        """The house and its clerk at once, as a power cut would, or one of them alone."""
        match killed := self._chance.choice(KILLED):
            case "the house alone":
                self._process.kill_house()
            case "the clerk alone":
                must(self._process.kill_clerk() == 2, "the house didn't close without its clerk")
            case _:
                self._process.kill()
        self._counts[f"kills of {killed}"] += 1

    def _audit(self) -> None:
        """Of the books as the kill left them, every round played again from its sealed shoe."""
        books = self._process.data / BOOKS
        if not books.exists():
            return
        report = audit(books, self._process.data / KEY, lambda _done, _all: None)
        must(report.bad is None, f"the audit: {report.bad}")
        self._counts["audits"] += 1

    async def _end(self) -> None:
        """All come back once more; every round and every unit is held against their memories."""
        self._process.start()
        for player in self._players:
            async with Browser(self._process.address) as browser:
                browser.http.cookies = player.cookies
                if player.memory.tables:
                    await come_back(browser, player.memory, player.done)
                    await compare_all(browser, player.memory)
                    player.done["rounds"] += len(player.memory.rounds)
        must(self._process.stop() == 0, "the house didn't close in order")
        self._audit()
        log = self._process.log.read_bytes()
        must(log.count(b"Traceback") == log.count(CLERK_ENDED), f"see {self._process.log}")
