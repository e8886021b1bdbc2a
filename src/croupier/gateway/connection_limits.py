"""Limits on simultaneous connections, in total and per address."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address, ip_network
from typing import NamedTuple

from croupier.config import ConnectionConfig, Network

log = logging.getLogger(__name__)

IPV6_PREFIX = 64
"""An IPv6 subscriber has at least this network, so its addresses count as one."""
ADDRESS_SHARE = 4
"""By default one address gets at most one in this many connections."""

DEFAULT_PER_ADDRESS = 512
FULL_LOGGED_S = 60.0
"""Time between two log records of the limit: at the limit, connections open and close all the time."""


class ConnectionLimits(NamedTuple):
    """At most `total` connections, `per_address` of them from one address (0: no limit)."""

    total: int
    per_address: int = 0
    exempt: Sequence[Network] = ()


def connection_limits(
    settings: ConnectionConfig, total: int, proxies: Sequence[str] = ()
) -> ConnectionLimits:
    """Return the limits of a process with `total` connections; trusted `proxies` are exempt."""
    chosen = settings.per_address
    if chosen is None:
        chosen = max(1, min(DEFAULT_PER_ADDRESS, total // ADDRESS_SHARE))
    exempt = (*settings.networks(), *(ip_network(proxy) for proxy in proxies))
    return ConnectionLimits(total, chosen, exempt)


UNLIMITED = ConnectionLimits(total=1_000_000)


class ConnectionLimiter:
    """Counts the open connections of all ports against the limits."""

    def __init__(self, limits: ConnectionLimits = UNLIMITED) -> None:
        self.limits = limits
        self.open = 0
        self._by_address = Counter[str]()
        self._capacity = asyncio.Event()
        self._capacity.set()
        self._logged_s = -FULL_LOGGED_S

    @property
    def is_full(self) -> bool:
        return not self._capacity.is_set()

    async def wait_for_capacity(self) -> None:
        """Wait until another connection fits, and log that new ones wait."""
        if self.is_full and time.monotonic() - self._logged_s >= FULL_LOGGED_S:
            self._logged_s = time.monotonic()
            log.warning("%d connections are open, which is the limit: new ones wait", self.limits.total)
        await self._capacity.wait()

    def admit(self, address: str) -> bool:
        """Count a new connection, unless its address is at its limit; `release` it once closed."""
        if not self.admit_address(address):
            return False
        self.open += 1
        if self.open >= self.limits.total:
            self._capacity.clear()
        return True

    def release(self, address: str) -> None:
        """Stop counting a connection that `admit` counted."""
        self.release_address(address)
        self.open -= 1
        if self.open < self.limits.total:
            self._capacity.set()

    def admit_address(self, address: str) -> bool:
        """Count a connection by address alone: for a client behind a trusted proxy."""
        key = self._key(address)
        if not key:
            return True
        if self._by_address[key] >= self.limits.per_address:
            return False
        self._by_address[key] += 1
        return True

    def release_address(self, address: str) -> None:
        """Stop counting a connection that `admit_address` counted."""
        key = self._key(address)
        if key:
            self._by_address[key] -= 1
            if not self._by_address[key]:
                del self._by_address[key]

    def _key(self, address: str) -> str:
        """Return the key that counts connections of this address; empty if they aren't counted."""
        if not self.limits.per_address:
            return ""
        try:
            parsed = ip_address(address.partition("%")[0])
        except ValueError:
            return ""
        if isinstance(parsed, IPv6Address):
            parsed = parsed.ipv4_mapped or parsed
        if any(parsed in network for network in self.limits.exempt):
            return ""
        if isinstance(parsed, IPv6Address):
            return str(ip_network((parsed, IPV6_PREFIX), strict=False))
        return str(parsed)
