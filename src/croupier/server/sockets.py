"""The WebSocket servers: picows, and `websockets` in its place. Both only carry frames to a Visitor."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from typing import NamedTuple, Protocol
from urllib.parse import urlsplit

import picows
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from croupier.server.visitor import CLOSE_TRY_LATER, LARGEST_FRAME, OWED_MOST, Line

COOKIE = "croupier_session"
CLOSE_GOING_AWAY = 1001
CLOSE_UNSUPPORTED = 1003
CLOSES_WITHIN_S = 2.0
SILENT_S, ANSWERS_WITHIN_S = 5.0, 5.0
"""A line from which nothing is heard for so long is asked whether anybody is there, and is down when nobody
answers in time: a network that dies says no goodbye."""


class Caller(Protocol):
    """Who is at the other end of a line."""

    def received(self, frame: bytes) -> None: ...

    def gone(self) -> None: ...


class Entrance(NamedTuple):
    """Who comes in at a path: `receive` makes of a new line and of the token in `cookie` who calls."""

    cookie: str
    receive: Callable[[Line, str], Caller]


Entrances = Mapping[str, Entrance]
"""By path."""
Header = Callable[[str], str | None]
"""The value of a request's header; None when it has none."""


def from_this_house(header: Header) -> bool:
    """Whether the page that asks is ours: another site's page may not use our player's cookie."""
    origin = urlsplit(header("Origin") or "")
    host = urlsplit(f"//{header('Host') or ''}")
    return bool(origin.hostname) and origin.hostname == host.hostname


def session_token(header: Header, name: str) -> str:
    """The token in the cookie of that name; empty when there is none."""
    try:
        cookie = SimpleCookie(header("Cookie") or "").get(name)
    except CookieError:
        return ""
    return cookie.value if cookie else ""


# --- picows


def text_header(size: int) -> bytes:
    """What stands before a whole text message of so many bytes from a server (RFC 6455, 5.2)."""
    if size < 126:
        return bytes((0x81, size))
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big")
    return b"\x81\x7f" + size.to_bytes(8, "big")


class PicowsLine(picows.WSListener):
    """A connection of picows; `lines` are all that are open."""

    def __init__(self, entrance: Entrance, token: str, lines: "set[PicowsLine]") -> None:
        super().__init__()
        self._receive = entrance.receive
        self._token = token
        self._lines = lines
        self._closing = False

    def on_ws_connected(self, transport: picows.WSTransport) -> None:
        self._transport = transport
        self._owes = transport.underlying_transport.get_write_buffer_size
        self._write = transport.underlying_transport.write
        self._lines.add(self)
        self._caller = self._receive(self, self._token)

    def on_ws_frame(self, transport: picows.WSTransport, frame: picows.WSFrame) -> None:
        if frame.msg_type == picows.WSMsgType.CLOSE:
            transport.send_close(frame.get_close_code())
            transport.disconnect()
        elif frame.msg_type == picows.WSMsgType.TEXT and frame.fin:
            self._caller.received(frame.get_payload_as_bytes())
        elif frame.msg_type == picows.WSMsgType.PING:
            self._pong(frame.get_payload_as_bytes())
        elif frame.msg_type in (
            picows.WSMsgType.TEXT,
            picows.WSMsgType.BINARY,
            picows.WSMsgType.CONTINUATION,
        ):
            self.close(CLOSE_UNSUPPORTED)

    def on_ws_disconnected(self, _transport: picows.WSTransport) -> None:
        self._lines.discard(self)
        self._caller.gone()

    def _pong(self, payload: bytes) -> None:
        """picows would answer by itself, also who takes no answers and so could fill our memory."""
        if self.owed() > OWED_MOST:
            self.close(CLOSE_TRY_LATER)
        else:
            self._transport.send_pong(payload)

    def send(self, *frames: bytes) -> None:
        if self._closing:
            return
        if len(frames) == 1:
            self._transport.send(picows.WSMsgType.TEXT, frames[0])
        else:  # picows makes a system call of each frame
            self._write(b"".join([part for frame in frames for part in (text_header(len(frame)), frame)]))

    def owed(self) -> int:
        return int(self._owes())

    def close(self, code: int) -> None:
        """Soon: who doesn't read would never take what comes before the end."""
        if not self._closing:
            self._closing = True
            self._transport.send_close(picows.WSCloseCode(code))
            self._transport.disconnect()
            cut_off = self._transport.underlying_transport.abort
            asyncio.get_running_loop().call_later(CLOSES_WITHIN_S, cut_off)


@asynccontextmanager
async def picows_server(entrances: Entrances, host: str, port: int) -> AsyncIterator[int]:
    """Serves until left; the value is the port."""
    lines: set[PicowsLine] = set()

    def answer(request: picows.WSUpgradeRequest) -> PicowsLine | picows.WSUpgradeResponseWithListener:
        entrance = _entrance(entrances, request.path.decode(), request.headers.get)
        if isinstance(entrance, HTTPStatus):
            return picows.WSUpgradeResponseWithListener(
                picows.WSUpgradeResponse.create_error_response(entrance), None
            )
        return PicowsLine(entrance, session_token(request.headers.get, entrance.cookie), lines)

    server = await picows.ws_create_server(
        answer,
        host,
        port,
        max_frame_size=LARGEST_FRAME,
        read_buffer_init_size=2048,
        enable_auto_ping=True,
        auto_ping_idle_timeout=SILENT_S,
        auto_ping_reply_timeout=ANSWERS_WITHIN_S,
        enable_auto_pong=False,
    )
    async with server:
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            for line in tuple(lines):
                line.close(CLOSE_GOING_AWAY)


def _entrance(entrances: Entrances, path: str, header: Header) -> Entrance | HTTPStatus:
    """Where a request comes in, or why it doesn't."""
    entrance = entrances.get(path.partition("?")[0])
    if entrance is None:
        return HTTPStatus.NOT_FOUND
    return entrance if from_this_house(header) else HTTPStatus.FORBIDDEN


# --- websockets


class Connection(ServerConnection):
    """Answers pings by itself, and is cut off when it doesn't take the answers."""

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_write_buffer_size() > OWED_MOST:
            self.transport.abort()


class WebsocketsLine:
    """A connection of `websockets`: frames are sent by a task of their own."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self._frames: asyncio.Queue[bytes | int] = asyncio.Queue()
        self._owed = 0
        self._closing = False

    def send(self, *frames: bytes) -> None:
        if self._closing:
            return
        self._owed += sum(map(len, frames))
        for frame in frames:
            self._frames.put_nowait(frame)

    def owed(self) -> int:
        return self._owed

    def close(self, code: int) -> None:
        """Soon: who doesn't read would never take what comes before the end."""
        if not self._closing:
            self._closing = True
            self._frames.put_nowait(code)
            asyncio.get_running_loop().call_later(CLOSES_WITHIN_S, self._connection.transport.abort)

    async def carry(self) -> None:
        while not isinstance(frame := await self._frames.get(), int):
            await self._connection.send(frame, text=True)
            self._owed -= len(frame)
        await self._connection.close(frame)


@asynccontextmanager
async def websockets_server(entrances: Entrances, host: str, port: int) -> AsyncIterator[int]:
    """Serves until left; the value is the port."""

    def answer(connection: ServerConnection, request: Request) -> Response | None:
        entrance = _entrance(entrances, request.path, request.headers.get)
        return connection.respond(entrance, "") if isinstance(entrance, HTTPStatus) else None

    async def handle(connection: ServerConnection) -> None:
        line = WebsocketsLine(connection)
        assert connection.request is not None, "the handshake is over"
        entrance = entrances[connection.request.path.partition("?")[0]]
        caller = entrance.receive(line, session_token(connection.request.headers.get, entrance.cookie))
        carrying = asyncio.create_task(line.carry())
        try:
            async for frame in connection:
                if isinstance(frame, bytes):
                    line.close(CLOSE_UNSUPPORTED)
                else:
                    caller.received(frame.encode())
        except ConnectionClosed:
            pass
        finally:
            caller.gone()
            carrying.cancel()

    async with serve(
        handle,
        host,
        port,
        process_request=answer,
        create_connection=Connection,
        max_size=LARGEST_FRAME,
        compression=None,
        ping_interval=SILENT_S,
        ping_timeout=ANSWERS_WITHIN_S,
        close_timeout=CLOSES_WITHIN_S,
    ) as server:
        yield next(iter(server.sockets)).getsockname()[1]


SOCKETS = {"picows": picows_server, "websockets": websockets_server}
"""By the name that `--socket` takes."""
