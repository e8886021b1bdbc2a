"""Challenges that an authenticator signs, and other keys that are accepted once, within some minutes."""

import secrets
from collections import OrderedDict
from typing import Generic, TypeVar

T = TypeVar("T")
CHALLENGE_BYTES = 32
VALID_MS = 5 * 60_000
KEYS_MAX = 20_000


class OneTimeKeys(Generic[T]):
    """Values that wait under random keys; beyond `limit`, the oldest are dropped."""

    def __init__(self, valid_ms: int, limit: int = KEYS_MAX) -> None:
        self._valid_ms = valid_ms
        self._limit = limit
        self._open: OrderedDict[bytes, tuple[T, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._open)

    def keep(self, value: T, now_ms: int) -> bytes:
        """Return the new key under which a value waits."""
        key = secrets.token_bytes(CHALLENGE_BYTES)
        self._open[key] = value, now_ms
        self._drop(now_ms)
        return key

    def take(self, key: bytes, now_ms: int) -> T | None:
        """Return and forget the value under a key; None if there is none, or it has waited too long."""
        found = self._open.pop(key, None)
        return found[0] if found and now_ms - found[1] < self._valid_ms else None

    def _drop(self, now_ms: int) -> None:
        """Drop the expired values and those beyond the maximum, oldest first."""
        while self._open:
            oldest, (_, kept_ms) = next(iter(self._open.items()))
            if now_ms - kept_ms < self._valid_ms and len(self._open) <= self._limit:
                break
            del self._open[oldest]


class Challenges:
    """The challenges that wait for an answer, each for one purpose."""

    def __init__(self, valid_ms: int = VALID_MS, limit: int = KEYS_MAX) -> None:
        self._purposes = OneTimeKeys[str](valid_ms, limit)

    def __len__(self) -> int:
        return len(self._purposes)

    def issue(self, purpose: str, now_ms: int) -> bytes:
        """Return a new challenge for a purpose, such as the registration of one player's passkey."""
        return self._purposes.keep(purpose, now_ms)

    def take(self, challenge: bytes, purpose: str, now_ms: int) -> bool:
        """Return whether the challenge is open for this purpose. It can't be used again either way."""
        return self._purposes.take(challenge, now_ms) == purpose
