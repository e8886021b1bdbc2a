"""The bus of several nodes: NATS."""

import asyncio
import logging
import os
import socket
import ssl
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from urllib.parse import urlsplit

from croupier.cluster.bus import (
    BusUnavailable,
    Handler,
    MessageRefused,
    NoReply,
    OnConnection,
    OnRequest,
    Unsubscribe,
    check_size,
)
from croupier.extras import require

if TYPE_CHECKING:
    from nats.aio.msg import Msg
    from nats.aio.subscription import Subscription

CONNECT_TIMEOUT_S, FLUSH_TIMEOUT_S = 5.0, 1.0
RECONNECT_S = 0.2
PING_S, PINGS_UNANSWERED_MAX = 1, 2
"""A server that is frozen, or out of reach, is noticed within three seconds."""
UNACKNOWLEDGED_MS_MAX = 3000
"""Maximum wait for a peer that takes no data, also when closing; by default a quarter of an hour."""
UNSENT_BYTES_MAX = 16_000_000
"""Messages that wait for a slow connection; further ones are lost, as without a connection."""

REPLIES = "reply"
"""Subject below which replies arrive: below the cluster's prefix, so that permissions can name it."""
TLS = "tls"
REFUSED, PERMISSIONS = "authorization violation", "permissions violation"
"""Parts of the server's errors: the credentials, or a subject that they aren't for."""

log = logging.getLogger(__name__)


async def within(timeout_s: float, work: Coroutine[Any, Any, None]) -> None:
    """Wait for work of the client; TimeoutError if it doesn't end in time, even if it can't be cancelled."""
    task = asyncio.create_task(work)
    try:
        done, _ = await asyncio.wait([task], timeout=timeout_s)
    finally:
        task.cancel()
    if not done:
        raise TimeoutError("the client of the message server doesn't end")
    task.result()


class NatsServers(NamedTuple):
    """One server, or several that commas separate. `credentials`: a file of NATS; `ca`: of certificates."""

    url: str
    credentials: Path | None = None
    ca: Path | None = None


class NatsBus:
    """Follows `Bus`. Subjects get the prefix of the cluster, so that clusters can share a server."""

    refused: Mapping[str, int] = MappingProxyType({})

    def __init__(self, prefix: str) -> None:
        from nats.aio.client import Client

        self.lost = 0
        """Messages that were lost here: published without a connection, or received too fast."""
        self._refusal: Exception | None = None
        self._prefix = prefix
        self._client: Client = Client()
        self._watchers: list[OnConnection] = []
        self._outbox = deque[tuple[str, bytes]]()
        self._outbox_filled = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    @classmethod
    async def connect(cls, servers: NatsServers, *, prefix: str, name: str) -> Self:
        """Connect to a server; BusUnavailable if none answers, accepts the credentials and keeps `tls:`."""
        require("nodes")
        bus = cls(prefix)
        try:
            await within(CONNECT_TIMEOUT_S, bus._connect(servers, name))
        except Exception as error:
            await bus._close_client()
            raise BusUnavailable(_why_unavailable(servers.url, bus._refusal or error)) from error
        bus._start(bus._send())
        return bus

    async def _connect(self, servers: NatsServers, name: str) -> None:
        more: dict[str, Any] = {"user_credentials": str(servers.credentials)} if servers.credentials else {}
        if servers.ca:
            more["tls"] = ssl.create_default_context(cafile=servers.ca)
        await self._client.connect(
            servers.url.split(","),
            name=name,
            inbox_prefix=self._full(REPLIES),
            **more,
            max_reconnect_attempts=-1,
            reconnect_time_wait=RECONNECT_S,  # type: ignore[arg-type] # fractions work
            ping_interval=PING_S,
            max_outstanding_pings=PINGS_UNANSWERED_MAX,
            pending_size=0,  # what can't be sent now is lost: sent late, a request would surprise its sender
            error_cb=self._on_error,
            disconnected_cb=self._on_disconnected,
            reconnected_cb=self._on_reconnected,
        )
        self._check_encrypted(servers.url)
        self._limit_waiting()

    def _check_encrypted(self, url: str) -> None:
        """Raise an error if `tls:` isn't kept: the client connects all the same to a server without TLS."""
        if urlsplit(url).scheme == TLS and self._socket_info("ssl_object") is None:
            raise ssl.SSLError("the server has no TLS")

    def _socket_info(self, name: str) -> Any:
        writer = getattr(self._client._transport, "_io_writer", None)
        return writer.get_extra_info(name) if writer else None

    @property
    def is_connected(self) -> bool:
        return self._client.is_connected

    def watch(self, on_connection: OnConnection) -> None:
        self._watchers.append(on_connection)

    def publish(self, subject: str, payload: bytes) -> None:
        check_size(subject, payload)
        if not self.is_connected or self._client.pending_data_size > UNSENT_BYTES_MAX:
            self.lost += 1
            return
        self._outbox.append((self._full(subject), payload))
        self._outbox_filled.set()

    async def subscribe(self, subject: str, handler: Handler) -> Unsubscribe:
        async def receive(message: "Msg") -> None:
            handler(message.data)
            await asyncio.sleep(0)  # the client delivers all that has arrived in one turn

        return await self._subscribe(subject, receive)

    async def request(self, subject: str, payload: bytes, timeout_s: float) -> bytes:
        from nats import errors

        check_size(subject, payload)
        if not self.is_connected:
            raise BusUnavailable("the message server is out of reach")
        try:
            reply = await self._client.request(self._full(subject), payload, timeout=timeout_s)
        except errors.NoRespondersError as error:
            raise BusUnavailable(f"nobody serves {subject}") from error
        except errors.OutboundBufferLimitError as error:
            raise BusUnavailable("the message server is out of reach") from error
        except (errors.Error, TimeoutError) as error:
            raise NoReply(subject) from error
        return reply.data

    async def serve(self, subject: str, answer: OnRequest) -> Unsubscribe:
        async def receive(message: "Msg") -> None:
            self._start(self._respond(message, answer))

        return await self._subscribe(subject, receive)

    async def close(self) -> None:
        with suppress(Exception):  # the bus closes in any case
            await asyncio.wait_for(self._flush(), FLUSH_TIMEOUT_S)
        for task in self._tasks:
            task.cancel()
        await self._close_client()

    async def _close_client(self) -> None:
        """Close the client, or leave it: it may wait for ever for a connection that was refused."""
        with suppress(Exception):
            await within(CONNECT_TIMEOUT_S, self._client.close())

    # --- sending

    async def _send(self) -> None:
        """Send what is published, in order."""
        while await self._outbox_filled.wait():
            while self._outbox:
                subject, payload = self._outbox.popleft()
                try:
                    await self._client.publish(subject, payload)
                except Exception as error:  # noqa: BLE001 - whatever it is, the message is lost
                    self._lose(error)
            self._outbox_filled.clear()

    async def _flush(self) -> None:
        """Wait until the server has everything. The client's own flush overtakes what it hasn't sent yet."""
        while self._has_unsent and self.is_connected:  # noqa: ASYNC110 - the client sends in its next turn
            await asyncio.sleep(0)
        await self._client.flush()

    @property
    def _has_unsent(self) -> bool:
        return bool(self._outbox or self._client.pending_data_size)

    async def _respond(self, message: "Msg", answer: OnRequest) -> None:
        try:
            await message.respond(await answer(message.data))
        except MessageRefused:
            pass
        except Exception:
            log.exception("a request to %s failed", message.subject)

    # --- connection

    async def _subscribe(self, subject: str, receive: Callable[["Msg"], Awaitable[None]]) -> Unsubscribe:
        subscription = await self._client.subscribe(self._full(subject), cb=receive)
        await self._flush()  # the server has it when this returns
        return lambda: self._start(_end(subscription))

    async def _on_disconnected(self) -> None:
        if not self._client.is_closed:
            log.warning("the message server is out of reach")
        self._notify(connected=False)

    def _limit_waiting(self) -> None:
        """Let the system end a connection whose peer takes no data: the client has no option for it."""
        sent_to = self._socket_info("socket")
        if sent_to is not None and hasattr(socket, "TCP_USER_TIMEOUT"):
            with socket.socket(fileno=os.dup(sent_to.fileno())) as same:
                same.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS_MAX)

    async def _on_reconnected(self) -> None:
        self._limit_waiting()
        log.info("the message server is back")
        self._notify(connected=True)

    async def _on_error(self, error: Exception) -> None:
        from nats.errors import SlowConsumerError

        if isinstance(error, ssl.SSLError) or REFUSED in str(error).lower():
            self._refusal = error
        if isinstance(error, SlowConsumerError):
            self._lose(error)
        elif PERMISSIONS in str(error).lower():
            log.warning("the message server refuses a subject to this node: %s", error)
        else:
            log.debug("message server: %r", error)

    def _notify(self, *, connected: bool) -> None:
        for watcher in tuple(self._watchers):
            watcher(connected)

    def _lose(self, error: Exception) -> None:
        self.lost += 1
        log.debug("a message is lost: %r", error)

    def _full(self, subject: str) -> str:
        return f"{self._prefix}.{subject}"

    def _start(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _end(subscription: "Subscription") -> None:
    from nats.errors import Error

    try:
        await subscription.unsubscribe()
    except Error as error:
        log.debug("unsubscribing: %r", error)


def _why_unavailable(url: str, error: Exception) -> str:
    if REFUSED in str(error).lower():
        return f"the message server at {_shown(url)} doesn't take the credentials"
    if isinstance(error, ssl.SSLError):
        return f"the message server at {_shown(url)} can't be trusted: {error}"
    return f"no message server answers at {_shown(url)}"


def _shown(url: str) -> str:
    """Return server addresses without user names and passwords."""
    parts = [urlsplit(each) for each in url.split(",")]
    return ", ".join(f"{part.scheme}://{part.hostname or ''}:{part.port or 4222}" for part in parts)
