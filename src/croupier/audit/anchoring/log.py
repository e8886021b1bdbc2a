"""Anchors of a data folder: the key that signs them, and the log that is sent to the targets."""

import os
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.clock import now_ms
from croupier.ledger.anchors import NO_PREVIOUS, Anchor, Statement, parse_anchor, sign
from croupier.ledger.chain import Head
from croupier.ledger.protocol import DatabaseUnusable

ANCHOR_KEY = "anchor.key"
LOG = "anchors.jsonl"
KEY_BYTES = 32
_TAIL = 4096
"""Number of bytes at the end of the log that hold the whole last line."""


def signing_key(path: Path) -> Ed25519PrivateKey:
    """Return the key in a file, which is created, readable by its owner only, if there is none."""
    if not path.exists():
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(Ed25519PrivateKey.generate().private_bytes_raw())
            file.flush()
            os.fsync(file.fileno())
    secret = path.read_bytes()
    if len(secret) != KEY_BYTES:
        raise DatabaseUnusable(
            f"{path} isn't a key for anchors: it has {len(secret)} bytes instead of {KEY_BYTES}"
        )
    return Ed25519PrivateKey.from_private_bytes(secret)


class AnchorLog:
    """The log of anchors in a data folder, each chained to the previous one."""

    def __init__(self, path: Path, key: Ed25519PrivateKey, database: str) -> None:
        """Open the log; raise DatabaseUnusable if its last line isn't of this key and database."""
        self.path = path
        self._key = key
        self._database = database
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        self._anchor = self._read_last()

    @property
    def last(self) -> Statement | None:
        return self._anchor.statement if self._anchor else None

    def append(self, head: Head) -> None:
        """Append an anchor of this head, and sync it to disk."""
        last = self._anchor
        number = last.statement.number + 1 if last else 1
        previous = last.digest if last else NO_PREVIOUS
        statement = Statement(self._database, number, head.seq, head.hash.hex(), now_ms(), previous)
        anchor = sign(self._key, statement)
        with self.path.open("ab") as file:
            file.write(anchor.line + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self._anchor = anchor

    def since(self, offset: int, limit: int) -> tuple[list[bytes], int]:
        """Return at most `limit` lines from this offset on, and the offset after them.

        Start at the beginning if the file is shorter than `offset`, since the log was replaced then.
        """
        with self.path.open("rb") as file:
            offset = offset if offset <= self.path.stat().st_size else 0
            file.seek(offset)
            lines = [line for line in (file.readline() for _ in range(limit)) if line.endswith(b"\n")]
        return [line[:-1] for line in lines], offset + sum(map(len, lines))

    def _read_last(self) -> Anchor | None:
        """Return the last anchor, and remove an incomplete line after it, which was sent to no target."""
        size = self.path.stat().st_size
        with self.path.open("rb+") as file:
            file.seek(max(0, size - _TAIL))
            tail = file.read()
            whole = tail[: tail.rfind(b"\n") + 1]
            if len(whole) < len(tail):
                file.truncate(size - len(tail) + len(whole))
        lines = whole.splitlines()
        return self._checked(lines[-1]) if lines else None

    def _checked(self, line: bytes) -> Anchor:
        try:
            anchor = parse_anchor(line)
        except msgspec.DecodeError:
            anchor = None
        own = anchor and anchor.statement.database == self._database
        if not anchor or not own or not anchor.is_signed(self._key.public_key()):
            raise DatabaseUnusable(
                f"the last line of {self.path} isn't signed for this database with its key: "
                f"put the right {ANCHOR_KEY} back, or move {LOG} away and tell whoever keeps your anchors"
            )
        return anchor
