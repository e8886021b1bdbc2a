"""The log is bounded, and says what was left out."""

import logging
from collections.abc import Iterator

import pytest

from croupier.app import logs
from croupier.app.logs import RECORDS_MAX, RepeatFilter


class Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.addFilter(RepeatFilter())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


@pytest.fixture
def kept() -> Iterator[Kept]:
    handler = Kept()
    log.addHandler(handler)
    yield handler
    log.removeHandler(handler)


log = logging.getLogger("tests.logs")


def say(what: object) -> None:
    log.warning("it happened: %s", what)


def fail(error: Exception) -> None:
    try:
        raise error
    except type(error):
        log.exception("it failed")


def test_a_repeated_message_is_dropped(kept: Kept) -> None:
    for number in range(1_000):
        say(number)
    assert len(kept.lines) == RECORDS_MAX
    log.warning("something else")
    assert kept.lines[-1] == "something else"


def test_the_next_one_says_how_many(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(RECORDS_MAX + 5):
        say("again")
    monkeypatch.setattr(logs, "WINDOW_S", -1.0)
    say("again")
    assert kept.lines[-1] == "it happened: again (5 more like this were dropped)"


def test_each_kind_of_error_is_counted_by_itself(kept: Kept) -> None:
    for _ in range(100):
        fail(ValueError("a"))
    fail(KeyError("b"))
    assert len(kept.lines) == RECORDS_MAX + 1
