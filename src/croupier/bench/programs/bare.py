"""Echo each text over bare sockets, and broadcast a text that begins with t, with b in its place.

A minimal loop around system calls, as the lower bound for any server on this machine. Only for the load
test's clients, which send unfragmented frames of less than 64 KiB masked with zeros.
"""

import json
import select
import socket
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha1

TEXT, CLOSE = 0x81, 0x88
IN_TWO_BYTES = 126
ACCEPTED = (
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Accept: {}\r\n\r\n"
)
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""RFC 6455, section 1.3."""

here: dict[int, socket.socket] = {}


def upgrade(line: socket.socket, request: bytes) -> None:
    headers = dict(each.split(b": ", 1) for each in request.split(b"\r\n")[1:] if b": " in each)
    proof = sha1(headers[b"Sec-WebSocket-Key"] + GUID, usedforsecurity=False).digest()
    line.send(ACCEPTED.format(b64encode(proof).decode()).encode())


def texts(data: bytes) -> Iterator[bytes]:
    while data and data[0] == TEXT:
        size, start = data[1] & 0x7F, 6
        if size == IN_TWO_BYTES:
            size, start = int.from_bytes(data[2:4], "big"), 8
        yield data[start : start + size]
        data = data[start + size :]


def framed(text: bytes) -> bytes:
    size = len(text)
    head = bytes((size,)) if size < IN_TWO_BYTES else bytes((IN_TWO_BYTES,)) + size.to_bytes(2, "big")
    return bytes((TEXT,)) + head + text


def handle(line: socket.socket, data: bytes) -> None:
    if data.startswith(b"GET "):
        upgrade(line, data)
    for text in texts(data):
        if text.startswith(b"t"):
            broadcast = framed(b"b" + text[1:])
            for one in here.values():
                one.send(broadcast)
        else:
            line.send(framed(text))


def serve(listening: socket.socket) -> None:
    poll = select.epoll()
    poll.register(listening.fileno(), select.EPOLLIN)
    while True:
        for descriptor, _ in poll.poll():
            if descriptor == listening.fileno():
                line, _address = listening.accept()
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                here[line.fileno()] = line
                poll.register(line.fileno(), select.EPOLLIN)
            elif (data := here[descriptor].recv(1 << 16)) and data[0] != CLOSE:
                handle(here[descriptor], data)
            else:
                poll.unregister(descriptor)
                here.pop(descriptor).close()


if __name__ == "__main__":
    opened = socket.create_server(("127.0.0.1", 0), backlog=4096)
    print(json.dumps({"port": opened.getsockname()[1], "paths": ["/"]}), flush=True)
    serve(opened)
