"""Spans of traces: the time that requests, commands, commits, rounds and calls to other services take.

Nothing is recorded until `install` is given a tracer. Attributes are ids and counts, never players, names,
amounts or text.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from types import MappingProxyType
from typing import Protocol, Self

from croupier.refusal import Refused

Attributes = Mapping[str, str | int]
NO_ATTRIBUTES: Attributes = MappingProxyType({})
OnAnswered = Callable[[Refused | None], None]


class PresentSpan(Protocol):
    """The span of the enclosed work."""

    def note(self, attributes: Attributes, /, *, failed: bool = False) -> None:
        """Add attributes that are known only now, and whether the work failed."""
        ...


class OpenSpan(Protocol):
    """A span that begins and ends in different tasks or calls."""

    def end(self, refused: Refused | None = None) -> None:
        """End the span, and link it to the span in which that happens."""
        ...


class Tracer(Protocol):
    """Records spans."""

    def span(
        self, name: str, attributes: Attributes, parent: OpenSpan | None, /
    ) -> AbstractContextManager[PresentSpan]:
        """Return a span of the enclosed work. Refusals and errors that leave it are noted.

        Without a parent it is a child of the span that encloses it, if there is one.
        """
        ...

    def begin(self, name: str, attributes: Attributes, parent: OpenSpan | None, /) -> OpenSpan:
        """Begin a span; without a parent it is the first of a trace."""
        ...

    def headers(self) -> Mapping[str, str]:
        """Return headers that tell another service the present span."""
        ...

    def log_fields(self) -> Mapping[str, str]:
        """Return the ids of the present span for log records."""
        ...


class _NoSpan:
    __slots__ = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def note(self, _attributes: Attributes, *, failed: bool = False) -> None:
        pass

    def end(self, refused: Refused | None = None) -> None:
        pass


NO_SPAN = _NoSpan()


class NoTracer:
    """Records nothing."""

    def span(self, _name: str, _attributes: Attributes, _parent: OpenSpan | None) -> _NoSpan:
        return NO_SPAN

    def begin(self, _name: str, _attributes: Attributes, _parent: OpenSpan | None) -> _NoSpan:
        return NO_SPAN

    def headers(self) -> Mapping[str, str]:
        return {}

    def log_fields(self) -> Mapping[str, str]:
        return {}


NO_TRACER = NoTracer()
_tracer: Tracer = NO_TRACER


def install(tracer: Tracer) -> None:
    """Record spans with `tracer` from now on, in the whole process."""
    global _tracer  # noqa: PLW0603 - as for loggers, one for the process
    _tracer = tracer


def is_on() -> bool:
    """Return whether spans are recorded."""
    return _tracer is not NO_TRACER


def span(
    name: str, attributes: Attributes = NO_ATTRIBUTES, parent: OpenSpan | None = None
) -> AbstractContextManager[PresentSpan]:
    """Return a span of the enclosed work."""
    return _tracer.span(name, attributes, parent)


def begin(name: str, attributes: Attributes, parent: OpenSpan | None = None) -> OpenSpan:
    """Begin a span that ends in another call."""
    return _tracer.begin(name, attributes, parent)


def until_answered(name: str, attributes: Attributes, on_answered: OnAnswered) -> OnAnswered:
    """Begin a span that ends when the callback is called."""
    begun = begin(name, attributes)

    def answered(refused: Refused | None) -> None:
        begun.end(refused)
        on_answered(refused)

    return answered


def headers() -> Mapping[str, str]:
    """Return headers that tell another service the present span; none if spans aren't recorded."""
    return _tracer.headers()


def log_fields() -> Mapping[str, str]:
    """Return the ids of the present span, as log records have them."""
    return _tracer.log_fields()
