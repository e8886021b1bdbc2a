"""A server with live tables and no network: short timers, a real ledger, and guests who connect at will."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from unittest.mock import patch

from croupier import clock
from croupier.app.serve import SHOES_KEY, open_ledger
from croupier.app.server import build_server
from croupier.config import read_config, read_currencies
from croupier.dealing.live import table_shoes
from croupier.dealing.live.speculation.round_end import speculating
from croupier.equipment.cards import DECK, card
from croupier.equipment.shoe import Shoe
from croupier.games import published_tables
from croupier.gateway.client_session import ClientSession
from croupier.gateway.server import Server
from croupier.play.contract.amounts import CURRENCIES
from croupier.protocol import wire
from croupier.protocol.connection import ClientConnection
from croupier.rounds.shoe_seal import Seal
from croupier.storage.sql.stores import sql_stores
from croupier.tables.live.inputs import AnyInput, Ticked
from croupier.video.port import Media
from tests.dealing.live.player import INFINITE, TIMEOUT_S, Player
from tests.support.in_process import RecordingTransport, served

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
"""Timers so long that only the test advances a round."""

speculate = speculating()
"""The speculation of every server that starts here; the fixture of this name replaces it."""

MAIN_BET = (0, "main", 1_000)
START_MINOR = 100_000
"""The EUR balance of a new guest."""


class InProcessConnection(ClientConnection):
    """A connection to a player, which accepts all data until its `tap` blocks."""

    def __init__(self) -> None:
        self.player = Player(lambda _: None)
        self.tap = RecordingTransport(self.player.receive)
        self.close_code = 0
        super().__init__(self.tap, self._closed)

    def _closed(self, code: int) -> None:
        self.close_code = code


class Guest:
    """A guest with any number of connections."""

    def __init__(self, server: Server, token: str) -> None:
        self._server = server
        self.token = token
        self.connection = InProcessConnection()
        self.session: ClientSession | None = None

    async def connect(self, *tables: wire.ResumedTable) -> Player:
        """Open a connection and say hello."""
        self.connection = InProcessConnection()
        self.session = ClientSession(self._server, self.connection, self.token)
        self.connection.player.send_frame = self.session.frame_received
        await self.connection.player.hello(*tables)
        return self.connection.player

    async def disconnect(self) -> None:
        assert self.session is not None, "no connection is open"
        session, self.session = self.session, None
        session.connection_lost()
        await served(session)


@asynccontextmanager
async def running_server(
    folder: Path, config_toml: str = FAST, media: Media | None = None, only: str = ""
) -> AsyncIterator[Server]:
    """Start a server, with one table or with all; stop it at the end."""
    published = published_tables({**CURRENCIES, **read_currencies(config_toml, "croupier.toml")})
    tables = {name: table for name, table in published.items() if only in ("", name)}
    ledger = open_ledger(folder)
    try:
        seal, config = Seal.of_file(folder / SHOES_KEY), read_config(config_toml, tables, "croupier.toml")
        server = build_server(sql_stores(ledger), tables, seal, config, speculate, media=media)
        await server.start()
        try:
            yield server
        finally:
            await server.stop()
    finally:
        ledger.close()


async def new_guest(server: Server) -> Guest:
    return Guest(server, await server.sessions.add_guest())


class ManualServer:
    """A server whose clock and live tables advance only when the test says so."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._ahead_ms = 0

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000 + self._ahead_ms

    def advance_clock(self, ms: int) -> None:
        self._ahead_ms += ms

    async def execute(self, given: AnyInput, table: str = INFINITE) -> None:
        await self.server.live[table].execute(given)

    async def advance_to(self, *phases: str, table: str = INFINITE) -> None:
        """Advance the clock until the table is in one of these phases."""
        live = self.server.live[table]
        async with asyncio.timeout(TIMEOUT_S):
            while live.state.phase not in phases:
                deadline_ms = live.state.deadline_ms
                if deadline_ms is None:
                    await asyncio.sleep(0.001)
                else:
                    self._ahead_ms += max(0, deadline_ms - self.now_ms())
                    await self.execute(Ticked(), table)


FIRST_CARDS = tuple(map(card, ("5S", "7H", "6D", "TC")))
"""11 against a seven in the shared deal: the player has a decision."""


def stacked_shoe(decks: int, *_: object) -> Shoe:
    """Return a shoe whose first round has a decision."""
    rest = Counter(DECK * decks)
    rest.subtract(FIRST_CARDS)
    return Shoe((*FIRST_CARDS, *rest.elements()), dealt=0, cut=26 * decks)


@asynccontextmanager
async def manual_server(folder: Path, config_toml: str = SLOW, only: str = "") -> AsyncIterator[ManualServer]:
    with patch.object(table_shoes, "fresh_shoe", stacked_shoe):
        async with running_server(folder, config_toml, only=only) as server:
            manual = ManualServer(server)
            with patch.object(clock, "now_ms", manual.now_ms):
                yield manual


async def join_table(manual: ManualServer, table: str = INFINITE) -> tuple[Guest, Player]:
    """Connect a new guest to the table while bets are open."""
    await manual.advance_to("betting", table=table)
    guest = await new_guest(manual.server)
    player = await guest.connect()
    assert await player.join(table) == ""
    return guest, player


async def stop(task: asyncio.Task[None]) -> None:
    """Cancel a task and wait for its end. What made it fail before that is raised."""
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def finish_round(manual: ManualServer, *players: Player, table: str = INFINITE) -> None:
    """Advance to the end of the round; every player stands."""
    await manual.advance_to("pause", table=table)
    for player in players:
        await player.until_phase("pause", table=table)
