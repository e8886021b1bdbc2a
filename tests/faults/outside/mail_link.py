"""The same faults on the way to a mail server, whose calls are connections."""

import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Event, Thread
from typing import Self

from tests.faults.outside.link import DELAY_S, SILENT_S, OutsideFault

MESSAGE = "message"
"""The only call."""


class MailLink(ThreadingTCPServer):
    """Passes connections on to the mail server at `target`, within a `with` block."""

    daemon_threads = True

    def __init__(self, target: int) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.target = target
        self.port = int(self.server_address[1])
        self.faults: dict[str, OutsideFault] = {}
        self.met: list[tuple[str, OutsideFault]] = []
        self.healed = Event()

    def heal(self) -> None:
        self.faults = {}
        self.healed.set()
        self.healed = Event()

    def handle_error(self, *_: object) -> None:
        """Print nothing: a server that is killed or out of patience closes its connections."""

    def __enter__(self) -> Self:
        Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.heal()
        self.shutdown()
        self.server_close()


class _Passing(BaseRequestHandler):
    server: MailLink

    def handle(self) -> None:
        fault = self.server.faults.get(MESSAGE)
        if fault:
            self.server.met.append((MESSAGE, fault))
        match fault:
            case "drop" | "duplicate":  # the server sends a message once, over one connection
                return
            case "silence":
                self.server.healed.wait(SILENT_S)
                return
            case "contradict":
                self.request.sendall(b"421 not now\r\n")
                return
            case "delay":
                time.sleep(DELAY_S)
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.server.target)) as onward:
            back = Thread(target=_pump, args=(onward, self.request), daemon=True)
            back.start()
            _pump(self.request, onward)
            back.join(SILENT_S)


def _pump(from_: socket.socket, to: socket.socket) -> None:
    with suppress(OSError):
        for piece in _pieces(from_):
            to.sendall(piece)
        to.shutdown(socket.SHUT_WR)


def _pieces(from_: socket.socket) -> Iterator[bytes]:
    while piece := from_.recv(4096):
        yield piece
