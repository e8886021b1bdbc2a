"""Rate limits of the HTTP API, per address and per player."""

import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from typing import Literal, NamedTuple

from croupier.accounts.attempts import network_of
from croupier.config import RateLimitConfig
from croupier.refusal import Refused

log = logging.getLogger(__name__)

RateScope = Literal[
    "guests",
    "cashier",
    "history",
    "exports",
    "camera",
    "stream",
    "sign_ins",
    "player_sign_ins",
    "notifications",
]
KEYS_MAX = 100_000
PER_NETWORK_MAX = 256
"""Buckets of addresses in one /24 (IPv4) or /48 (IPv6), so that no network fills the table."""
SWEEP_INTERVAL_S = 1.0
EVERYBODY = ""
"""Key of all that no longer fit."""
LOG_INTERVAL_S = 60.0
HOUR_S, MINUTE_S = 3_600, 60
STREAM_PER_MINUTE = 1_200
"""Playlists and segments: four tables need half as many."""
IPV6_PREFIX = 64
"""Network size of one IPv6 subscriber, whose 2^64 addresses count as one."""


class RateLimit(NamedTuple):
    """At most `requests` in `seconds`, possibly all at once; 0: no limit."""

    requests: int
    seconds: int


class RateLimiter:
    """A token bucket per key, with `requests` tokens that refill in `seconds`.

    A bucket is dropped once it is full, and never before, since that would give its tokens back. Addresses
    share one bucket beyond PER_NETWORK_MAX of their network, and all do that no longer fit.
    """

    def __init__(self, rate: RateLimit, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._full_at: OrderedDict[str, float] = OrderedDict()
        self._in_network = Counter[str]()
        """Numbers of buckets by network."""
        self._swept_s = -SWEEP_INTERVAL_S

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, key: str) -> float:
        """Take a token and return 0, or return the seconds until one is available."""
        requests, seconds = self._rate
        if not requests:
            return 0.0
        now = self._clock()
        self._drop(now)
        key = self._bucket(key, now)
        full_at = max(self._full_at.get(key, now), now) + seconds / requests
        wait = full_at - now - seconds
        if wait > 1e-6:
            return wait
        if key not in self._full_at:
            self._in_network[network_of(key)] += 1
        self._full_at[key] = full_at
        self._full_at.move_to_end(key)
        return 0.0

    def _bucket(self, key: str, now: float) -> str:
        """Return the bucket that a key uses: its own, unless there are too many."""
        if key in self._full_at:
            return key
        network = network_of(key)
        if self._in_network[network] >= PER_NETWORK_MAX:
            key = network
        if key in self._full_at or len(self._full_at) < KEYS_MAX:
            return key
        if now - self._swept_s >= SWEEP_INTERVAL_S:
            self._sweep(now)
        if len(self._full_at) < KEYS_MAX:
            return key
        return EVERYBODY

    def _sweep(self, now: float) -> None:
        """Drop all full buckets, wherever they are."""
        self._swept_s = now
        for key in [key for key, full_at in self._full_at.items() if full_at <= now]:
            self._delete(key)

    def _drop(self, now: float) -> None:
        """Drop full buckets that were used longest ago."""
        while self._full_at:
            key, full_at = next(iter(self._full_at.items()))
            if full_at > now:
                break
            self._delete(key)

    def _delete(self, key: str) -> None:
        del self._full_at[key]
        network = network_of(key)
        self._in_network[network] -= 1
        if not self._in_network[network]:
            del self._in_network[network]


class ApiLimiter:
    """Refuses with `too_many_requests` what comes faster than the configuration allows."""

    def __init__(self, limits: RateLimitConfig, clock: Callable[[], float] = time.monotonic) -> None:
        by_player = {
            "cashier": RateLimit(limits.cashier_per_minute, MINUTE_S),
            "history": RateLimit(limits.history_per_minute, MINUTE_S),
            "exports": RateLimit(limits.exports_per_hour, HOUR_S),
            "camera": RateLimit(limits.camera_per_minute, MINUTE_S),
            "stream": RateLimit(STREAM_PER_MINUTE, MINUTE_S),
        }
        players = limits.players_per_address
        by_address = {
            "guests": RateLimit(limits.guests_per_hour, HOUR_S),
            "sign_ins": RateLimit(limits.sign_ins_per_minute, MINUTE_S),
            "player_sign_ins": RateLimit(limits.sign_ins_per_minute, MINUTE_S),
            "notifications": RateLimit(limits.notifications_per_minute, MINUTE_S),
            **{scope: RateLimit(rate.requests * players, rate.seconds) for scope, rate in by_player.items()},
        }
        self._by_address = _limiters(by_address, clock)
        self._by_player = _limiters(by_player, clock)
        self._logged = RateLimiter(RateLimit(1, int(LOG_INTERVAL_S)), clock)

    def address(self, scope: RateScope, address: str) -> None:
        """Count a request from an address; refuse it above the rate."""
        key = address_key(address)
        self._refuse(scope, key, self._by_address[scope].take(key))

    def player(self, scope: RateScope, player: str) -> None:
        """Count a request of a player; refuse it above the rate."""
        self._refuse(scope, player, self._by_player[scope].take(player))

    def _refuse(self, scope: RateScope, key: str, wait_s: float) -> None:
        if wait_s <= 0:
            return
        if not self._logged.take(scope):
            log.warning("rate limit of %s: requests from %s are refused", scope, key)
        raise Refused("too_many_requests", seconds=ceil(wait_s))


def _limiters(rates: Mapping[str, RateLimit], clock: Callable[[], float]) -> dict[str, RateLimiter]:
    return {scope: RateLimiter(rate, clock) for scope, rate in rates.items()}


def address_key(address: str) -> str:
    """Return an IPv4 address, or the network of an IPv6 address; all invalid ones share a key."""
    try:
        found = ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(found, IPv6Address):
        mapped = found.ipv4_mapped
        return str(mapped or ip_network((int(found), IPV6_PREFIX), strict=False))
    return str(found)
