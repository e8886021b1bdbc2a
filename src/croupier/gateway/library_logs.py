"""Logging of the WebSocket library: one line for malformed input, without a traceback."""

import logging

CLIENT_ERRORS = ("opening handshake failed", "unexpected internal error")
"""Messages that `websockets` logs with a traceback even if the client caused the error."""


class OneLineFilter(logging.Filter):
    """Replaces the traceback of CLIENT_ERRORS with the exception."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.msg in CLIENT_ERRORS and record.exc_info:
            record.msg, record.args = "%s: %r", (record.msg, record.exc_info[1])
            record.exc_info = None
        return True


def quiet_libraries() -> None:
    """Shorten the messages of `websockets`."""
    logging.getLogger("websockets.server").addFilter(OneLineFilter())
