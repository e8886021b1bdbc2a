"""A small HTTP server that records POST requests and answers all of them alike."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import NamedTuple


class RecordedRequest(NamedTuple):
    path: str
    headers: Mapping[str, str]
    body: bytes


class HttpRecorder:
    """An HTTP server that records its requests.

    `requests`: those received so far.
    """

    def __init__(self, answer: bytes = b"") -> None:
        self.requests: list[RecordedRequest] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self.requests, answer))
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def _handler(requests: list[RecordedRequest], answer: bytes) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            requests.append(RecordedRequest(self.path, dict(self.headers), body))
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Don't print requests."""

    return Handler


@contextmanager
def http_recorder(answer: bytes = b"") -> Iterator[HttpRecorder]:
    recorder = HttpRecorder(answer)
    try:
        yield recorder
    finally:
        recorder.close()
