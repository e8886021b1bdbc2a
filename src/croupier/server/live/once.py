"""A player's commands at a live table are done once each, also when his line went down before the answer."""

from collections import OrderedDict
from collections.abc import Callable
from functools import partial

from croupier.refusal import Refused
from croupier.server.live.asked import Answered

KEPT = 32
"""Answers of a player that are known: more than a browser ever waits for at one table."""


class Once:
    def __init__(self) -> None:
        self._answers: OrderedDict[str, Refused | None] = OrderedDict()
        self._waiting: dict[str, list[Answered]] = {}

    def do(self, req: str, answered: Answered, start: Callable[[Answered], None]) -> None:
        """Starts what hasn't been started under that `req`; else answers as it was, or will be, answered."""
        if req in self._answers:
            answered(self._answers[req])
        elif req in self._waiting:
            self._waiting[req].append(answered)
        else:
            self._waiting[req] = [answered]
            start(partial(self._done, req))

    def _done(self, req: str, refused: Refused | None) -> None:
        self._answers[req] = refused
        if len(self._answers) > KEPT:
            self._answers.popitem(last=False)
        for answered in self._waiting.pop(req):
            answered(refused)
