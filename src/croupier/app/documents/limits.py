"""Limits and codes named in the documents, imported from the code that enforces them."""

from collections.abc import Mapping
from typing import get_args

from msgspec import Meta

from croupier.config import RateLimitConfig
from croupier.dealing.live.broadcast import broadcaster
from croupier.dealing.own.player_table import EVENTS_KEPT
from croupier.gateway import client_session, websocket_connection
from croupier.gateway.connection_limits import DEFAULT_PER_ADDRESS
from croupier.protocol import connection
from croupier.protocol.wire import RequestId
from croupier.protocol.wire.commands import STAKES_MAX
from croupier.rounds import requests
from croupier.staff.sessions import IDLE_TIMEOUT_MS

_REQUEST: Meta = get_args(RequestId)[1]
_RATES = RateLimitConfig()
LIMITS: Mapping[str, str | int] = {
    "per_address": DEFAULT_PER_ADDRESS,
    "hello_within_s": f"{client_session.HELLO_TIMEOUT_S:g}",
    "frame_kb": client_session.FRAME_BYTES_MAX // 1024,
    "waiting_max": client_session.QUEUED_COMMANDS_MAX,
    "answers_kept": requests.ANSWERS_KEPT,
    "requests_max": requests.REQUESTS_MAX,
    "requests_kept_minutes": requests.FORGOTTEN_AFTER_MS // 60_000,
    "events_kept": EVENTS_KEPT,
    "stakes_max": STAKES_MAX,
    "silent_s": f"{websocket_connection.IDLE_PING_S:g}",
    "answers_within_s": f"{websocket_connection.PONG_TIMEOUT_S:g}",
    "message_s": f"{websocket_connection.MESSAGE_TIMEOUT_S:g}",
    "owed_kb": connection.SEND_BUFFER_MAX // 1024,
    "pulse_ms": broadcaster.PULSE_MS,
    "guests_per_hour": _RATES.guests_per_hour,
    "cashier_per_minute": _RATES.cashier_per_minute,
    "history_per_minute": _RATES.history_per_minute,
    "exports_per_hour": _RATES.exports_per_hour,
    "staff_idle_minutes": IDLE_TIMEOUT_MS // 60_000,
    "normal": connection.CLOSE_NORMAL,
    "going_away": connection.CLOSE_GOING_AWAY,
    "protocol_error": connection.CLOSE_PROTOCOL_ERROR,
    "unsupported": connection.CLOSE_UNSUPPORTED,
    "invalid_text": connection.CLOSE_INVALID_TEXT,
    "policy": connection.CLOSE_POLICY,
    "too_big": connection.CLOSE_TOO_BIG,
    "internal_error": connection.CLOSE_INTERNAL_ERROR,
    "try_later": connection.CLOSE_TRY_LATER,
    "req_rule": f"{_REQUEST.min_length} to {_REQUEST.max_length} letters, digits, `_` and `-`",
}
