"""The WebSocket libraries' logs: malformed input from outside is worth one line, not a traceback."""

import logging

CLIENT_ERRORS = ("opening handshake failed", "unexpected internal error")
"""What `websockets` logs with a traceback, also when a client sends more than its handshake at once."""


class OneLineFilter(logging.Filter):
    """Replaces the traceback of the messages FROM_OUTSIDE by the exception."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.msg in CLIENT_ERRORS and record.exc_info:
            record.msg, record.args = "%s: %r", (record.msg, record.exc_info[1])
            record.exc_info = None
        return True


def quiet_libraries() -> None:
    """Shorten what `websockets` logs, and drop picows' warnings: each malformed frame gets one or two."""
    logging.getLogger("websockets.server").addFilter(OneLineFilter())
    logging.getLogger("picows").setLevel(logging.ERROR)
