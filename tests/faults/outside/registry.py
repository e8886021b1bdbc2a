"""A self-exclusion registry on this machine that lists nobody."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

NOT_LISTED = b'{"excluded": false}'


class Registry:
    """An exclusion registry that lists nobody.

    `url`: its address; `asked`: the number of questions.
    """

    def __init__(self) -> None:
        self.url = ""
        self.asked = 0


@contextmanager
def serving_registry() -> Iterator[Registry]:
    registry = Registry()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            registry.asked += 1
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Length", str(len(NOT_LISTED)))
            self.end_headers()
            self.wfile.write(NOT_LISTED)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=listening.serve_forever, daemon=True).start()
    registry.url = f"http://127.0.0.1:{listening.server_port}"
    yield registry
    listening.shutdown()
    listening.server_close()
