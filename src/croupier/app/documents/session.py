"""The worked session: a dialogue between a client and a real server, recorded by the tests."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
from msgspec import Struct

from croupier.protocol.refusals import Audience


class SessionStep(Struct, frozen=True, omit_defaults=True):
    """A message, an HTTP exchange (`request`, `status`, `body`), or a heading with its explanation."""

    by: Literal["client", "server", "http", "note"]
    heading: str = ""
    text: str = ""
    request: str = ""
    status: int = 0
    sent: Any = None
    body: Any = None
    message: dict[str, Any] = {}


@cache
def worked_session(audience: Audience) -> tuple[SessionStep, ...]:
    """Return the recorded steps in order."""
    text = (files(__package__) / f"session_{audience}.json").read_text(encoding="utf-8")
    return msgspec.json.decode(text, type=tuple[SessionStep, ...])


@cache
def examples(audience: Audience) -> Mapping[str, tuple[dict[str, Any], ...]]:
    """Return the first recorded message of each kind, by its `t`."""
    found: dict[str, tuple[dict[str, Any], ...]] = {}
    for step in worked_session(audience):
        if step.message:
            found.setdefault(step.message["t"], (step.message,))
    return found
