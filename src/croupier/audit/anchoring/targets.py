"""Targets of anchors: a file, a syslog server or an HTTP server. They block, so call them in a thread."""

import os
import socket
from collections.abc import Callable, Sequence
from contextlib import closing
from logging import INFO, LogRecord
from logging.handlers import SysLogHandler
from pathlib import Path
from typing import Protocol
from urllib.parse import SplitResult, urlsplit
from urllib.request import Request, urlopen

TIMEOUT_S = 5.0
SYSLOG_PORT = 514
LOCAL_SYSLOG = "/dev/log"
NAME = "croupier-anchor: "
KINDS = "a file, syslog:, syslog://HOST:PORT, syslog+tcp://HOST:PORT, http://... or https://..."


class Target(Protocol):
    def send(self, lines: Sequence[bytes]) -> None:
        """Return when all lines have arrived; OSError if one hasn't: the first ones may have."""
        ...


class FileTarget:
    """Appends to a file, and waits until the disk has it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def send(self, lines: Sequence[bytes]) -> None:
        with os.fdopen(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600), "rb+") as file:
            file.write(b"".join([_line_end(file.fileno()), *(line + b"\n" for line in lines)]))
            file.flush()
            os.fsync(file.fileno())


def _line_end(descriptor: int) -> bytes:
    """Return the line break that is needed first if the file ends in the middle of a line."""
    size = os.fstat(descriptor).st_size
    return b"\n" if size and os.pread(descriptor, 1, size - 1) != b"\n" else b""


class HttpTarget:
    """Posts each line as JSON; any status below 300 says that it has arrived."""

    def __init__(self, url: str) -> None:
        self._url = url

    def send(self, lines: Sequence[bytes]) -> None:
        for line in lines:
            request = Request(self._url, line, {"Content-Type": "application/json"}, method="POST")  # noqa: S310
            with closing(urlopen(request, timeout=TIMEOUT_S)):  # noqa: S310 - http or https, see `target_of`
                pass


class SyslogTarget:
    """Sends each line as a message. UDP doesn't confirm that it has arrived."""

    def __init__(self, address: str | tuple[str, int], kind: socket.SocketKind | None) -> None:
        self._address = address
        self._kind = kind

    def send(self, lines: Sequence[bytes]) -> None:
        with closing(_Syslog(self._address, facility=SysLogHandler.LOG_AUTHPRIV, socktype=self._kind)) as log:
            end = "\n" if self._kind == socket.SOCK_STREAM else ""
            for line in lines:
                log.handle(LogRecord("anchor", INFO, "", 0, NAME + line.decode() + end, None, None))


class _Syslog(SysLogHandler):
    append_nul = False

    def createSocket(self) -> None:  # noqa: N802
        super().createSocket()
        made = getattr(self, "socket", None)
        if isinstance(made, socket.socket):
            made.settimeout(TIMEOUT_S)

    def handleError(self, record: LogRecord) -> None:  # noqa: ARG002, N802
        raise  # noqa: PLE0704 - it is called where an exception is handled


def target_of(text: str) -> Target:
    """Return the target that an operator named; raise ValueError if it is invalid."""
    split = urlsplit(text)
    kind = _KINDS.get(split.scheme)
    if kind is not None:
        return kind(split)
    if ":" in text.split("/", 1)[0]:
        raise ValueError(f"{text!r} isn't a target for anchors; allowed is: {KINDS}")
    return FileTarget(Path(text))


def _http(split: SplitResult) -> Target:
    if not split.hostname:
        raise ValueError(f"{split.geturl()!r} names no host")
    return HttpTarget(split.geturl())


def _syslog(kind: socket.SocketKind, split: SplitResult) -> Target:
    if not split.hostname:
        return SyslogTarget(split.path or LOCAL_SYSLOG, None)
    return SyslogTarget((split.hostname, split.port or SYSLOG_PORT), kind)


_KINDS: dict[str, Callable[[SplitResult], Target]] = {
    "http": _http,
    "https": _http,
    "syslog": lambda split: _syslog(socket.SOCK_DGRAM, split),
    "syslog+tcp": lambda split: _syslog(socket.SOCK_STREAM, split),
}
