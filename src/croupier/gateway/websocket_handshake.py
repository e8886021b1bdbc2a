"""The opening handshake of a WebSocket connection, without I/O."""

from collections.abc import Callable
from http import HTTPStatus

from websockets.http11 import Request
from websockets.server import ServerProtocol

from croupier.gateway.origins import HeaderLookup, single_value

HEADER_END = b"\r\n\r\n"
HANDSHAKE_BYTES_MAX = 16 * 1024
REFUSED = "HTTP/1.1 {0.value} {0.phrase}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

Check = Callable[[str, HeaderLookup], HTTPStatus]
"""Returns the status for a path and headers, SWITCHING_PROTOCOLS to accept."""


class Handshake:
    """Collects a request; `status` is 0 until it is complete, and then that of `response`."""

    __slots__ = ("_check", "_received", "header", "path", "response", "status", "tail")

    def __init__(self, check: Check) -> None:
        self._check = check
        self._received = bytearray()
        self.status = 0
        self.response = b""
        self.path = ""
        self.header: HeaderLookup = lambda _name: None
        self.tail = b""
        """The bytes after the request."""

    def feed(self, data: bytes) -> None:
        searched = max(0, len(self._received) - len(HEADER_END))
        self._received += data
        end = self._received.find(HEADER_END, searched)
        if max(end, len(self._received) - len(data)) > HANDSHAKE_BYTES_MAX:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif end >= 0:
            request_end = end + len(HEADER_END)
            self.tail = bytes(self._received[request_end:])
            self._answer(bytes(self._received[:request_end]))

    def _answer(self, received: bytes) -> None:
        protocol = ServerProtocol()
        protocol.receive_data(received)
        requests = protocol.events_received()
        if not requests:
            self._refuse(HTTPStatus.BAD_REQUEST)
            return
        (request,) = requests
        assert isinstance(request, Request)
        self.path = request.path.partition("?")[0]
        self.header = lambda name: single_value(request.headers.get_all(name))
        status = self._check(self.path, self.header)
        if status != HTTPStatus.SWITCHING_PROTOCOLS:
            self._refuse(status)
            return
        response = protocol.accept(request)
        self.status = response.status_code
        self.response = response.serialize()

    def _refuse(self, status: HTTPStatus) -> None:
        self.status = status
        self.response = REFUSED.format(status).encode()
