"""Spans of commands, named by the command and with its ids."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import ClassVar, Protocol

from msgspec.structs import StructConfig

from croupier import tracing
from croupier.tracing import OnAnswered, PresentSpan

IDS = {"req": "request", "table": "table", "round": "round"}
"""Fields of commands that are ids, and the names of their attributes, which log records share."""


class AnsweredCommand(Protocol):
    """A command of a player or of staff that has an id."""

    __struct_config__: ClassVar[StructConfig]

    @property
    def req(self) -> str: ...


def command_span(command: AnsweredCommand) -> AbstractContextManager[PresentSpan]:
    """Return a span of a command that is executed at once."""
    return tracing.span(_name(command), _attributes(command)) if tracing.is_on() else tracing.NO_SPAN


def until_answered(command: AnsweredCommand, on_answered: OnAnswered) -> OnAnswered:
    """Begin the span of a command that is handed to a table; the returned callback ends it."""
    if not tracing.is_on():
        return on_answered
    return tracing.until_answered(_name(command), _attributes(command), on_answered)


def _name(command: AnsweredCommand) -> str:
    return f"command {command.__struct_config__.tag}"


def _attributes(command: AnsweredCommand) -> Mapping[str, str]:
    return dict(_ids(command))


def _ids(command: AnsweredCommand) -> Iterator[tuple[str, str]]:
    for field, name in IDS.items():
        if value := getattr(command, field, ""):
            yield name, value
