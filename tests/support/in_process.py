"""A server without a network, whose clock, random numbers and connections the test controls."""

import asyncio
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Self
from unittest.mock import patch

import msgspec

from croupier import clock
from croupier.app.serve import SHOES_KEY, open_ledger
from croupier.app.server import build_server
from croupier.bench.frames import extent
from croupier.config import DEFAULT_CONFIG, ServerConfig
from croupier.equipment.cards import Card
from croupier.equipment.shoe import Shoe
from croupier.games import published_tables
from croupier.gateway import client_session
from croupier.gateway.client_session import ClientSession
from croupier.gateway.server import Server
from croupier.play.driving.sources import ShoeSource
from croupier.protocol import wire
from croupier.protocol.connection import TEXT_FRAME, ClientConnection
from croupier.rounds.shoe_seal import Seal
from croupier.storage.sql.stores import sql_stores
from croupier.tables import own

DECODER = msgspec.json.Decoder(wire.Message)


class RecordingTransport:
    """A transport that passes each message on at once; `buffered_bytes` simulates a slow receiver."""

    def __init__(self, on_message: Callable[[bytes], None]) -> None:
        self.buffered_bytes = 0
        self._on_message = on_message

    def write(self, data: bytes) -> None:
        while data:
            start, end = extent(data)
            assert data[0] == TEXT_FRAME
            self._on_message(data[start:end])
            data = data[end:]

    def get_write_buffer_size(self) -> int:
        return self.buffered_bytes

    def abort(self) -> None:
        pass


class RecordedConnection(ClientConnection):
    """A connection that records every message when it is sent."""

    queue = ClientConnection.send

    def __init__(self) -> None:
        super().__init__(RecordingTransport(self._record), self._closed)
        self.frames: list[bytes] = []
        self._answered = asyncio.Event()

    def _record(self, frame: bytes) -> None:
        self.frames.append(frame)
        if isinstance(DECODER.decode(frame), wire.Ok | wire.No | wire.Pong):
            self._answered.set()

    def _closed(self, code: int) -> None:
        raise AssertionError(f"closed with {code}")

    async def answered(self) -> None:
        await self._answered.wait()
        self._answered.clear()


class InProcessClient:
    """A client of a server in this process, over a recorded connection."""

    def __init__(self, server: Server, token: str) -> None:
        self.connection = RecordedConnection()
        self.token = token
        self._session = ClientSession(server, self.connection, token)

    @classmethod
    async def connect(cls, server: Server) -> Self:
        """Start the server and connect a new guest."""
        await server.start()
        client = cls(server, await server.sessions.add_guest())
        await client.request(wire.Hello(wire.PROTOCOL), wire.Ping())
        return client

    @property
    def answer(self) -> wire.Message:
        """The last message received."""
        last: wire.Message = DECODER.decode(self.connection.frames[-1])
        return last

    @property
    def state(self) -> wire.TableState:
        """The last state of a table that was received."""
        messages = (DECODER.decode(frame) for frame in reversed(self.connection.frames))
        return next(m.state for m in messages if isinstance(m, wire.TableUpdate | wire.TableSnapshot))

    @property
    def round_id(self) -> str:
        assert self.state.round is not None, "no round on the table"
        return self.state.round.id

    @property
    def turn(self) -> int:
        assert self.state.round is not None, "no round on the table"
        return self.state.round.turn

    def another_client(self, server: Server) -> "InProcessClient":
        """Return another client of the same player."""
        return InProcessClient(server, self.token)

    def send(self, *commands: wire.Command) -> None:
        for command in commands:
            self.send_frame(msgspec.json.encode(command))

    def send_frame(self, frame: bytes) -> None:
        """Send bytes, whether they are a command or not."""
        self._session.frame_received(frame)

    async def request(self, *commands: wire.Command) -> None:
        """Send commands and wait for one answer."""
        self.send(*commands)
        await self.connection.answered()

    def disconnect(self) -> None:
        """End the connection."""
        self._session.connection_lost()

    async def wait_until_finished(self) -> None:
        """Wait until all commands sent before the disconnection are carried out."""
        await served(self._session)


async def served(session: ClientSession) -> None:
    """Wait until all commands of a connection are executed."""
    if session._task:
        await session._task


@contextmanager
def server_dealing(
    folder: Path, cards: tuple[Card, ...], config: ServerConfig = DEFAULT_CONFIG
) -> Iterator[Server]:
    """Build a server that deals every round from these cards, with reproducible times and ids.

    Without cards, each game uses its own shoe, wheel or dice.
    The server has no live tables: they would read the clock at arbitrary times.
    """
    ticks, names = count(1_800_000_000_000), count()
    shoe = Shoe(cards, dealt=0, cut=len(cards))

    def now_ms() -> int:
        return next(ticks)

    def token(size: int = 32) -> str:
        return f"{next(names):0{2 * size}x}"

    with ExitStack() as stack:
        for module in (clock, client_session):
            stack.enter_context(patch.object(module, "now_ms", now_ms))
        for name in ("token_hex", "token_urlsafe"):
            stack.enter_context(patch.object(secrets, name, token))
        stack.enter_context(patch.object(secrets, "randbits", lambda _: next(names)))
        if cards:
            stack.enter_context(patch.object(own, "fresh_source", lambda *_: ShoeSource(shoe)))
        ledger = open_ledger(folder)
        stack.callback(ledger.close)
        tables = {name: table for name, table in published_tables().items() if table.dealing == "own"}
        yield build_server(sql_stores(ledger), tables, Seal.of_file(folder / SHOES_KEY), config)
