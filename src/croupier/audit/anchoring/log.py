"""The anchors of a data folder: the key that signs them, and the log of them that is sent on."""

import os
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.clock import now_ms
from croupier.ledger.anchors import NO_PREVIOUS, Anchor, Statement, parse_anchor, sign
from croupier.ledger.chain import Head
from croupier.ledger.protocol import DatabaseUnusable

KEY = "anchor.key"
LOG = "anchors.jsonl"
KEY_BYTES = 32
_TAIL = 4096
"""Bytes in which the last line ends, however long the one before is."""


def signing_key(path: Path) -> Ed25519PrivateKey:
    """The key in a file that only its owner may read, which is made when there is none."""
    if not path.exists():
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(Ed25519PrivateKey.generate().private_bytes_raw())
            file.flush()
            os.fsync(file.fileno())
    secret = path.read_bytes()
    if len(secret) != KEY_BYTES:
        raise DatabaseUnusable(
            f"{path} is no key for anchors: it has {len(secret)} bytes and not {KEY_BYTES}"
        )
    return Ed25519PrivateKey.from_private_bytes(secret)


class AnchorLog:
    """Appends anchors to the log of a data folder, each chained to the one before.

    `last` is the statement that was made last.
    """

    def __init__(self, path: Path, key: Ed25519PrivateKey, database: str) -> None:
        """DatabaseUnusable when the log isn't one of this key and database."""
        self.path = path
        self._key = key
        self._database = database
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        self._anchor = self._read_last()

    @property
    def last(self) -> Statement | None:
        return self._anchor.statement if self._anchor else None

    def append(self, head: Head) -> None:
        """Say that the journal has this head; it is on the disk when this returns."""
        last = self._anchor
        number = last.statement.number + 1 if last else 1
        previous = last.digest if last else NO_PREVIOUS
        said = Statement(self._database, number, head.seq, head.hash.hex(), now_ms(), previous)
        anchor = sign(self._key, said)
        with self.path.open("ab") as file:
            file.write(anchor.line + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self._anchor = anchor

    def since(self, offset: int, most: int) -> tuple[list[bytes], int]:
        """At most so many lines from this place in the file on, and the place after them.

        All of them where there is no such place: the log was begun anew.
        """
        with self.path.open("rb") as file:
            offset = offset if offset <= self.path.stat().st_size else 0
            file.seek(offset)
            lines = [line for line in (file.readline() for _ in range(most)) if line.endswith(b"\n")]
        return [line[:-1] for line in lines], offset + sum(map(len, lines))

    def _read_last(self) -> Anchor | None:
        """The last whole line; what is left of one that was cut off is removed, for nobody was sent it."""
        size = self.path.stat().st_size
        with self.path.open("rb+") as file:
            file.seek(max(0, size - _TAIL))
            tail = file.read()
            whole = tail[: tail.rfind(b"\n") + 1]
            if len(whole) < len(tail):
                file.truncate(size - len(tail) + len(whole))
        lines = whole.splitlines()
        return self._own(lines[-1]) if lines else None

    def _own(self, line: bytes) -> Anchor:
        try:
            anchor = parse_anchor(line)
        except msgspec.DecodeError:
            anchor = None
        own = anchor and anchor.statement.database == self._database
        if not anchor or not own or not anchor.is_signed(self._key.public_key()):
            raise DatabaseUnusable(
                f"the last line of {self.path} isn't signed for this database with its key: "
                f"put the right {KEY} back, or move {LOG} away and tell whoever keeps your anchors"
            )
        return anchor
