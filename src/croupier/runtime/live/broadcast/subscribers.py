"""Who looks at a live table, and how everybody is told: encoded once, a few at a time, nobody waited for.

What is told stands in a log; each viewer knows how far he has been told. A round of the hall brings one
after the other up to date, and goes back to the event loop between: so a bet never waits for a broadcast.
It goes on when nobody else has anything to do, so that what has come in meanwhile is done first.
Who is told something of his own meanwhile is first brought up to date: each sees everything in its order.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from time import perf_counter
from typing import Protocol

from croupier.runtime.live.broadcast.idle_tasks import Quiet

log = logging.getLogger(__name__)

AT_A_TIME = 16
"""Viewers told before the clock is looked at: a delivery is some microseconds, most of it a system call."""
TURN_S = 0.00015
"""So long, about, nobody else is heard."""

Told = bytes | Callable[[str], bytes]
"""Messages as they go over a line: the same for everybody, or what they are for each player."""


class Viewer(Protocol):
    """What is sent goes out now, what is gathered with all that he is told in this moment; nothing waits."""

    @property
    def player(self) -> str: ...

    def send(self, messages: bytes, /) -> None: ...

    def gather(self, messages: bytes, /) -> None: ...

    def taken_over(self) -> None:
        """The player looks at the table from elsewhere now."""
        ...


class _Seat:
    __slots__ = ("left", "player", "send", "upto", "viewer")

    def __init__(self, viewer: Viewer, upto: int) -> None:
        self.viewer = viewer
        self.player = viewer.player
        self.send = viewer.send
        self.upto = upto
        self.left = False


class Audience:
    """One viewer for each player. What is told waits until it is `quiet`."""

    def __init__(self, quiet: Quiet) -> None:
        self._quiet = quiet
        self._seats: dict[str, _Seat] = {}
        self._log: deque[Told] = deque()
        self._first = 0
        self.told = asyncio.Event()
        """Set when everybody has been told everything."""
        self.told.set()

    def __contains__(self, player: str) -> bool:
        return player in self._seats

    def enter(self, viewer: Viewer) -> None:
        """What is told from now on is told to him; whoever of the same player was here has left."""
        before = self._seats.pop(viewer.player, None)
        if before is not None:
            before.left = True
            if before.viewer is not viewer:
                before.viewer.taken_over()
        self._seats[viewer.player] = _Seat(viewer, self._end)

    def leave(self, viewer: Viewer) -> bool:
        """Whether he was the one who looked for his player."""
        seat = self._seats.get(viewer.player)
        if seat is None or seat.viewer is not viewer:
            return False
        seat.left = True
        del self._seats[viewer.player]
        return True

    def tell(self, told: Told) -> None:
        """Everybody, from the next quiet turn of the event loop on; no messages: nobody."""
        if not told:
            return
        self._log.append(told)
        if self.told.is_set():
            self.told.clear()
            self._quiet(self._round)

    def tell_one(self, player: str, told: Told) -> None:
        """Now, after all that he is still to be told."""
        seat = self._seats.get(player)
        if seat is not None:
            seat.viewer.gather(self._news(seat, told))

    def catch_up(self, player: str) -> None:
        """Send a player all that they are still to be told."""
        seat = self._seats.get(player)
        if seat is not None and seat.upto != self._end:
            seat.viewer.gather(self._news(seat))

    # --- the round of the hall

    @property
    def _end(self) -> int:
        return self._first + len(self._log)

    def _round(self) -> None:
        self._go_on(iter(tuple(self._seats.values())), self._end)

    def _go_on(self, rest: Iterator[_Seat], upto: int) -> None:
        until = perf_counter() + TURN_S
        while some := tuple(islice(rest, AT_A_TIME)):
            self._tell_each(some)
            if perf_counter() > until:
                self._quiet(partial(self._go_on, rest, upto))
                return
        self._done(upto)

    def _tell_each(self, some: Iterable[_Seat]) -> None:
        """Here all that costs anything is done once a viewer, of whom there are thousands."""
        alike, end = self._alike(), self._end
        for seat in some:
            if seat.left or seat.upto == end:
                continue
            messages = alike.get(seat.upto)
            if messages is None:
                messages = self._news(seat)
            seat.upto = end
            if messages:
                send = seat.send
                send(messages)

    def _alike(self) -> dict[int, bytes]:
        """What is left to be told to who has been told so much, where all are told the same."""
        alike, messages = dict[int, bytes](), b""
        for place in range(self._end - 1, self._first - 1, -1):
            told = self._log[place - self._first]
            if not isinstance(told, bytes):
                break
            alike[place] = messages = told + messages
        return alike

    def _done(self, upto: int) -> None:
        """Everybody has been told so much: it needs to be kept no longer."""
        while self._first < upto:
            self._log.popleft()
            self._first += 1
        if self._log:
            self._quiet(self._round)
        else:
            self.told.set()

    def _news(self, seat: _Seat, *own: Told) -> bytes:
        """All that he hasn't been told, and his `own`; mostly one thing, of which no copy is made."""
        messages, missed = b"", islice(self._log, seat.upto - self._first, None)
        seat.upto = self._end
        try:
            for told in (*missed, *own):
                part = told if isinstance(told, bytes) else told(seat.player)
                messages = messages + part if messages else part
        except Exception:
            # One viewer's bad view must keep nobody else from his.
            log.exception("player %s wasn't told", seat.player)
            return b""
        return messages
