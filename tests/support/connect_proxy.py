"""An HTTP proxy that connects from an address of its own, as a browser on another machine does."""

import select
import socket
import socketserver
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

CHUNK_BYTES = 65_536
POLL_S = 0.05


class _Tunnel(socketserver.StreamRequestHandler):
    """One connection, which `CONNECT HOST:PORT` asks for."""

    server: "_Proxy"

    def handle(self) -> None:
        _method, target, _version = self.rfile.readline().decode().split()
        while self.rfile.readline().strip():
            pass
        host, _, port = target.rpartition(":")
        source = (self.server.source, 0)
        with socket.create_connection((host, int(port)), source_address=source) as there:
            self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            _carry(self.connection, there)


class _Proxy(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self, source: str) -> None:
        super().__init__(("127.0.0.1", 0), _Tunnel)
        self.source = source


@contextmanager
def proxy_from(source: str) -> Iterator[str]:
    """Run a proxy that connects from this address of the machine; yield its own address."""
    with _Proxy(source) as proxy:
        thread = Thread(target=proxy.serve_forever, args=(POLL_S,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{proxy.server_address[1]}"
        finally:
            proxy.shutdown()
            thread.join()


def _carry(one: socket.socket, two: socket.socket) -> None:
    """Pass bytes both ways until either side closes."""
    other = {one: two, two: one}
    while True:
        for ready in select.select([one, two], [], [])[0]:
            try:
                chunk = ready.recv(CHUNK_BYTES)
                other[ready].sendall(chunk)
            except ConnectionError:
                return
            if not chunk:
                return
