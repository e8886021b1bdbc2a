"""Failed attempts to sign in, which are limited in a sliding window."""

from collections import OrderedDict
from collections.abc import Hashable

from croupier.refusal import Refused


class FailedAttempts:
    """Times of recent attempts by key: at most `limit` in `window_ms`, of the `keys_max` latest keys."""

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
