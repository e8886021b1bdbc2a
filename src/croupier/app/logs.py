"""Logging to stderr, with a limit on repeated records."""

import logging
import time
from types import TracebackType
from typing import Any, Literal, NamedTuple

from croupier import tracing
from croupier.app.operations.log_counts import LogCounter

LogForm = Literal["text", "json"]
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
WINDOW_S = 60.0
RECORDS_MAX = 10
"""Maximum number of records from one place in the code, which for exceptions is where they were raised."""


class LogSite(NamedTuple):
    """Place in the code that a record comes from.

    `template` is empty for messages without arguments, which may differ each time.
    """

    file: str
    line: int
    template: str
    error: str = ""
    raised: tuple[str, int] = ("", 0)


class RepeatWindow:
    """Count of records from one place since `began`."""

    __slots__ = ("began", "records")

    def __init__(self, began: float) -> None:
        self.began = began
        self.records = 0

    @property
    def dropped(self) -> int:
        return max(0, self.records - RECORDS_MAX)


class RepeatFilter(logging.Filter):
    """Drops records that repeat too often; the next one that passes states how many were dropped."""

    def __init__(self) -> None:
        super().__init__()
        self._windows: dict[LogSite, RepeatWindow] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        now, place = time.monotonic(), _place(record)
        window = self._windows.get(place)
        if window is None or now - window.began > WINDOW_S:
            if window and window.dropped:
                record.msg = f"{record.getMessage()} ({window.dropped} more like this were dropped)"
                record.args = ()
            window = self._windows[place] = RepeatWindow(now)
        window.records += 1
        return window.records <= RECORDS_MAX


def _place(record: logging.LogRecord) -> LogSite:
    place = LogSite(record.pathname, record.lineno, str(record.msg) if record.args else "")
    if not record.exc_info or record.exc_info[0] is None:
        return place
    kind, _, traceback = record.exc_info
    return place._replace(error=kind.__qualname__, raised=_raised(traceback))


def _raised(traceback: TracebackType | None) -> tuple[str, int]:
    """Return the file and line where an exception was raised."""
    if traceback is None:
        return "", 0
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    return traceback.tb_frame.f_code.co_filename, traceback.tb_lineno


class TraceFilter(logging.Filter):
    """Adds the ids of the current span to records, so that a log leads to its trace."""

    def filter(self, record: logging.LogRecord) -> bool:
        vars(record).update(tracing.log_fields())
        return True


def json_formatter() -> logging.Formatter:
    """Return a formatter of one JSON object a line, with the `extra` fields of the record."""
    import structlog  # only where it is asked for

    common: list[Any] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.stdlib.ExtraAdder(),
        structlog.processors.format_exc_info,
    ]
    last: list[Any] = [
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        structlog.processors.JSONRenderer(),
    ]
    return structlog.stdlib.ProcessorFormatter(foreign_pre_chain=common, processors=last)


def configure_logs(form: LogForm = "text") -> LogCounter:
    """Log warnings and errors to stderr, unless the calling program has its own handlers; count them all."""
    handler = logging.StreamHandler()
    handler.setFormatter(json_formatter() if form == "json" else logging.Formatter(FORMAT))
    handler.addFilter(RepeatFilter())
    handler.addFilter(TraceFilter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    counter = LogCounter()
    logging.getLogger().addHandler(counter)
    return counter
