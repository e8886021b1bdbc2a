"""The limits and codes that the pages name, from where they are enforced."""

from collections.abc import Mapping
from typing import get_args

from msgspec import Meta

from croupier.server import line, requests, sockets, visitor
from croupier.server.connections import DEFAULT_PER_ADDRESS
from croupier.server.desk import EVENTS_KEPT
from croupier.server.live import hall
from croupier.server.live.floor import RateLimits
from croupier.server.staff.sessions import IDLE_MOST_MS
from croupier.server.wire import Request
from croupier.server.wire.commands import STAKES_MOST

_REQUEST: Meta = get_args(Request)[1]
_RATES = RateLimits()
LIMITS: Mapping[str, str | int] = {
    "per_address": DEFAULT_PER_ADDRESS,
    "hello_within_s": f"{visitor.HELLO_WITHIN_S:g}",
    "frame_kb": visitor.LARGEST_FRAME // 1024,
    "waiting_most": visitor.WAITING_MOST,
    "answers_kept": requests.ANSWERS_KEPT,
    "requests_max": requests.REQUESTS_MAX,
    "requests_kept_minutes": requests.FORGOTTEN_AFTER_MS // 60_000,
    "events_kept": EVENTS_KEPT,
    "stakes_most": STAKES_MOST,
    "silent_s": f"{sockets.SILENT_S:g}",
    "answers_within_s": f"{sockets.ANSWERS_WITHIN_S:g}",
    "owed_kb": line.OWED_MOST // 1024,
    "pulse_ms": hall.PULSE_MS,
    "guests_per_hour": _RATES.guests_per_hour,
    "cashier_per_minute": _RATES.cashier_per_minute,
    "history_per_minute": _RATES.history_per_minute,
    "staff_idle_minutes": IDLE_MOST_MS // 60_000,
    "normal": line.CLOSE_NORMAL,
    "going_away": line.CLOSE_GOING_AWAY,
    "unsupported": line.CLOSE_UNSUPPORTED,
    "policy": line.CLOSE_POLICY,
    "try_later": line.CLOSE_TRY_LATER,
    "req_rule": f"{_REQUEST.min_length} to {_REQUEST.max_length} letters, digits, `_` and `-`",
}
