"""Connections that are given up when the database doesn't answer though its machine acknowledges packets.

TCP's own timeouts notice a machine or a network that is gone. After a fail-over, packets may be acknowledged
for as long as one waits. A slow statement looks the same from here, so another connection asks about it.
"""

from collections.abc import Mapping
from contextlib import closing
from time import monotonic
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen

T = TypeVar("T")

SILENCE_S = 3.0
"""Time without an answer after which another connection asks whether the server still works on it."""
ASK_TIMEOUT_S = 2
"""Longest wait for that connection, and for its answer."""
FIND_WORK = """SELECT 1 FROM pg_stat_activity
    WHERE pid = %s AND state = 'active' AND wait_event_type IS DISTINCT FROM 'Client'"""
"""A process that waits for its client has answered, or has never had the statement."""


class WatchfulConnection(psycopg.Connection[Any]):
    """Closes itself, and raises OperationalError, once the server no longer works on what was asked."""

    silence_s = SILENCE_S
    ask_with: Mapping[str, Any] | None = None
    """The parameters of a connection that asks about this one; None: silence is the end of it."""

    def wait(self, gen: PQGen[T], *args: Any, **kwargs: Any) -> T:
        return super().wait(self._watched(gen), *args, **kwargs)

    def _watched(self, gen: PQGen[T]) -> PQGen[T]:
        """Pass on what a generator waits for; psycopg resumes it several times a second in any case."""
        try:
            awaited, since_s = next(gen), monotonic()
            while True:
                ready = yield awaited
                if ready:
                    since_s = monotonic()
                elif monotonic() - since_s >= self.silence_s:
                    self._check_works()
                    since_s = monotonic()
                awaited = gen.send(ready)
        except StopIteration as done:
            result: T = done.value
            return result

    def _check_works(self) -> None:
        if self.ask_with is None or not _works(self.ask_with, self.pgconn.backend_pid):
            self.pgconn.finish()
            raise psycopg.OperationalError("the server doesn't answer")


def _works(parameters: Mapping[str, Any], process: int) -> bool:
    """Return whether a process of the server works on a statement; False if it can't be found out."""
    try:
        asking = WatchfulConnection.connect(
            **{**parameters, "connect_timeout": ASK_TIMEOUT_S}, autocommit=True
        )
        asking.silence_s = ASK_TIMEOUT_S
        with closing(asking):
            return asking.execute(FIND_WORK, [process]).fetchone() is not None
    except psycopg.OperationalError:
        return False
