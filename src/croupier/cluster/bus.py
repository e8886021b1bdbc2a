"""The message bus between nodes: small messages that may be lost, and requests that are answered or not.

Nothing on the bus is authoritative: the database is. A node that misses a message finds out from the journal,
or from the version of a table, and reads what it missed.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

Handler = Callable[[bytes], None]
"""Receives a message in the event loop; it must not block."""
OnRequest = Callable[[bytes], Awaitable[bytes]]
"""Returns the reply to a request. Requests begin in order; the next one begins when this one first waits."""
OnConnection = Callable[[bool], None]
Unsubscribe = Callable[[], None]

MESSAGE_BYTES_MAX = 1_000_000
"""Below the 1 MiB that a NATS server accepts unless it is configured otherwise."""


class BusUnavailable(Exception):
    """The bus isn't connected, or nobody serves the subject: the request was certainly not carried out."""


class NoReply(Exception):
    """No reply came in time: the request may or may not have been carried out."""


class MessageRefused(Exception):
    """A request isn't answered, for a reason that is logged already."""


class MessageTooLarge(ValueError):
    """A message has more than MESSAGE_BYTES_MAX bytes."""

    def __init__(self, subject: str, size: int) -> None:
        super().__init__(f"a message for {subject} has {size} bytes, more than {MESSAGE_BYTES_MAX}")


class Bus(Protocol):
    """Subjects are names without wildcards. All methods are called in the event loop."""

    @property
    def is_connected(self) -> bool: ...

    @property
    def refused(self) -> Mapping[str, int]:
        """Messages that were refused, by reason."""

    def watch(self, on_connection: OnConnection) -> None:
        """Call with False when the connection is lost, and with True when it is there again."""

    def publish(self, subject: str, payload: bytes) -> None:
        """Send to all subscribers without waiting. Without a connection the message is lost."""

    async def subscribe(self, subject: str, handler: Handler) -> Unsubscribe:
        """Call `handler` with each message from now on, including this node's own."""

    async def request(self, subject: str, payload: bytes, timeout_s: float) -> bytes:
        """Send to the node that serves the subject, and return its reply. BusUnavailable, or NoReply."""

    async def serve(self, subject: str, answer: OnRequest) -> Unsubscribe:
        """Answer the requests to a subject. A request whose handler raises gets no reply."""

    async def close(self) -> None: ...


def check_size(subject: str, payload: bytes) -> None:
    if len(payload) > MESSAGE_BYTES_MAX:
        raise MessageTooLarge(subject, len(payload))
