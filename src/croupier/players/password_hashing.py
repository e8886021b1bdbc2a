"""Hashing of passwords in threads, so that it never delays the event loop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from croupier.accounts import passwords
from croupier.refusal import Refused

AT_ONCE, WAITING_MAX = 2, 50
"""Hashes computed at the same time, and callers that may wait for one: about a second's work."""


class PasswordHashing:
    """Computes a few hashes at a time; refuses `too_many_requests` while too many callers wait."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0

    async def hashed(self, password: str) -> str:
        async with self._turn():
            return await asyncio.to_thread(passwords.hashed, password)

    async def verified(self, stored: str, password: str) -> bool:
        """Return whether a password has this hash, after the same work if there is none."""
        async with self._turn():
            return await asyncio.to_thread(passwords.verified, stored, password)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        if self._waiting >= WAITING_MAX:
            raise Refused("too_many_requests", seconds=2)
        self._waiting += 1
        try:
            async with self._free:
                yield
        finally:
            self._waiting -= 1
