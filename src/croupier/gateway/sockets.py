"""WebSocket servers on picows and on `websockets`. Both only pass frames to a connection handler."""

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
"""A silent connection is pinged after the first time, and closed if no answer arrives within the second, as a
network failure gives no notice. Browsers send at least one message every five seconds."""
IDLE_CHECK_S = 1.0
IDLE_CHECK_BATCH = 1000


class ConnectionHandler(Protocol):
    """Receives the frames of a connection, and its end."""

    def frame_received(self, frame: bytes) -> None: ...

    def connection_lost(self) -> None: ...


class SocketEndpoint(NamedTuple):
    """An endpoint: `connect` creates the handler of a connection from the token in `cookie`.

    `accepts` returns whether a request comes from a page of this server.
    """

    cookie: str
    connect: Callable[[ClientConnection, str], ConnectionHandler]
    accepts: Callable[[HeaderLookup], bool]


SocketEndpoints = Mapping[str, SocketEndpoint]
"""Endpoints by path."""


# --- picows


_TEXT, _CLOSE = picows.WSMsgType.TEXT, picows.WSMsgType.CLOSE
_PING, _PONG = picows.WSMsgType.PING, picows.WSMsgType.PONG
_PING_MESSAGE = frame_message(b"", PING_FRAME)


class PicowsConnection(picows.WSListener):
    """A connection of picows; `connections` holds all that are open."""

    __slots__ = ("_connect", "_connection", "_connections", "_handler", "_silent_s", "_token", "_transport")

    def __init__(self, endpoint: SocketEndpoint, token: str, connections: "set[PicowsConnection]") -> None:
        super().__init__()
        self._connect = endpoint.connect
        self._token = token
        self._connections = connections
        self._silent_s = 0.0

    def on_ws_connected(self, transport: picows.WSTransport) -> None:
        self._transport = transport
        self._connection = ClientConnection(transport.underlying_transport, self._start_close)
        self._connections.add(self)
        self._handler = self._connect(self._connection, self._token)
        # What only the handshake needs would be kept as long as the connection.
        request = transport.request
        del request.method, request.path, request.version, request.headers, transport.response.headers
        del self._connect, self._token

    def on_ws_frame(self, transport: picows.WSTransport, frame: picows.WSFrame) -> None:
        self._silent_s = 0.0
        kind = frame.msg_type
        if kind == _TEXT and frame.fin:
            self._handler.frame_received(frame.get_payload_as_bytes())
        elif kind == _PING:  # picows would also answer clients that never read, which could fill the memory
            self._connection.send(frame_message(frame.get_payload_as_bytes(), PONG_FRAME))
        elif kind == _CLOSE:
            transport.send_close(frame.get_close_code())
            transport.disconnect()
        elif kind != _PONG:
            self._connection.close(CLOSE_UNSUPPORTED)

    def on_ws_disconnected(self, _transport: picows.WSTransport) -> None:
        self._connections.discard(self)
        self._connection.closed()
        self._handler.connection_lost()

    def check_idle(self) -> None:
        """Count the time since the last frame; called every IDLE_CHECK_S."""
        self._silent_s += IDLE_CHECK_S
        if self._silent_s > IDLE_PING_S:
            self._ping()

    def _ping(self) -> None:
        if self._silent_s > IDLE_PING_S + PONG_TIMEOUT_S:
            self.close(CLOSE_GOING_AWAY)
        else:
            self._connection.send(_PING_MESSAGE)

    def close(self, code: int) -> None:
        self._connection.close(code)

    def _start_close(self, code: int) -> None:
        self._transport.send_close(picows.WSCloseCode(code))
        self._transport.disconnect()


async def _check_idle(connections: set[PicowsConnection]) -> None:
    """Check all connections periodically; a timer for each would cost more than sending messages."""
    while True:
        await asyncio.sleep(IDLE_CHECK_S)
        every = tuple(connections)
        for first in range(0, len(every), IDLE_CHECK_BATCH):
            for connection in every[first : first + IDLE_CHECK_BATCH]:
                connection.check_idle()
            await asyncio.sleep(0)


@asynccontextmanager
async def picows_server(
    endpoints: SocketEndpoints, host: str, port: int, limiter: ConnectionLimiter | None = None
) -> AsyncIterator[int]:
    """Serve until the context exits; its value is the port."""
    connections: set[PicowsConnection] = set()

    def answer(request: picows.WSUpgradeRequest) -> PicowsConnection | picows.WSUpgradeResponseWithListener:
        header = _picows_header(request)
        endpoint = _find_endpoint(endpoints, request.path.decode("latin-1"), header)
        if isinstance(endpoint, HTTPStatus):
            return picows.WSUpgradeResponseWithListener(
                picows.WSUpgradeResponse.create_error_response(endpoint), None
            )
        return PicowsConnection(endpoint, session_token(header, endpoint.cookie), connections)

    async def connect(accepted: socket.socket, closed: OnClosed) -> None:
        # uvloop's own transports take 5 KiB less, but a bet's p99 is 28 % longer with them.
        await aiofastnet.connect_accepted_socket(
            asyncio.get_running_loop(), lambda: picows_protocol(answer, closed), accepted
        )

    with socket.create_server((host, port)) as listening:
        listener = TcpListener(listening, limiter or ConnectionLimiter(), connect)
        idle_check = asyncio.create_task(_check_idle(connections))
        async with listener:
            try:
                yield listener.port
            finally:
                idle_check.cancel()
                for connection in tuple(connections):
                    connection.close(CLOSE_GOING_AWAY)


def _picows_header(request: picows.WSUpgradeRequest) -> HeaderLookup:
    return lambda name: single_value(request.headers.getall(name, []))


def _websockets_header(request: Request) -> HeaderLookup:
    return lambda name: single_value(request.headers.get_all(name))


def _find_endpoint(
    endpoints: SocketEndpoints, path: str, header: HeaderLookup
) -> SocketEndpoint | HTTPStatus:
    """Return the endpoint of a request, or the status that refuses it."""
    endpoint = endpoints.get(path.partition("?")[0])
    if endpoint is None:
        return HTTPStatus.NOT_FOUND
    if not all((header(name) or "").isascii() for name in HANDSHAKE_HEADERS):
        return HTTPStatus.BAD_REQUEST  # picows can't encode its answer to these
    return endpoint if endpoint.accepts(header) else HTTPStatus.FORBIDDEN


# --- websockets


@asynccontextmanager
async def websockets_server(
    endpoints: SocketEndpoints, host: str, port: int, limiter: ConnectionLimiter | None = None
) -> AsyncIterator[int]:
    """Serve until the context exits; its value is the port."""

    def answer(connection: ServerConnection, request: Request) -> Response | None:
        endpoint = _find_endpoint(endpoints, request.path, _websockets_header(request))
        return connection.respond(endpoint, "") if isinstance(endpoint, HTTPStatus) else None

    async def handle(connection: ServerConnection) -> None:
        assert isinstance(connection, WebsocketsConnection)
        client = ClientConnection(connection, connection.start_close)
        assert connection.request is not None, "the handshake is over"
        endpoint = endpoints[connection.request.path.partition("?")[0]]
        header = _websockets_header(connection.request)
        handler = endpoint.connect(client, session_token(header, endpoint.cookie))
        try:
            async for frame in connection:
                if isinstance(frame, bytes):
                    client.close(CLOSE_UNSUPPORTED)
                else:
                    handler.frame_received(frame.encode())
        except ConnectionClosed:
            pass
        finally:
            client.closed()
            handler.connection_lost()

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
"""Servers by the value of `--socket`."""
