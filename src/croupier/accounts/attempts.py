"""Failed attempts to sign in, which are limited in a sliding window.

What protects a name, a player or an address is counted in the database: nobody can push a lock out of it, and
it holds on all nodes and after a restart.
"""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from concurrent.futures import Future
from ipaddress import ip_network
from typing import NamedTuple, Protocol

from croupier.refusal import Refused

IPV4_PREFIX, IPV6_PREFIX = 24, 48
"""Networks whose addresses one attacker may have."""


class AttemptLimit(NamedTuple):
    """At most `most` attempts of a `purpose` in `window_ms`, for each key."""

    purpose: str
    most: int
    window_ms: int


class Attempt(NamedTuple):
    """An attempt that counts for a key, such as a name as it was typed. Only a hash of it is stored."""

    limit: AttemptLimit
    key: str


class AttemptCounts(Protocol):
    """The attempts of all nodes. A count is kept as long as it is in force, however many others there are."""

    def count(self, attempts: Sequence[Attempt], now_ms: int) -> Future[None]:
        """Count all of them, which `clear` forgets if they succeed.

        Refuse `too_many_tries`, and count none, if there were too many of one of them.
        """

    def clear(self, attempts: Sequence[Attempt]) -> Future[None]:
        """Forget all attempts for these keys after a successful one."""


def network_of(address: str) -> str:
    """Return the network of an address, or of a smaller network; other texts are returned as they are."""
    try:
        known = ip_network(address, strict=False)
    except ValueError:
        return address
    prefix = IPV4_PREFIX if known.version == 4 else IPV6_PREFIX
    return str(known.supernet(new_prefix=prefix) if known.prefixlen > prefix else known)


def wait_s(times: Sequence[int], limit: AttemptLimit, now_ms: int) -> int:
    """Return the seconds until another attempt is allowed after those at these times; 0: it is now."""
    if len(times) < limit.most:
        return 0
    return -(-(times[0] + limit.window_ms - now_ms) // 1000)


class FailedAttempts:
    """Times of recent attempts by key: at most `limit` in `window_ms`, of the `keys_max` latest keys.

    It bounds work only, since many keys push others out.
    """

    def __init__(self, limit: int, window_ms: int, keys_max: int) -> None:
        self._limit = limit
        self._window_ms = window_ms
        self._keys_max = keys_max
        self._attempts: OrderedDict[Hashable, list[int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._attempts)

    def check(self, key: Hashable, now_ms: int) -> None:
        """Refuse `too_many_tries` after too many attempts."""
        before = self._recent(key, now_ms)
        if len(before) >= self._limit:
            raise Refused("too_many_tries", seconds=-(-(before[0] + self._window_ms - now_ms) // 1000))

    def count(self, key: Hashable, now_ms: int) -> None:
        """Count an attempt, which `clear` forgets if it succeeds; refuse as `check` does."""
        self.check(key, now_ms)
        self._attempts[key] = [*self._recent(key, now_ms), now_ms]
        self._attempts.move_to_end(key)
        if len(self._attempts) > self._keys_max:
            self._attempts.popitem(last=False)

    def clear(self, key: Hashable) -> None:
        """Forget the attempts after a successful one."""
        self._attempts.pop(key, None)

    def _recent(self, key: Hashable, now_ms: int) -> list[int]:
        return [at for at in self._attempts.get(key, ()) if now_ms - at < self._window_ms]
