"""A session of Janus over one WebSocket: requests with their answers, and events."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from croupier.protocol.encoding import encode
from croupier.protocol.signatures import Secret
from croupier.video.janus.messages import JanusMessage
from croupier.video.port import MediaUnavailable

ANSWER_TIMEOUT_S = 5.0
OPEN_TIMEOUT_S = 3.0
PING_S, PONG_TIMEOUT_S = 2.0, 3.0
"""A Janus that hangs is noticed within five seconds."""
KEEPALIVE_S = 20.0
"""Janus ends a session without requests after 60 seconds."""
MESSAGE_BYTES_MAX = 256 * 1024
PLUGIN = "janus.plugin.videoroom"
ACK = "ack"

OnEvent = Callable[[JanusMessage], None]
_decode = msgspec.json.Decoder(JanusMessage).decode


class JanusSession:
    """Created by `open_session`. Requests raise MediaUnavailable unless Janus does as asked."""

    def __init__(self, socket: ClientConnection, secret: Secret, on_event: OnEvent) -> None:
        self._socket = socket
        self._secret = secret
        self._on_event = on_event
        self._id = 0
        self._waiting: dict[str, asyncio.Future[JanusMessage]] = {}

    async def run(self) -> None:
        """Handle messages until the connection ends."""
        try:
            async for frame in self._socket:
                self._received(_decode(frame))
        except (ConnectionClosed, msgspec.MsgspecError):
            return
        finally:
            for waiting in self._waiting.values():
                waiting.cancel()

    def _received(self, message: JanusMessage) -> None:
        """Answer the request of the message; it is an event if there is none.

        Plugins acknowledge a request first, and answer it later.
        """
        waiting = self._waiting.get(message.transaction)
        if waiting is None:
            self._on_event(message)
        elif message.janus != ACK and not waiting.done():
            waiting.set_result(message)

    async def create(self) -> None:
        self._id = (await self._request({"janus": "create"})).data.id

    async def keep_alive(self) -> None:
        """Keep the session from ending, until the connection ends."""
        while True:
            await asyncio.sleep(KEEPALIVE_S)
            await self._send({"janus": "keepalive", "session_id": self._id, "transaction": "keepalive"})

    async def attach(self) -> int:
        """Return a new handle of the plugin."""
        answer = await self._request({"janus": "attach", "session_id": self._id, "plugin": PLUGIN})
        return answer.data.id

    async def detach(self, handle: int) -> None:
        await self._request({"janus": "detach", "session_id": self._id, "handle_id": handle})

    async def ask(
        self, handle: int, body: dict[str, Any], description: dict[str, str] | None = None
    ) -> JanusMessage:
        """Send a request to the plugin, and return its answer."""
        message = {"janus": "message", "session_id": self._id, "handle_id": handle, "body": body}
        answer = await self._request(message | ({"jsep": description} if description else {}))
        if answer.room.error_code:
            raise RoomRefused(answer.room.error_code, answer.room.error)
        return answer

    async def _request(self, message: dict[str, Any]) -> JanusMessage:
        transaction = secrets.token_hex(8)
        waiting: asyncio.Future[JanusMessage] = asyncio.get_running_loop().create_future()
        self._waiting[transaction] = waiting
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                await self._send({**message, "transaction": transaction})
                await asyncio.wait((waiting,))
        except TimeoutError:
            raise MediaUnavailable(f"no answer to {message['janus']}") from None
        finally:
            del self._waiting[transaction]
        if waiting.cancelled():
            raise MediaUnavailable("the connection has ended")
        answer = waiting.result()
        if answer.error:
            raise MediaUnavailable(f"{message['janus']}: {answer.error.code} {answer.error.reason}")
        return answer

    async def _send(self, message: dict[str, Any]) -> None:
        try:
            await self._socket.send(encode({**message, "apisecret": self._secret.revealed()}), text=True)
        except ConnectionClosed as error:
            raise MediaUnavailable("the connection has ended") from error


class RoomRefused(MediaUnavailable):
    """The plugin refuses a request. `code` is its error code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{code} {reason}")
        self.code = code


@asynccontextmanager
async def open_session(
    host: str, port: int, secret: Secret, on_event: OnEvent
) -> AsyncIterator[JanusSession]:
    """Connect and create a session; raise MediaUnavailable if that fails.

    `run` of the session must be running while it is used.
    """
    name = f"[{host}]" if ":" in host else host
    connecting = connect(
        f"ws://{name}:{port}",
        subprotocols=[Subprotocol("janus-protocol")],
        open_timeout=OPEN_TIMEOUT_S,
        ping_interval=PING_S,
        ping_timeout=PONG_TIMEOUT_S,
        close_timeout=1,
        max_size=MESSAGE_BYTES_MAX,
        compression=None,
        proxy=None,
    )
    try:
        socket = await connecting
    except (OSError, TimeoutError, ValueError) as error:
        raise MediaUnavailable(f"not connected: {type(error).__name__}") from error
    async with socket:
        yield JanusSession(socket, secret, on_event)
