"""Counts of log records, including those dropped by the limit on repeated records."""

import logging
from collections import Counter


class LogCounter(logging.Handler):
    """Counts warnings, errors and critical errors by level."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        # From 0: Prometheus sees no increase in a counter that first appears at 1.
        self.by_level = Counter(dict.fromkeys(("warning", "error", "critical"), 0))

    def emit(self, record: logging.LogRecord) -> None:
        self.by_level[record.levelname.lower()] += 1
