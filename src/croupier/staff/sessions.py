"""Who of the staff is signed in. Sessions are in memory: after a restart everybody signs in again."""

import secrets
from collections import OrderedDict
from hashlib import sha256

from croupier.accounts.staff_members import Member
from croupier.refusal import Refused

IDLE_TIMEOUT_MS = 30 * 60 * 1000
"""Without activity for so long, a session ends."""
ATTEMPTS_MAX = 5
ATTEMPT_WINDOW_MS = 5 * 60 * 1000
CLIENTS_MAX = 1000


class StaffSession:
    """One sign-in of one member; `seen_ms` is when he last did something."""

    def __init__(self, member: Member, now_ms: int) -> None:
        self.member = member
        self.seen_ms = now_ms


class StaffSessions:
    """By the hash of their tokens."""

    def __init__(self) -> None:
        self._open: dict[str, StaffSession] = {}
        self._tried: OrderedDict[tuple[str, str], list[int]] = OrderedDict()

    def begin(self, member: Member, now_ms: int) -> str:
        """A new session; the answer is its token."""
        self._open = {key: open_ for key, open_ in self._open.items() if not _idle(open_, now_ms)}
        token = secrets.token_urlsafe(32)
        self._open[_hash(token)] = StaffSession(member, now_ms)
        return token

    def of(self, token: str, now_ms: int) -> StaffSession | None:
        """The session of that token; None when there is none, or it has been idle for too long."""
        session = self._open.get(_hash(token))
        return None if session is None or _idle(session, now_ms) else session

    def seen(self, token: str, now_ms: int) -> Member | None:
        """Whose session it is, who has now done something."""
        session = self.of(token, now_ms)
        if session is None:
            return None
        session.seen_ms = now_ms
        return session.member

    def end(self, token: str) -> None:
        self._open.pop(_hash(token), None)

    def end_all(self, name: str) -> None:
        """Of whoever had that name."""
        self._open = {key: open_ for key, open_ in self._open.items() if open_.member.name != name}

    # --- wrong sign-ins

    def tries(self, address: str, name: str, now_ms: int) -> None:
        """Somebody there tries to sign in; Refused `too_many_tries` after TRIES_MOST in vain."""
        before = self._recent(address, name, now_ms)
        if len(before) >= ATTEMPTS_MAX:
            raise Refused("too_many_tries", seconds=-(-(before[0] + ATTEMPT_WINDOW_MS - now_ms) // 1000))
        self._tried[address, name] = [*before, now_ms]
        self._tried.move_to_end((address, name))
        if len(self._tried) > CLIENTS_MAX:
            self._tried.popitem(last=False)

    def succeeds(self, address: str, name: str) -> None:
        """He is who he says, and what he tried before is forgotten."""
        self._tried.pop((address, name), None)

    def _recent(self, address: str, name: str, now_ms: int) -> list[int]:
        return [at for at in self._tried.get((address, name), ()) if now_ms - at < ATTEMPT_WINDOW_MS]


def _idle(session: StaffSession, now_ms: int) -> bool:
    return now_ms - session.seen_ms >= IDLE_TIMEOUT_MS


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()
