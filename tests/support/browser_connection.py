"""A browser for tests: the house's own HTTP and WebSocket, over the network, by other libraries' clients."""

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
Asked = wire.Join | wire.Leave | wire.DealRound | wire.Decide | wire.SaveSettings | wire.PostChat

ANSWERS_WITHIN_S = 30.0
IDLE = httpx.Limits(keepalive_expiry=2)
"""Sooner than the house, which closes a connection that is idle for 5 s: else both do it at once."""
_read = msgspec.json.Decoder(wire.Message).decode


class Answer(NamedTuple):
    """`ok` or `no`, and what was told before it."""

    said: wire.Ok | wire.No
    told: tuple[wire.Message, ...]

    @property
    def code(self) -> str:
        """The code of a refusal; empty where it is `ok`."""
        return self.said.code if isinstance(self.said, wire.No) else ""

    def state(self) -> wire.TableState:
        """The last state of a table among what was told."""
        return [m for m in self.told if isinstance(m, wire.TableUpdate | wire.TableSnapshot)][-1].state


def new_req() -> str:
    return uuid.uuid4().hex


class Browser:
    """A browser: its cookie, its HTTP calls and at most one socket."""

    def __init__(self, address: str) -> None:
        self.http = httpx.AsyncClient(verify=False, timeout=ANSWERS_WITHIN_S, limits=IDLE)
        self.address = address
        self._socket: ClientConnection | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.hang_up()
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

    # --- the socket

    @property
    def socket(self) -> ClientConnection:
        assert self._socket is not None, "no socket is open"
        return self._socket

    async def dial(self, path: str = "/ws", headers: Mapping[str, str] | None = None, **options: Any) -> None:
        """Opens the socket as a page of this house would; `headers` replace those it sends."""
        house = await self.get("/api/house", wire.ServerInfo)
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        sent = {"Cookie": cookies, "Origin": self.address} if headers is None else headers
        self._socket = await connect(
            f"ws://127.0.0.1:{house.socket_port}{path}",
            additional_headers=sent,
            compression=None,
            **options,
        )

    async def hang_up(self) -> None:
        if self._socket is not None:
            await self._socket.close()
            self._socket = None

    async def send(self, message: msgspec.Struct) -> None:
        await self.socket.send(msgspec.json.encode(message), text=True)

    async def next(self) -> wire.Message:
        async with asyncio.timeout(ANSWERS_WITHIN_S):
            message: wire.Message = _read(await self.socket.recv(decode=False))
            return message

    async def hello(
        self, tables: Iterable[wire.ResumedTable] = ()
    ) -> tuple[wire.Welcome, list[wire.Message]]:
        """The welcome, and what was told right after it."""
        await self.send(wire.Hello(wire.PROTOCOL, tuple(tables)))
        before_and_after = await self.told()
        welcome = next(m for m in before_and_after if isinstance(m, wire.Welcome))
        return welcome, [m for m in before_and_after if m is not welcome]

    async def told(self) -> list[wire.Message]:
        """All that was on its way: commands are done in order, so a ping's answer comes after it."""
        await self.send(wire.Ping())
        messages: list[wire.Message] = []
        while not isinstance(message := await self.next(), wire.Pong):
            messages.append(message)
        return messages

    async def ask(self, command: Asked) -> Answer:
        """Sends a command and waits for its answer."""
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
        """Decides the first open turn of a round."""
        turn = played.view.turns[0]
        command = wire.Decide(req or new_req(), table, played.id, played.turn, turn.box, turn.hand, action)
        return await self.ask(command)


def _decoded(answer: httpx.Response, kind: type[T]) -> T:
    if answer.status_code == httpx.codes.SERVICE_UNAVAILABLE:
        raise ConnectionError(answer.text)
    assert answer.is_success, f"{answer.request.url}: {answer.status_code} {answer.text}"
    return msgspec.json.decode(answer.content, type=kind)


@asynccontextmanager
async def guest_at(address: str) -> AsyncIterator[Browser]:
    """The browser of a new guest, who has said hello."""
    async with Browser(address) as browser:
        await browser.guest()
        await browser.dial()
        await browser.hello()
        yield browser


@asynccontextmanager
async def same_player(browser: Browser, address: str = "") -> AsyncIterator[Browser]:
    """Another browser of the same player, who has said hello; at `address` where the house has moved."""
    async with Browser(address or browser.address) as other:
        other.http.cookies = browser.http.cookies
        await other.dial()
        await other.hello()
        yield other


async def begun(browser: Browser, table: str, stake: wire.Stake) -> wire.PlayedRound:
    """A round that waits for a decision; the table has been joined."""
    while True:
        played = (await browser.deal(table, stake)).state().round
        assert played is not None
        if not played.view.ended:
            return played


async def money(browser: Browser) -> tuple[wire.Balance, ...]:
    """All balances, as a new browser would be told them."""
    welcome, _ = await browser.hello()
    return welcome.balances
