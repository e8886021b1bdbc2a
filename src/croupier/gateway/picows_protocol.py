"""The picows protocol, extended to report the end of a connection to the listener."""

import logging
from collections.abc import Callable

import picows
from picows.picows import WSProtocol  # type: ignore[attr-defined]

from croupier.gateway.client_session import FRAME_BYTES_MAX
from croupier.gateway.listener import HANDSHAKE_TIMEOUT_S, OnClosed

_log = logging.LoggerAdapter(logging.getLogger("picows.server"), {})
"""An adapter, since picows makes a logger for each connection if it is given a logger."""


class PicowsProtocol(WSProtocol):  # type: ignore[misc]
    """A picows protocol that calls `closed` at the end of its connection."""

    __slots__ = ("closed",)

    def connection_lost(self, exc: Exception | None) -> None:
        try:
            super().connection_lost(exc)
        finally:
            self.closed()


def picows_protocol(answer: Callable[[picows.WSUpgradeRequest], object], closed: OnClosed) -> PicowsProtocol:
    """Create the protocol as `picows.ws_create_server` does, which has no way to pause accepting."""
    protocol = PicowsProtocol(
        None,
        None,
        is_client_side=False,
        ws_listener_factory=answer,
        logger=_log,
        disconnect_on_exception=True,
        websocket_handshake_timeout=HANDSHAKE_TIMEOUT_S,
        enable_auto_ping=False,
        auto_ping_idle_timeout=0,
        auto_ping_reply_timeout=0,
        auto_ping_strategy=picows.WSAutoPingStrategy.PING_WHEN_IDLE,
        enable_auto_pong=False,
        max_frame_size=FRAME_BYTES_MAX,
        extra_headers=None,
        read_buffer_init_size=2048,
    )
    protocol.closed = closed
    return protocol
