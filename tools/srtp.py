"""SRTP (RFC 3711) with AES-128 in counter mode and HMAC-SHA1-80: protecting one stream of packets."""

import hmac
import struct

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR

ENCRYPTION, AUTHENTICATION, SALT = range(3)
TAG_BYTES = 10
HEADER = struct.Struct("!BBHII")
VERSION = 0x80
MARKER = 0x80


class SrtpStream:
    """Numbers and protects the packets of one source."""

    def __init__(self, master_key: bytes, master_salt: bytes, source: int, payload_type: int) -> None:
        self._key = _derived(master_key, master_salt, ENCRYPTION, 16)
        self._tag_key = _derived(master_key, master_salt, AUTHENTICATION, 20)
        self._salt = int.from_bytes(_derived(master_key, master_salt, SALT, 14)) << 16
        self._source = source
        self._type = payload_type
        self._index = 0

    def packet(self, payload: bytes, timestamp: int, *, last: bool) -> bytes:
        """Return the next packet; `last`: of its frame."""
        index, self._index = self._index, self._index + 1
        kind = self._type | (MARKER if last else 0)
        header = HEADER.pack(VERSION, kind, index & 0xFFFF, timestamp & 0xFFFFFFFF, self._source)
        start = self._salt ^ self._source << 64 ^ index << 16
        packet = header + _encrypted(self._key, start, payload)
        signed = packet + (index >> 16).to_bytes(4)
        return packet + hmac.digest(self._tag_key, signed, "sha1")[:TAG_BYTES]


def _derived(key: bytes, salt: bytes, label: int, size: int) -> bytes:
    start = (int.from_bytes(salt) ^ label << 48) << 16
    return _encrypted(key, start, bytes(size))


def _encrypted(key: bytes, start: int, data: bytes) -> bytes:
    return Cipher(AES(key), CTR(start.to_bytes(16))).encryptor().update(data)
