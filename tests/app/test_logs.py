"""The log is bounded, and states how many records were dropped."""

import logging
from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import pytest

from croupier.app import logs
from croupier.app.logs import RECORDS_MAX, RepeatFilter, json_formatter
from tests.support.server_process import ServerProcess


class LogRecorder(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.addFilter(RepeatFilter())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


@pytest.fixture
def recorded() -> Iterator[LogRecorder]:
    handler = LogRecorder()
    log.addHandler(handler)
    yield handler
    log.removeHandler(handler)


log = logging.getLogger("tests.logs")


def warn(what: object) -> None:
    log.warning("it happened: %s", what)


def fail(error: Exception) -> None:
    try:
        raise error
    except type(error):
        log.exception("it failed")


def test_a_repeated_message_is_dropped(recorded: LogRecorder) -> None:
    for number in range(1_000):
        warn(number)
    assert len(recorded.lines) == RECORDS_MAX
    log.warning("something else")
    assert recorded.lines[-1] == "something else"


def test_the_next_record_has_the_number_of_dropped_ones(
    recorded: LogRecorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(RECORDS_MAX + 5):
        warn("again")
    monkeypatch.setattr(logs, "WINDOW_S", -1.0)
    warn("again")
    assert recorded.lines[-1] == "it happened: again (5 more like this were dropped)"


def test_each_type_of_error_is_counted_separately(recorded: LogRecorder) -> None:
    for _ in range(100):
        fail(ValueError("a"))
    fail(KeyError("b"))
    assert len(recorded.lines) == RECORDS_MAX + 1


def test_a_record_is_one_json_object_with_its_fields() -> None:
    formatter, error = json_formatter(), ValueError("no card")
    failed = (ValueError, error, None)
    record = log.makeRecord(
        log.name, logging.ERROR, "f.py", 1, "round %s is void", ("r1",), failed, extra={"round": "r1"}
    )
    line = formatter.format(record)
    assert "\n" not in line
    found = msgspec.json.decode(line)
    assert {name: found[name] for name in ("event", "level", "logger", "round")} == {
        "event": "round r1 is void",
        "level": "error",
        "logger": "tests.logs",
        "round": "r1",
    }
    assert found["timestamp"].endswith("Z")
    assert found["exception"].endswith("ValueError: no card")


def test_the_server_logs_json_if_asked_to(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "data", options=("--log-format", "json")).start()
    httpx.get(server.address + "/api/tables", headers={"X-Forwarded-For": "192.0.2.1"})
    assert server.stop() == 0
    (line,) = server.log.read_text().splitlines()
    assert "is ignored: no --proxy" in msgspec.json.decode(line)["event"]
