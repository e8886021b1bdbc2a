"""A simulated browser: HTTP and WebSocket over the network, through independent client libraries."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, Self, TypeVar

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

from croupier.protocol import wire

T = TypeVar("T")
Request = (
    wire.Join | wire.Leave | wire.DealRound | wire.Decide | wire.PlaceBet | wire.SaveSettings | wire.PostChat
)

ANSWER_TIMEOUT_S = 30.0
IDLE = httpx.Limits(keepalive_expiry=2)
"""Shorter than the server's 5 s, so that a request never meets a connection that the server is closing."""
_decode_message = msgspec.json.Decoder(wire.Message).decode


class Answer(NamedTuple):
    """The reply `ok` or `no`, and the messages received before it."""

    reply: wire.Ok | wire.No
    messages: tuple[wire.Message, ...]

    @property
    def code(self) -> str:
        """The code of a refusal; empty for `ok`."""
        return self.reply.code if isinstance(self.reply, wire.No) else ""

    def state(self) -> wire.TableState:
        """Return the last state of a table among the messages."""
        return [m for m in self.messages if isinstance(m, wire.TableUpdate | wire.TableSnapshot)][-1].state


def new_req() -> str:
    return uuid.uuid4().hex


class Browser:
    """A session cookie, HTTP calls and at most one WebSocket connection."""

    def __init__(self, address: str) -> None:
        self.http = httpx.AsyncClient(verify=False, timeout=ANSWER_TIMEOUT_S, limits=IDLE)
        self.address = address
        self._socket: ClientConnection | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.disconnect()
        await self.http.aclose()

    # --- HTTP

    async def guest(self) -> wire.Me:
        return await self.post("/api/guest", wire.Me)

    async def get(self, path: str, kind: type[T], **params: str | int) -> T:
        answer = await self.http.get(self.address + path, params=params)
        return _decoded(answer, kind)

    async def post(self, path: str, kind: type[T], body: object = None) -> T:
        content = b"" if body is None else msgspec.json.encode(body)
        answer = await self.http.post(self.address + path, content=content)
        return _decoded(answer, kind)

    # --- WebSocket

    @property
    def socket(self) -> ClientConnection:
        assert self._socket is not None, "not connected"
        return self._socket

    async def connect(
        self, path: str = "/ws", headers: Mapping[str, str] | None = None, **options: Any
    ) -> None:
        """Connect as a page of this server would; `headers` replace those that a page sends."""
        server = await self.get("/api/server", wire.ServerInfo)
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        page_headers = {"Cookie": cookies, "Origin": self.address}
        self._socket = await connect(
            f"ws://127.0.0.1:{server.socket_port}{path}",
            additional_headers=page_headers if headers is None else headers,
            compression=None,
            **options,
        )

    async def disconnect(self) -> None:
        if self._socket is not None:
            await self._socket.close()
            self._socket = None

    async def send(self, message: msgspec.Struct) -> None:
        await self.socket.send(msgspec.json.encode(message), text=True)

    async def next(self) -> wire.Message:
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            message: wire.Message = _decode_message(await self.socket.recv(decode=False))
            return message

    async def hello(
        self, tables: Iterable[wire.ResumedTable] = ()
    ) -> tuple[wire.Welcome, list[wire.Message]]:
        """Say hello; return the welcome and the messages that came with it.

        Pings are answered before the welcome while the database is slow, so wait for it first.
        """
        await self.send(wire.Hello(wire.PROTOCOL, tuple(tables)))
        messages: list[wire.Message] = []
        while not isinstance(message := await self.next(), wire.Welcome):
            messages.append(message)
        return message, [*messages, *await self.drain()]

    async def drain(self) -> list[wire.Message]:
        """Return all messages sent so far: commands are carried out in order, so the pong comes last."""
        await self.send(wire.Ping())
        messages: list[wire.Message] = []
        while not isinstance(message := await self.next(), wire.Pong):
            messages.append(message)
        return messages

    async def ask(self, command: Request) -> Answer:
        """Send a command and wait for its answer."""
        await self.send(command)
        messages: list[wire.Message] = []
        while True:
            message = await self.next()
            if isinstance(message, wire.Ok | wire.No) and message.req == command.req:
                return Answer(message, tuple(messages))
            messages.append(message)

    # --- commands

    async def join(self, table: str, currency: str = "GC") -> Answer:
        return await self.ask(wire.Join(new_req(), table, currency))

    async def deal(self, table: str, *stakes: wire.Stake, req: str = "") -> Answer:
        return await self.ask(wire.DealRound(req or new_req(), table, stakes))

    async def decide(self, table: str, played: wire.PlayedRound, action: str, *, req: str = "") -> Answer:
        """Decide the first open turn of a round."""
        turn = played.view.turns[0]
        command = wire.Decide(req or new_req(), table, played.id, played.turn, turn.box, turn.hand, action)
        return await self.ask(command)


def _decoded(answer: httpx.Response, kind: type[T]) -> T:
    if answer.status_code == httpx.codes.SERVICE_UNAVAILABLE:
        raise ConnectionError(answer.text)
    assert answer.is_success, f"{answer.request.url}: {answer.status_code} {answer.text}"
    return msgspec.json.decode(answer.content, type=kind)


@asynccontextmanager
async def connect_guest(address: str) -> AsyncIterator[Browser]:
    """Connect the browser of a new guest and say hello."""
    async with Browser(address) as browser:
        await browser.guest()
        await browser.connect()
        await browser.hello()
        yield browser


@asynccontextmanager
async def another_browser(browser: Browser, address: str = "") -> AsyncIterator[Browser]:
    """Connect another browser of the same player and say hello, at `address` if the server has moved."""
    async with Browser(address or browser.address) as other:
        other.http.cookies = browser.http.cookies
        await other.connect()
        await other.hello()
        yield other


async def deal_open_round(browser: Browser, table: str, stake: wire.Stake) -> wire.PlayedRound:
    """Deal until a round waits for a decision, at a table that has been joined."""
    while True:
        played = (await browser.deal(table, stake)).state().round
        assert played is not None
        if not played.view.ended:
            return played


async def fetch_balances(browser: Browser) -> tuple[wire.Balance, ...]:
    """Return all balances from a new welcome."""
    welcome, _ = await browser.hello()
    return welcome.balances
