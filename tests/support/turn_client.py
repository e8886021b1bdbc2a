"""A client of TURN (RFC 8656) over TCP, as far as a test needs it: requests, and the code of their errors."""

import hmac
import os
import socket
import struct
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import md5

COOKIE = 0x2112A442
HEADER = struct.Struct("!HHI12s")
ALLOCATE, REFRESH, CREATE_PERMISSION = 3, 4, 8
USERNAME, INTEGRITY, ERROR, PEER, REALM, NONCE, TRANSPORT = 0x06, 0x08, 0x09, 0x12, 0x14, 0x15, 0x19
INTEGRITY_BYTES = 24
UDP = bytes((17, 0, 0, 0))
IPV4 = 1
TIMEOUT_S = 5.0


class TurnClient:
    """One connection. Each method returns 0, or the code of the error with which the server refused."""

    def __init__(self, connection: socket.socket, username: str, password: str) -> None:
        self._socket = connection
        self._username = username
        self._password = password
        self._realm = self._nonce = b""

    def allocate(self) -> int:
        """Ask for a relay; the first answer has the realm and the nonce for all other requests."""
        self._ask(ALLOCATE, {TRANSPORT: UDP})
        return self._ask(ALLOCATE, {TRANSPORT: UDP})

    def refresh(self) -> int:
        return self._ask(REFRESH, {})

    def permit(self, address: str, port: int = 9) -> int:
        """Ask for relaying to an address."""
        (number,) = struct.unpack("!I", socket.inet_aton(address))
        peer = struct.pack("!HHI", IPV4, port ^ COOKIE >> 16, number ^ COOKIE)
        return self._ask(CREATE_PERMISSION, {PEER: peer})

    def _ask(self, method: int, attributes: dict[int, bytes]) -> int:
        if self._nonce:
            signed = {USERNAME: self._username.encode(), REALM: self._realm, NONCE: self._nonce}
            attributes = attributes | signed
        body = b"".join(_attribute(kind, value) for kind, value in attributes.items())
        transaction = os.urandom(12)
        if self._nonce:
            header = HEADER.pack(method, len(body) + INTEGRITY_BYTES, COOKIE, transaction)
            body += _attribute(INTEGRITY, hmac.digest(self._key, header + body, "sha1"))
        self._socket.sendall(HEADER.pack(method, len(body), COOKIE, transaction) + body)
        return self._answer()

    @property
    def _key(self) -> bytes:
        text = b":".join((self._username.encode(), self._realm, self._password.encode()))
        return md5(text, usedforsecurity=False).digest()

    def _answer(self) -> int:
        _, length, _, _ = HEADER.unpack(self._received(HEADER.size))
        answer = dict(_attributes(self._received(length)))
        self._realm = answer.get(REALM, self._realm)
        self._nonce = answer.get(NONCE, self._nonce)
        error = answer.get(ERROR)
        return error[2] * 100 + error[3] if error else 0

    def _received(self, count: int) -> bytes:
        received = b""
        while len(received) < count:
            part = self._socket.recv(count - len(received))
            assert part, "the server has closed the connection"
            received += part
        return received


@contextmanager
def turn_client(address: str, port: int, username: str, password: str) -> Iterator[TurnClient]:
    with closing(socket.create_connection((address, port), TIMEOUT_S)) as connection:
        yield TurnClient(connection, username, password)


def _attribute(kind: int, value: bytes) -> bytes:
    return struct.pack("!HH", kind, len(value)) + value + bytes(-len(value) % 4)


def _attributes(body: bytes) -> Iterator[tuple[int, bytes]]:
    while body:
        kind, length = struct.unpack_from("!HH", body)
        yield kind, body[4 : 4 + length]
        body = body[4 + length + -length % 4 :]
