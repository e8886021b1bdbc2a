"""A server with live tables and no network: short waits, a real ledger, and players who join and leave."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import patch

from croupier import clock
from croupier.app.serve import KEY, open_books
from croupier.app.server import build_server
from croupier.config import read_config
from croupier.equipment.cards import DECK, card
from croupier.equipment.shoe import Shoe
from croupier.games import published_tables
from croupier.gateway.client_session import ClientSession
from croupier.protocol import wire
from croupier.protocol.connection import ClientConnection
from croupier.runtime.live import table_shoes
from croupier.runtime.live.speculation.round_end import speculating
from croupier.runtime.server import Server
from croupier.runtime.shoe_seal import Seal
from croupier.storage.sqlite.stores import sqlite_stores
from croupier.tables.live.inputs import AnyInput, Ticked
from tests.runtime.live.player import INFINITE, WITHIN_S, Player
from tests.support.in_process import Tap

FAST = """
[live_roulette]
spin_ms = 20
ball_ms = 20
betting_ms = 250
warning_ms = 100
pause_ms = 50

[live_baccarat]
pace_ms = 0
betting_ms = 250
warning_ms = 100
pause_ms = 50

[infinite]
pace_ms = 0
betting_ms = 250
warning_ms = 100
offer_ms = 150
decision_ms = 150
pause_ms = 50

[seven_seat]
pace_ms = 0
betting_ms = 250
warning_ms = 100
offer_ms = 100
decision_ms = 100
pause_ms = 50
"""
SLOW = """
[infinite]
pace_ms = 0
betting_ms = 600000
offer_ms = 600000
decision_ms = 600000
pause_ms = 600000

[seven_seat]
pace_ms = 0
betting_ms = 600000
offer_ms = 600000
decision_ms = 600000
pause_ms = 600000
"""
"""Waits so long that only the test moves the round."""

speculate = speculating()
"""The speculation of every server that starts here; see the fixture of this name."""


class InProcessConnection(ClientConnection):
    """A connection to a player, which accepts everything until its `tap` holds data back."""

    def __init__(self) -> None:
        self.player = Player(lambda _: None)
        self.tap = Tap(self.player.take)
        self.closed_with = 0
        super().__init__(self.tap, self._closed)

    def _closed(self, code: int) -> None:
        self.closed_with = code


class Guest:
    """A guest, on as many connections as the test opens."""

    def __init__(self, house: Server, token: str) -> None:
        self._house = house
        self._token = token
        self.line = InProcessConnection()
        self.visitor: ClientSession | None = None

    async def dial(self, *tables: wire.ResumedTable) -> Player:
        """Open a connection and say hello."""
        self.line = InProcessConnection()
        self.visitor = ClientSession(self._house, self.line, self._token)
        self.line.player.line = self.visitor.frame_received
        await self.line.player.hello(*tables)
        return self.line.player

    async def hang_up(self) -> None:
        assert self.visitor is not None, "no connection is open"
        visitor, self.visitor = self.visitor, None
        visitor.connection_lost()
        await visitor._task


@asynccontextmanager
async def server_in(folder: Path, floor: str = FAST) -> AsyncIterator[Server]:
    """Start a server, and stop it in order."""
    tables = dict(published_tables())
    ledger = open_books(folder)
    try:
        seal, config = Seal.of_file(folder / KEY), read_config(floor, tables, "floor.toml")
        house = build_server(sqlite_stores(ledger), tables, seal, config, speculate)
        await house.start()
        try:
            yield house
        finally:
            await house.stop()
    finally:
        ledger.close()


async def guest_of(house: Server) -> Guest:
    return Guest(house, await house.sessions.add_guest())


class ManualServer:
    """A server whose live tables continue only when the test says so, as it sets the clock."""

    def __init__(self, house: Server) -> None:
        self.house = house
        self._ahead_ms = 0

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000 + self._ahead_ms

    def later(self, ms: int) -> None:
        self._ahead_ms += ms

    async def feed(self, given: AnyInput, table: str = INFINITE) -> None:
        await self.house.live[table].execute(given)

    async def until(self, *phases: str, table: str = INFINITE) -> None:
        """Move the clock until the table is in one of these phases."""
        live = self.house.live[table]
        async with asyncio.timeout(WITHIN_S):
            while live.state.phase not in phases:
                deadline_ms = live.state.deadline_ms
                if deadline_ms is None:
                    await asyncio.sleep(0.001)
                else:
                    self._ahead_ms += max(0, deadline_ms - self.now_ms())
                    await self.feed(Ticked(), table)


FIRST = tuple(map(card, ("5S", "7H", "6D", "TC")))
"""The shared deal gives players 11 against a seven: a decision."""


def stacked(decks: int, *_: object) -> Shoe:
    """Return a shoe whose first round has a decision."""
    rest = Counter(DECK * decks)
    rest.subtract(FIRST)
    return Shoe((*FIRST, *rest.elements()), dealt=0, cut=26 * decks)


@asynccontextmanager
async def manual_server(folder: Path, floor: str = SLOW) -> AsyncIterator[ManualServer]:
    with patch.object(table_shoes, "fresh_shoe", stacked):
        async with server_in(folder, floor) as house:
            hands = ManualServer(house)
            with patch.object(clock, "now_ms", hands.now_ms):
                yield hands
