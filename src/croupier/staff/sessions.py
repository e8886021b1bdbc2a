"""Staff sessions. They are in memory only, so staff sign in again after a restart of the server."""

import secrets
from collections.abc import Callable
from hashlib import sha256

from croupier.accounts.staff_members import Member

IDLE_TIMEOUT_MS = 30 * 60 * 1000
"""Inactivity after which a session ends."""


class StaffSession:
    """Session of a member of staff; `seen_ms` is the time of the last activity.

    `sockets` are called when the session ends: each signs a connection out.
    """

    def __init__(self, member: Member, now_ms: int) -> None:
        self.member = member
        self.seen_ms = now_ms
        self.sockets: set[Callable[[], None]] = set()

    def expires_ms(self) -> int:
        return self.seen_ms + IDLE_TIMEOUT_MS

    def end(self) -> None:
        for sign_out in tuple(self.sockets):
            sign_out()


class StaffSessions:
    """Open sessions by the hash of their token."""

    def __init__(self) -> None:
        self._open: dict[str, StaffSession] = {}

    def begin(self, member: Member, now_ms: int) -> str:
        """Start a session and return its token."""
        self._end(lambda session: _idle(session, now_ms))
        token = secrets.token_urlsafe(32)
        self._open[_hash(token)] = StaffSession(member, now_ms)
        return token

    def of(self, token: str, now_ms: int) -> StaffSession | None:
        """Return the session of a token; None if there is none or it has expired."""
        session = self._open.get(_hash(token))
        return None if session is None or _idle(session, now_ms) else session

    def seen(self, token: str, now_ms: int) -> Member | None:
        """Extend the session of a token and return its member; None if there is none."""
        session = self.of(token, now_ms)
        if session is None:
            return None
        session.seen_ms = now_ms
        return session.member

    def end(self, token: str) -> None:
        """End the session of a token, and sign its sockets out."""
        if session := self._open.pop(_hash(token), None):
            session.end()

    def end_all(self, name: str) -> None:
        """End all sessions of a member, and sign their sockets out."""
        self._end(lambda session: session.member.name == name)

    def _end(self, is_over: Callable[[StaffSession], bool]) -> None:
        for key, session in tuple(self._open.items()):
            if is_over(session):
                del self._open[key]
                session.end()


def _idle(session: StaffSession, now_ms: int) -> bool:
    return now_ms - session.seen_ms >= IDLE_TIMEOUT_MS


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()
