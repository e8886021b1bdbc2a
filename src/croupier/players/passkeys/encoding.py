"""Keys of passkeys and their text form, base64url without padding."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import NamedTuple


class PublicKey(NamedTuple):
    """A new passkey's id and public key in base64url, and its count of signatures."""

    id: str
    key: str
    sign_count: int


def encoded(raw: bytes) -> str:
    """Return base64url without padding."""
    return urlsafe_b64encode(raw).decode().rstrip("=")


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
