"""Seal the order of a shoe while its round is played, so that a copy of the database reveals no card.

AES-256-GCM with a key in a file of its own beside the database, readable by its owner only.
"""

import os
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_NONCE_BYTES = 12


KEY_BYTES = 32


class SealError(ValueError):
    """An invalid key, or a sealed text of another key or round."""


def make_key(path: Path) -> None:
    """Create a key file that only its owner may read; raise FileExistsError if there is one."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(AESGCM.generate_key(8 * KEY_BYTES))
        file.flush()
        os.fsync(file.fileno())


class Seal:
    """Seals shoes with a key. `fingerprint` identifies the key without revealing it."""

    def __init__(self, key: bytes) -> None:
        """Raise SealError if the key is invalid."""
        if len(key) != KEY_BYTES:
            raise SealError(f"a key has {KEY_BYTES} bytes instead of {len(key)}")
        self._cipher = AESGCM(key)
        self.fingerprint = sha256(b"croupier shoes key\n" + key).hexdigest()[:32]

    @classmethod
    def of_file(cls, path: Path) -> "Seal":
        """Return the seal of a key file, which is created if there is none."""
        if not path.exists():
            make_key(path)
        return cls(path.read_bytes())

    @classmethod
    def temporary(cls) -> "Seal":
        """Return the seal of a key that isn't stored, for work that seals nothing."""
        return cls(AESGCM.generate_key(8 * KEY_BYTES))

    def seal(self, secret: bytes, round_id: str) -> str:
        """Return `secret` as text that only this key unseals, and only for this round."""
        nonce = os.urandom(_NONCE_BYTES)
        return b64encode(nonce + self._cipher.encrypt(nonce, secret, round_id.encode())).decode()

    def unseal(self, text: str, round_id: str) -> bytes:
        sealed = b64decode(text)
        try:
            return self._cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], round_id.encode())
        except InvalidTag:
            raise SealError(f"the shoe of round {round_id} isn't sealed with this key") from None
