"""A house without a network, whose clock, chance and connections belong to the test."""

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
from croupier.app.serve import KEY, open_books
from croupier.app.server import build_server
from croupier.bench.frames import extent
from croupier.config import DEFAULT_CONFIG, ServerConfig
from croupier.equipment.cards import Card
from croupier.equipment.shoe import Shoe
from croupier.games import published_tables
from croupier.gateway import client_session
from croupier.gateway.client_session import ClientSession
from croupier.play.driving.sources import ShoeSource
from croupier.protocol import wire
from croupier.protocol.connection import TEXT_FRAME, ClientConnection
from croupier.runtime.server import Server
from croupier.runtime.shoe_seal import Seal
from croupier.storage.sqlite.stores import sqlite_stores
from croupier.tables import own

Sent = msgspec.json.Decoder(wire.Message)


class Tap:
    """A transport that takes everything at once, unless it `owes`, and hands on each message."""

    def __init__(self, heard: Callable[[bytes], None]) -> None:
        self.owes = 0
        self._heard = heard

    def write(self, data: bytes) -> None:
        while data:
            start, end = extent(data)
            assert data[0] == TEXT_FRAME
            self._heard(data[start:end])
            data = data[end:]

    def get_write_buffer_size(self) -> int:
        return self.owes

    def abort(self) -> None:
        pass


class RecordedLine(ClientConnection):
    """A connection that keeps every message sent over it, at once."""

    queue = ClientConnection.send

    def __init__(self) -> None:
        super().__init__(Tap(self._heard), self._closed)
        self.frames: list[bytes] = []
        self._answered = asyncio.Event()

    def _heard(self, frame: bytes) -> None:
        self.frames.append(frame)
        if isinstance(Sent.decode(frame), wire.Ok | wire.No | wire.Pong):
            self._answered.set()

    def _closed(self, code: int) -> None:
        raise AssertionError(f"closed with {code}")

    async def answered(self) -> None:
        await self._answered.wait()
        self._answered.clear()


class Inside:
    """A new guest in a new house, and the line to him."""

    def __init__(self, house: Server, token: str) -> None:
        self.line = RecordedLine()
        self.token = token
        self._visitor = ClientSession(house, self.line, token)

    @classmethod
    async def enter(cls, house: Server) -> Self:
        await house.start()
        inside = cls(house, await house.sessions.add_guest())
        await inside.say(wire.Hello(wire.PROTOCOL), wire.Ping())
        return inside

    @property
    def answer(self) -> wire.Message:
        """What was sent last."""
        last: wire.Message = Sent.decode(self.line.frames[-1])
        return last

    @property
    def state(self) -> wire.TableState:
        """The last one of a table that was told."""
        told = (Sent.decode(frame) for frame in reversed(self.line.frames))
        return next(one.state for one in told if isinstance(one, wire.TableUpdate | wire.TableSnapshot))

    @property
    def round_id(self) -> str:
        assert self.state.round is not None, "no round on the table"
        return self.state.round.id

    @property
    def turn(self) -> int:
        assert self.state.round is not None, "no round on the table"
        return self.state.round.turn

    def same_player(self, house: Server) -> "Inside":
        """Another browser of his."""
        return Inside(house, self.token)

    def send(self, *commands: wire.Command) -> None:
        for command in commands:
            self.send_frame(msgspec.json.encode(command))

    def send_frame(self, frame: bytes) -> None:
        """Send bytes, whether they are a command or not."""
        self._visitor.frame_received(frame)

    async def say(self, *commands: wire.Command) -> None:
        """The last one is answered once."""
        self.send(*commands)
        await self.line.answered()

    def gone(self) -> None:
        """The connection has ended."""
        self._visitor.connection_lost()

    async def finished(self) -> None:
        """All that was sent before the end is done."""
        await self._visitor._task


@contextmanager
def house_of(
    folder: Path, cards: tuple[Card, ...], config: ServerConfig = DEFAULT_CONFIG
) -> Iterator[Server]:
    """Every round is dealt from these cards; times and ids are the same in every such house.

    Where there are no cards, each game takes its own shoe, wheel or dice.
    It has no live tables: they would read the clock whenever they please.
    """
    ticks, names = count(1_800_000_000_000), count()
    shoe = Shoe(cards, dealt=0, cut=len(cards))

    def now_ms() -> int:
        return next(ticks)

    def token(size: int = 32) -> str:
        return f"{next(names):0{2 * size}x}"

    with ExitStack() as ends:
        for module in (clock, client_session):
            ends.enter_context(patch.object(module, "now_ms", now_ms))
        for name in ("token_hex", "token_urlsafe"):
            ends.enter_context(patch.object(secrets, name, token))
        if cards:
            ends.enter_context(patch.object(own, "fresh_source", lambda *_: ShoeSource(shoe)))
        ledger = open_books(folder)
        ends.callback(ledger.close)
        tables = {name: table for name, table in published_tables().items() if table.dealing == "own"}
        yield build_server(sqlite_stores(ledger), tables, Seal.of_file(folder / KEY), config)
