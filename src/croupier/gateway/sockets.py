"""The WebSocket servers: picows, and `websockets` in its place. Both only carry frames to a session."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import NamedTuple, Protocol, cast

import aiofastnet
import picows
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol

from croupier.gateway.client_session import FRAME_BYTES_MAX
from croupier.gateway.connection_limits import ConnectionLimiter
from croupier.gateway.cookies import session_token
from croupier.gateway.listener import HANDSHAKE_TIMEOUT_S, OnClosed, TcpListener
from croupier.gateway.origins import HeaderLookup, single_value
from croupier.gateway.picows_protocol import picows_protocol
from croupier.gateway.websockets_connection import WebsocketsConnection
from croupier.protocol.connection import (
    CLOSE_GOING_AWAY,
    CLOSE_TIMEOUT_S,
    CLOSE_UNSUPPORTED,
    PING_FRAME,
    PONG_FRAME,
    ClientConnection,
    frame_message,
)

PLAYER_COOKIE = "croupier_session"
HANDSHAKE_HEADERS = ("Upgrade", "Connection", "Sec-WebSocket-Version", "Sec-WebSocket-Key")
IDLE_PING_S, PONG_TIMEOUT_S = 6.0, 4.0
"""A line from which nothing is heard for so long is asked whether anybody is there, and is down when nobody
answers in time: a network that dies says no goodbye. A browser says something each five seconds at least."""
IDLE_CHECK_S = 1.0
IDLE_CHECK_BATCH = 1000


class ConnectionHandler(Protocol):
    """Who is at the other end of a line."""

    def received(self, frame: bytes) -> None: ...

    def gone(self) -> None: ...


class SocketEndpoint(NamedTuple):
    """Who comes in at a path: `receive` makes of a new line and of the token in `cookie` who calls.

    `accepts` tells by a request's headers whether a page of this server opens the socket.
    """

    cookie: str
    receive: Callable[[ClientConnection, str], ConnectionHandler]
    accepts: Callable[[HeaderLookup], bool]


SocketEndpoints = Mapping[str, SocketEndpoint]
"""By path."""


# --- picows


_TEXT, _CLOSE = picows.WSMsgType.TEXT, picows.WSMsgType.CLOSE
_PING, _PONG = picows.WSMsgType.PING, picows.WSMsgType.PONG
_ANYBODY = frame_message(b"", PING_FRAME)


class PicowsConnection(picows.WSListener):
    """Our end of a connection of picows; `ends` are those of all that are open."""

    __slots__ = ("_caller", "_ends", "_line", "_receive", "_silent_s", "_token", "_transport")

    def __init__(self, entrance: SocketEndpoint, token: str, ends: "set[PicowsConnection]") -> None:
        super().__init__()
        self._receive = entrance.receive
        self._token = token
        self._ends = ends
        self._silent_s = 0.0

    def on_ws_connected(self, transport: picows.WSTransport) -> None:
        self._transport = transport
        self._line = ClientConnection(transport.underlying_transport, self._say_goodbye)
        self._ends.add(self)
        self._caller = self._receive(self._line, self._token)

    def on_ws_frame(self, transport: picows.WSTransport, frame: picows.WSFrame) -> None:
        self._silent_s = 0.0
        kind = frame.msg_type
        if kind == _TEXT and frame.fin:
            self._caller.received(frame.get_payload_as_bytes())
        elif kind == _PING:  # picows would answer also who takes no answers and so could fill our memory
            self._line.send(frame_message(frame.get_payload_as_bytes(), PONG_FRAME))
        elif kind == _CLOSE:
            transport.send_close(frame.get_close_code())
            transport.disconnect()
        elif kind != _PONG:
            self._line.close(CLOSE_UNSUPPORTED)

    def on_ws_disconnected(self, _transport: picows.WSTransport) -> None:
        self._ends.discard(self)
        self._line.closed()
        self._caller.gone()

    def listen(self) -> None:
        """Nothing may have been heard since this was called last."""
        self._silent_s += IDLE_CHECK_S
        if self._silent_s > IDLE_PING_S:
            self._ask()

    def _ask(self) -> None:
        if self._silent_s > IDLE_PING_S + PONG_TIMEOUT_S:
            self.close(CLOSE_GOING_AWAY)
        else:
            self._line.send(_ANYBODY)

    def close(self, code: int) -> None:
        self._line.close(code)

    def _say_goodbye(self, code: int) -> None:
        self._transport.send_close(picows.WSCloseCode(code))
        self._transport.disconnect()


async def _listen(ends: set[PicowsConnection]) -> None:
    """For who is silent: one walk over all lines, as a timer for each would cost more than what is told."""
    while True:
        await asyncio.sleep(IDLE_CHECK_S)
        every = tuple(ends)
        for first in range(0, len(every), IDLE_CHECK_BATCH):
            for end in every[first : first + IDLE_CHECK_BATCH]:
                end.listen()
            await asyncio.sleep(0)


@asynccontextmanager
async def picows_server(
    entrances: SocketEndpoints, host: str, port: int, limiter: ConnectionLimiter | None = None
) -> AsyncIterator[int]:
    """Serves until left; the value is the port."""
    ends: set[PicowsConnection] = set()

    def answer(request: picows.WSUpgradeRequest) -> PicowsConnection | picows.WSUpgradeResponseWithListener:
        header = _picows_header(request)
        entrance = _entrance(entrances, request.path.decode("latin-1"), header)
        if isinstance(entrance, HTTPStatus):
            return picows.WSUpgradeResponseWithListener(
                picows.WSUpgradeResponse.create_error_response(entrance), None
            )
        return PicowsConnection(entrance, session_token(header, entrance.cookie), ends)

    async def connect(accepted: socket.socket, closed: OnClosed) -> None:
        await aiofastnet.connect_accepted_socket(
            asyncio.get_running_loop(), lambda: picows_protocol(answer, closed), accepted
        )

    with socket.create_server((host, port)) as listening:
        listener = TcpListener(listening, limiter or ConnectionLimiter(), connect)
        listening_for_silence = asyncio.create_task(_listen(ends))
        async with listener:
            try:
                yield listener.port
            finally:
                listening_for_silence.cancel()
                for end in tuple(ends):
                    end.close(CLOSE_GOING_AWAY)


def _picows_header(request: picows.WSUpgradeRequest) -> HeaderLookup:
    return lambda name: single_value(request.headers.getall(name, []))


def _websockets_header(request: Request) -> HeaderLookup:
    return lambda name: single_value(request.headers.get_all(name))


def _entrance(entrances: SocketEndpoints, path: str, header: HeaderLookup) -> SocketEndpoint | HTTPStatus:
    """Where a request comes in, or why it doesn't."""
    entrance = entrances.get(path.partition("?")[0])
    if entrance is None:
        return HTTPStatus.NOT_FOUND
    if not all((header(name) or "").isascii() for name in HANDSHAKE_HEADERS):
        return HTTPStatus.BAD_REQUEST  # picows can't encode its own answer to these
    return entrance if entrance.accepts(header) else HTTPStatus.FORBIDDEN


# --- websockets


@asynccontextmanager
async def websockets_server(
    entrances: SocketEndpoints, host: str, port: int, limiter: ConnectionLimiter | None = None
) -> AsyncIterator[int]:
    """Serves until left; the value is the port."""

    def answer(connection: ServerConnection, request: Request) -> Response | None:
        entrance = _entrance(entrances, request.path, _websockets_header(request))
        return connection.respond(entrance, "") if isinstance(entrance, HTTPStatus) else None

    async def handle(connection: ServerConnection) -> None:
        assert isinstance(connection, WebsocketsConnection)
        line = ClientConnection(connection, connection.say_goodbye)
        assert connection.request is not None, "the handshake is over"
        entrance = entrances[connection.request.path.partition("?")[0]]
        header = _websockets_header(connection.request)
        caller = entrance.receive(line, session_token(header, entrance.cookie))
        try:
            async for frame in connection:
                if isinstance(frame, bytes):
                    line.close(CLOSE_UNSUPPORTED)
                else:
                    caller.received(frame.encode())
        except ConnectionClosed:
            pass
        finally:
            line.closed()
            caller.gone()

    server = serve(handle, process_request=answer, open_timeout=HANDSHAKE_TIMEOUT_S)

    def protocol(closed: OnClosed) -> WebsocketsConnection:
        connection = WebsocketsConnection(
            ServerProtocol(max_size=FRAME_BYTES_MAX),
            server,
            ping_interval=IDLE_PING_S,
            ping_timeout=PONG_TIMEOUT_S,
            close_timeout=CLOSE_TIMEOUT_S,
        )
        connection.closed = closed
        return connection

    async def connect(accepted: socket.socket, closed: OnClosed) -> None:
        await asyncio.get_running_loop().connect_accepted_socket(lambda: protocol(closed), accepted)

    with socket.create_server((host, port)) as listening:
        listener = TcpListener(listening, limiter or ConnectionLimiter(), connect)
        server.server = cast("asyncio.Server", listener)
        async with server:
            yield listener.port


SOCKETS = {"picows": picows_server, "websockets": websockets_server}
"""By the name that `--socket` takes."""
