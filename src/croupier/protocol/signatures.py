"""Signatures of messages between servers: HMAC-SHA256 over the time stamp and the raw body."""

import hmac
from hashlib import sha256
from typing import NamedTuple

from croupier.refusal import Refused

TIMESTAMP_HEADER, SIGNATURE_HEADER = "Croupier-Timestamp", "Croupier-Signature"
WINDOW_S = 300
"""Maximum age of a signature, and its maximum time ahead of the receiver's clock."""
VERSION = "v1="


class Secret:
    """A shared secret, which no log and no representation shows."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        self._key = key

    def __repr__(self) -> str:
        return "Secret(...)"

    def has_length(self, least: int) -> bool:
        """Return whether the secret has at least so many bytes."""
        return len(self._key) >= least

    def sign(self, timestamp: str, body: bytes) -> str:
        return VERSION + hmac.new(self._key, timestamp.encode() + b"." + body, sha256).hexdigest()

    def derived(self, purpose: bytes) -> bytes:
        """Return the key of another purpose, from which this one can't be computed."""
        return hmac.digest(self._key, purpose, sha256)

    def sha1_tag(self, message: bytes) -> bytes:
        """Return the HMAC-SHA1 of a message, for protocols that want this one."""
        return hmac.digest(self._key, message, "sha1")

    def revealed(self) -> str:
        """Return the secret, for the service that issued it; raise UnicodeDecodeError unless it is ASCII."""
        return self._key.decode("ascii")


class SignedBody(NamedTuple):
    """A body as received, with its two headers; empty where they are missing or repeated."""

    timestamp: str
    signature: str
    body: bytes


def signed_headers(secret: Secret, body: bytes, now_s: int) -> dict[str, str]:
    """Return the headers of a body that is sent now."""
    timestamp = str(now_s)
    return {TIMESTAMP_HEADER: timestamp, SIGNATURE_HEADER: secret.sign(timestamp, body)}


def check_signature(secret: Secret, signed: SignedBody, now_s: int) -> None:
    """Refuse `wrong_signature` for another secret, body or time stamp, or one outside the window."""
    expected = secret.sign(signed.timestamp, signed.body).encode()
    is_genuine = hmac.compare_digest(expected, signed.signature.encode())
    is_plain = signed.timestamp.isascii() and signed.timestamp.isdigit() and len(signed.timestamp) <= 12
    if not (is_genuine and is_plain and abs(now_s - int(signed.timestamp)) <= WINDOW_S):
        raise Refused("wrong_signature")
