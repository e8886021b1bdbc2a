"""A small WebRTC peer for load tests of Janus: it connects, counts what arrives and decodes nothing.

It has one stream of packets (BUNDLE, rtcp-mux), no loss recovery, and is always the client of DTLS.
"""

import asyncio
import contextlib
import hmac
import re
import secrets
import socket
import struct
import zlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from OpenSSL import SSL

CONNECT_S, STEP_S, RESEND_STEPS = 10.0, 0.01, 10
MTU = 1_200
PACKET_BYTES_MAX = 2_048
COOKIE = 0x2112A442
HEADER = struct.Struct("!HHI12s")
REQUEST, SUCCESS = 0x0001, 0x0101
USERNAME, INTEGRITY, PRIORITY, USE_CANDIDATE = 0x06, 0x08, 0x24, 0x25
MAPPED, FINGERPRINT, CONTROLLED, CONTROLLING = 0x20, 0x8028, 0x8029, 0x802A
FINGERPRINT_XOR = 0x5354554E
KEYS = b"EXTRACTOR-dtls_srtp"
KEY_BYTES, SALT_BYTES = 16, 14

_candidate = re.compile(r"^a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ host", re.MULTILINE | re.IGNORECASE)


class Identity(NamedTuple):
    """A certificate that all peers of this process use."""

    context: SSL.Context
    fingerprint: str


@cache
def identity() -> Identity:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "peer")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(days=1))
    certificate = made.sign(key, hashes.SHA256())
    context = SSL.Context(SSL.DTLS_CLIENT_METHOD)
    context.use_privatekey(key)
    context.use_certificate(certificate)
    context.set_tlsext_use_srtp(b"SRTP_AES128_CM_SHA1_80")
    digest = certificate.fingerprint(hashes.SHA256())
    return Identity(context, ":".join(f"{byte:02X}" for byte in digest))


class Peer:
    """An endpoint of WebRTC.

    `packets` and `bytes` count the media that have been read. `controls`: it has made the offer.
    """

    def __init__(self, *, controls: bool = False) -> None:
        self.ufrag, self.password = secrets.token_hex(4), secrets.token_hex(12)
        self.packets = self.bytes = 0
        self._controls = controls
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._buffer = bytearray(PACKET_BYTES_MAX)
        self._dtls = SSL.Connection(identity().context, None)
        self._dtls.set_ciphertext_mtu(MTU)
        self._dtls.set_connect_state()
        self._is_reachable = self._is_nominated = self._has_keys = False
        self._remote = "", ""

    @property
    def attributes(self) -> list[str]:
        """The lines of a session description that name this peer."""
        return [
            f"a=ice-ufrag:{self.ufrag}",
            f"a=ice-pwd:{self.password}",
            f"a=fingerprint:sha-256 {identity().fingerprint}",
            "a=setup:active",
        ]

    def answer(self, offer: str) -> str:
        """Return the answer that receives all that is offered."""
        _, *sections = re.split(r"^(?=m=)", offer, flags=re.MULTILINE)
        mids = [_value(section, "mid") for section in sections]
        lines = ["v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=-", "t=0 0", f"a=group:BUNDLE {' '.join(mids)}"]
        for section, mid in zip(sections, mids, strict=True):
            kind, _, rest = section.splitlines()[0].split(" ", 2)
            codecs = [line for line in section.splitlines() if line.startswith(("a=rtpmap:", "a=fmtp:"))]
            lines += [f"{kind} 9 {rest}", "c=IN IP4 0.0.0.0", f"a=mid:{mid}", "a=recvonly", "a=rtcp-mux"]
            lines += [*codecs, *self.attributes]
        return "\r\n".join((*lines, ""))

    async def connect(self, description: str) -> None:
        """Connect to the peer that a session description is of."""
        found = _candidate.search(description)
        assert found, "no candidate"
        self._remote = _value(description, "ice-ufrag"), _value(description, "ice-pwd")
        self._socket.connect((found[1], int(found[2])))
        async with asyncio.timeout(CONNECT_S):
            await self._until_reachable()
            await self._until_keys()

    async def _until_reachable(self) -> None:
        for step in count():
            if self._is_reachable and self._is_nominated:
                return
            if step % RESEND_STEPS == 0:
                self.send(self._check())
            await asyncio.sleep(STEP_S)
            self.read()

    async def _until_keys(self) -> None:
        """Repeat each flight soon, and not after a second as OpenSSL does: Janus drops the first."""
        flight = list[bytes]()
        for step in count():
            if new := self._next_flight():
                flight = new
            for record in flight if new or step % RESEND_STEPS == 0 else ():
                self.send(record)
            if self._has_keys:
                return
            await asyncio.sleep(STEP_S)
            self.read()

    def read(self) -> None:
        """Read all that has arrived."""
        buffer, receive = self._buffer, self._socket.recv_into
        while True:
            try:
                size = receive(buffer)
            except (BlockingIOError, ConnectionRefusedError):
                return
            if buffer[0] >= 128:
                self.packets += 1
                self.bytes += size
            elif buffer[0] >= 20:
                self._dtls.bio_write(bytes(buffer[:size]))
            else:
                self._stun(bytes(buffer[:size]))

    def send(self, packet: bytes) -> None:
        """Send a packet, unless the system has no room for it."""
        with contextlib.suppress(BlockingIOError, ConnectionRefusedError):
            self._socket.send(packet)

    def close(self) -> None:
        self._socket.close()

    def keys(self) -> tuple[bytes, bytes]:
        """Return the master key and salt of what this peer sends (RFC 5764, 4.2)."""
        made = self._dtls.export_keying_material(KEYS, 2 * (KEY_BYTES + SALT_BYTES))
        return made[:KEY_BYTES], made[2 * KEY_BYTES : 2 * KEY_BYTES + SALT_BYTES]

    # --- DTLS

    def _next_flight(self) -> list[bytes]:
        """Continue the handshake; return the records to send, if there are new ones."""
        records = list[bytes]()
        with contextlib.suppress(SSL.WantReadError):
            self._dtls.do_handshake()
            self._has_keys = True
        with contextlib.suppress(SSL.WantReadError):
            while True:
                records += _records(self._dtls.bio_read(1 << 16))
        return records

    # --- STUN (RFC 8489) as ICE uses it (RFC 8445)

    def _check(self) -> bytes:
        ufrag, password = self._remote
        role = [(CONTROLLING, bytes(8)), (USE_CANDIDATE, b"")] if self._controls else [(CONTROLLED, bytes(8))]
        name = (USERNAME, f"{ufrag}:{self.ufrag}".encode())
        priority = (PRIORITY, struct.pack("!I", 1_853_824_767))
        return _stun(REQUEST, secrets.token_bytes(12), [name, priority, *role], password)

    def _stun(self, message: bytes) -> None:
        kind, _, _, transaction = HEADER.unpack_from(message)
        if kind == SUCCESS:
            self._is_reachable = True
        elif kind == REQUEST:
            self._is_nominated |= self._controls or struct.pack("!HH", USE_CANDIDATE, 0) in message
            host, port = self._socket.getpeername()
            (number,) = struct.unpack("!I", socket.inet_aton(host))
            mapped = struct.pack("!HHI", 1, port ^ COOKIE >> 16, number ^ COOKIE)
            self.send(_stun(SUCCESS, transaction, [(MAPPED, mapped)], self.password))


def _value(description: str, name: str) -> str:
    found = re.search(rf"^a={name}:(\S+)", description, re.MULTILINE)
    assert found, name
    return found[1]


def _stun(kind: int, transaction: bytes, attributes: Sequence[tuple[int, bytes]], password: str) -> bytes:
    """Return a message with integrity and fingerprint."""
    body = b"".join(_attribute(*each) for each in attributes)
    signed = HEADER.pack(kind, len(body) + 24, COOKIE, transaction) + body
    body += _attribute(INTEGRITY, hmac.digest(password.encode(), signed, "sha1"))
    summed = HEADER.pack(kind, len(body) + 8, COOKIE, transaction) + body
    return summed + _attribute(FINGERPRINT, struct.pack("!I", zlib.crc32(summed) ^ FINGERPRINT_XOR))


def _attribute(kind: int, value: bytes) -> bytes:
    return struct.pack("!HH", kind, len(value)) + value + bytes(-len(value) % 4)


def _records(data: bytes) -> Iterator[bytes]:
    """Split DTLS records, each of which becomes a packet."""
    while data:
        size = 13 + int.from_bytes(data[11:13])
        yield data[:size]
        data = data[size:]
