"""Send malformed input over raw sockets: `python -m tests.faults.malformed --requests 20000`.

Either port must respond with a status below 500 or close the connection. The server must log at most one line
about it, without a traceback, and serve the next request.
"""

import argparse
import os
import re
import socket
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx

from tests.support.server_process import ServerProcess

RESPONSE_TIMEOUT_S, SILENCE_S, LOG_DELAY_S = 0.6, 0.1, 0.1
BATCH = 24
"""Requests sent at once; those of a batch with a fault are sent again one by one."""
TRACEBACK = re.compile("Traceback|Exception|Error|  File ")
ANSWERED = b"--the server has answered--"
NESTED = b'{"t":' * 2_000
DEEP_LISTS = b"[" * 100_000
KEY = b64encode(bytes(16))
GET_PATHS = (
    *(b"/", b"/assets/x", b"/api/server", b"/api/me", b"/api/live-tables", b"/api/nowhere", b"/api/openapi"),
    *(b"/api/history?limit=5&before=x&from_ms=1", b"/api/statement?before=7", b"/api/rounds/r1"),
    *(b"/api/tables/classic/rules", b"/api/tables/classic/results?n=5", b"/api/responsible-gaming", b"/ws"),
    *(b"/api/staff/me", b"/api/staff/log?before=a&text=b&limit=4"),
)
BODIES = {
    b"/api/guest": b"{}",
    b"/api/cashier/deposit": b'{"req":"a","currency":"EUR","amount_minor":100}',
    b"/api/responsible-gaming/limit": b'{"what":"loss","period":"week","currency":"EUR","most":100}',
    b"/api/responsible-gaming/break": b'{"why":"time_out","days":1}',
    b"/api/staff/sign-in": b'{"name":"Ada","code":"7KQM-2XWD-H4TP-9RVC"}',
    b"/api/staff/sign-out": b"",
}
FRAMES = (
    b'{"t":"hello","protocol":9,"tables":[]}',
    b'{"t":"join","req":"a","table":"classic","currency":"GC"}',
    b'{"t":"deal","req":"b","table":"classic","stakes":[{"box":0,"bet":"main","stake_minor":1000}]}',
    b'{"t":"say","req":"c","table":"infinite","text":"hello"}',
    b'{"t":"ping"}',
)
BAD_PAYLOADS = {"nested": NESTED, "surrogate": b'{"t":"\\ud800"}', "no text": b"\xff"}
PIECES = (
    *(
        b"\x00",
        b"\xff",
        b"\xc3\x28",
        b"%",
        b"%00",
        b"%ff",
        b"%ed%a0%80",
        b"\\ud800",
        b"[",
        b"]",
        b"[::",
        b"@",
    ),
    *(b"9" * 40, b"-1", b"1e999", b"NaN", b"null", b"{", b"}", b'"', b"\r\n", b"\n", b" ", b":", b"/"),
    *(b"?", b"../", b";=", b"\t", b"\xed\xa0\x80", b"A" * 3_000, b"http://", b"Host: a\r\n", b"[" * 1_500),
)


class Ports(NamedTuple):
    pages: int
    socket: int


def request(
    path: bytes, host: bytes, *headers: bytes, method: bytes = b"GET", body: bytes | None = None
) -> bytes:
    length = [] if body is None else [b"Content-Length: %d" % len(body)]
    lines = (b"%s %s HTTP/1.1" % (method, path), b"Host: " + host, *headers, *length, b"Connection: close")
    return b"\r\n".join((*lines, b"", body or b""))


def handshake(path: bytes, host: bytes, origin: bytes, *headers: bytes) -> bytes:
    upgrade = (b"Upgrade: websocket", b"Connection: Upgrade", b"Sec-WebSocket-Version: 13")
    lines = (*upgrade, b"Sec-WebSocket-Key: " + KEY, b"Origin: " + origin, *headers)
    return b"\r\n".join((b"GET %s HTTP/1.1" % path, b"Host: " + host, *lines, b"", b""))


def frame(payload: bytes, first: int = 0x81) -> bytes:
    """Return a masked frame as a browser sends it; the mask is zero."""
    size = len(payload)
    if size < 126:
        return bytes((first, 0x80 | size)) + bytes(4) + payload
    if size < 1 << 16:
        return bytes((first, 0xFE)) + size.to_bytes(2, "big") + bytes(4) + payload
    return bytes((first, 0xFF)) + size.to_bytes(8, "big") + bytes(4) + payload


def response(port: int, raw: bytes) -> bytes:
    """Return the server's response to these bytes until it closes the connection or falls silent.

    The bytes after ANSWERED are sent once the server has responded to those before.
    """
    answer = b""
    connection = socket.create_connection(("127.0.0.1", port), timeout=RESPONSE_TIMEOUT_S)
    with connection, suppress(TimeoutError, ConnectionError):
        for part in raw.split(ANSWERED):
            connection.sendall(part)
            connection.settimeout(RESPONSE_TIMEOUT_S)
            answer += connection.recv(65_536)
        connection.settimeout(SILENCE_S)
        while piece := connection.recv(65_536):
            answer += piece
    return answer


def status(answer: bytes) -> int:
    """Return the status; 0 if the connection was closed without a response."""
    found = re.match(rb"HTTP/1\.[01] (\d{3})", answer)
    return int(found[1]) if found else 0


def mutated(chance: Random, raw: bytes) -> bytes:
    """Replace, repeat, cut or insert some bytes."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        at, to = sorted((chance.randrange(len(raw) + 1), chance.randrange(len(raw) + 1)))
        piece = chance.choice((*PIECES, chance.randbytes(chance.randint(1, 8)), raw[at : min(to, at + 40)]))
        raw = raw[:at] + piece + raw[chance.choice((at, at, min(to, at + 20))) :]
    return raw


class Sender:
    """A guest that sends input that no browser sends."""

    def __init__(self, address: str, cookie: str, socket_port: int) -> None:
        port = urlsplit(address).port
        assert port is not None
        self.ports = Ports(port, socket_port)
        self.origin = address.encode()
        self.host = urlsplit(address).netloc.encode()
        self.cookie = b"Cookie: " + cookie.encode()

    def requests(self, chance: Random) -> bytes:
        """Return a valid request, to be mutated."""
        headers = (self.cookie, b"Origin: " + self.origin)
        if chance.random() < 0.5:
            return request(chance.choice(GET_PATHS), self.host, *headers)
        path, body = chance.choice([*BODIES.items()])
        return request(path, self.host, *headers, method=b"POST", body=body)

    def upgrade(self, chance: Random) -> bytes:
        path = chance.choice((b"/ws", b"/ws/staff"))
        return handshake(path, self.host, self.origin, self.cookie)

    def frames(self, chance: Random) -> bytes:
        """Return a valid handshake, and frames with mutated payloads or headers."""
        frames = [frame(mutated(chance, chance.choice(FRAMES))) for _ in range(3)]
        if chance.random() < 0.5:
            frames = [mutated(chance, frame(chance.choice(FRAMES)))]
        hello = frame(FRAMES[0]) if chance.random() < 0.8 else b""
        waits = chance.choice((ANSWERED, ANSWERED, b""))
        return self.upgrade(chance) + waits + hello + b"".join(frames)

    def kinds(self) -> tuple[tuple[int, Callable[[Random], bytes]], ...]:
        return (
            (self.ports.pages, lambda chance: mutated(chance, self.requests(chance))),
            (self.ports.pages, lambda chance: mutated(chance, self.upgrade(chance))),
            (self.ports.socket, lambda chance: mutated(chance, self.upgrade(chance))),
            (self.ports.socket, lambda chance: mutated(chance, self.requests(chance))),
            (self.ports.socket, self.frames),
        )

    def named(self) -> Iterator[tuple[str, int, bytes]]:
        """Yield input that once caused a 500, a traceback or a wrong response."""
        pages, sockets = self.ports
        origin = b"Origin: " + self.origin
        yield "bad host", pages, request(b"/", b"[bad")
        yield "two hosts", pages, request(b"/", self.host, b"Host: " + self.host)
        yield "bad origin", pages, request(b"/api/guest", self.host, b"Origin: http://[bad", method=b"POST")
        yield "path of no text", pages, request(b"/ws\xff", self.host)
        yield "no path", pages, b"GET http://a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        yield "tunnel", pages, b"CONNECT a:443 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        yield "asterisk", pages, b"OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        yield "upgrade at the pages", pages, handshake(b"/ws", self.host, self.origin)
        for path in BODIES:
            for name, body in (("nested", NESTED), ("deep lists", DEEP_LISTS), ("no text", b'"\xff"')):
                order = request(path, self.host, self.cookie, origin, method=b"POST", body=body)
                yield f"{name} to {path.decode()}", pages, order
        for query in (b"statement?before=" + b"9" * 40, b"history?before=%ed%a0%80", b"history?table=%00"):
            yield query.decode(), pages, request(b"/api/" + query, self.host, self.cookie)
        yield "cookie of no text", pages, request(b"/api/me", self.host, b"Cookie: croupier_session=\xff")
        version = b"Sec-WebSocket-Version: 13"
        for name, change in {
            "version": version + b"\xff",
            "body": version + b"\r\nContent-Length: 4",
        }.items():
            upgrade = handshake(b"/ws", self.host, self.origin).replace(version, change)
            yield f"socket: {name}", sockets, upgrade + b"{{{{"
        post = request(b"/ws", self.host, method=b"POST", body=b'{"a": 1}')
        yield "socket: post", sockets, post.replace(b"Content-Length", b"Content")
        yield "socket: path of no text", sockets, handshake(b"/ws\xff", self.host, self.origin)
        yield "socket: bad host", sockets, handshake(b"/ws", b"[bad", self.origin)
        yield "socket: bad origin", sockets, handshake(b"/ws", self.host, b"http://[bad")
        yield "socket: two origins", sockets, handshake(b"/ws", self.host, self.origin, origin)
        yield (
            "socket: two cookies",
            sockets,
            handshake(b"/ws", self.host, self.origin, self.cookie, self.cookie),
        )
        for path in (b"/ws", b"/ws/staff"):
            opened = handshake(path, self.host, self.origin, self.cookie) + ANSWERED
            for name, payload in (
                ("nested", NESTED),
                ("surrogate", b'{"t":"\\ud800"}'),
                ("no text", b"\xff"),
            ):
                yield f"socket {path.decode()}: {name}", sockets, opened + frame(payload)
            yield f"socket {path.decode()}: binary", sockets, opened + frame(b"x", 0x82)
            yield f"socket {path.decode()}: reserved", sockets, opened + frame(b"x", 0xF3)


def sender(server: ServerProcess) -> Sender:
    """Create a guest of this server."""
    with httpx.Client(base_url=server.address) as http:
        http.post("/api/guest").raise_for_status()
        cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
        return Sender(server.address, cookie, http.get("/api/server").json()["socket_port"])


def log_lines(server: ServerProcess) -> list[str]:
    return server.log.read_text().splitlines()


def fault(server: ServerProcess, sent: Sequence[tuple[int, bytes]]) -> str:
    """Send these bytes, each to its port, and return the server's fault; empty if there is none."""
    before = len(log_lines(server))
    with ThreadPoolExecutor(BATCH) as senders:
        answers = [*senders.map(lambda one: status(response(*one)), sent)]
    time.sleep(LOG_DELAY_S)
    logged = log_lines(server)[before:]
    if faults := [answer for answer in answers if answer >= httpx.codes.INTERNAL_SERVER_ERROR]:
        return f"answers {faults}"
    return f"logs {logged}" if len(logged) > len(sent) or any(map(TRACEBACK.match, logged)) else ""


def run(server: ServerProcess, requests: int, seed: int) -> Iterator[tuple[bytes, str]]:
    """Send requests, and yield those that the server handled wrongly, and why."""
    chance, guest = Random(seed), sender(server)
    kinds = guest.kinds()
    for _ in range(0, requests, BATCH):
        sent = [(port, make(chance)) for port, make in chance.choices(kinds, k=BATCH)]
        if together := fault(server, sent):
            found = [(raw, wrong) for port, raw in sent if (wrong := fault(server, [(port, raw)]))]
            yield from found or [(b"".join(raw for _, raw in sent), together)]
    httpx.get(f"{server.address}/api/server").raise_for_status()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"))
    arguments = parser.parse_args()
    found = 0
    with TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder) / "data").start()
        for raw, wrong in run(server, arguments.requests, arguments.seed):
            found += 1
            print(f"{wrong}\n    {raw[:600]!r}")
        server.stop()
    print(f"{arguments.requests} requests, seed {arguments.seed}: {found} wrong")
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
