"""A player's commands at a live table are done once each, also when his line went down before the answer."""

from collections import OrderedDict
from collections.abc import Callable

from croupier.refusal import Refused

KEPT = 32
"""Answers of a player that are known: more than a browser ever waits for at one table."""

Told = Callable[[str, Refused | None], None]
"""Called with the `req` when it is done and durable, or with why it wasn't done."""


class Once:
    def __init__(self) -> None:
        self._answers: OrderedDict[str, Refused | None] = OrderedDict()
        self._waiting: dict[str, list[Told]] = {}

    def begins(self, req: str, told: Told) -> bool:
        """Whether nothing was begun under that `req` before; else it is told as that was, or will be."""
        waiting = self._waiting.get(req)
        if waiting is not None:
            waiting.append(told)
        elif req in self._answers:
            told(req, self._answers[req])
        else:
            self._waiting[req] = [told]
            return True
        return False

    def done(self, req: str, refused: Refused | None) -> None:
        self._answers[req] = refused
        if len(self._answers) > KEPT:
            self._answers.popitem(last=False)
        for told in self._waiting.pop(req):
            told(req, refused)
