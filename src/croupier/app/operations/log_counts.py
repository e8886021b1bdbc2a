"""Counts of log records, including those dropped by the limit on repeated records."""

import logging
from collections import Counter


class LogCounter(logging.Handler):
    """Counts warnings, errors and critical errors by level."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.by_level = Counter[str]()

    def emit(self, record: logging.LogRecord) -> None:
        self.by_level[record.levelname.lower()] += 1
