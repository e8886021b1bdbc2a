"""Anchors: signed statements of where the journal stood, to be kept where its keeper can't change them.

A chain of hashes shows a change only to somebody who knows a hash from before. Each statement has one, and
the digest of the statement before it.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from croupier.ledger.audit import BadRow, KnownHash

NO_PREVIOUS = "0" * 64
_DOMAIN = b"croupier anchor 1\n"
"""Signed with each statement, so that no signature of this key on anything else passes for one."""
_to_json = msgspec.json.Encoder(order="deterministic").encode


class Statement(Struct, frozen=True):
    """At `at_ms`, the journal of this database ended with entry `seq`, whose hash is `head`.

    `previous` is the digest of the statement before; NO_PREVIOUS for the one with `number` 1.
    """

    database: str
    number: int
    seq: int
    head: str
    at_ms: int
    previous: str


class Anchor(Struct, frozen=True):
    """A statement and its Ed25519 signature, in hexadecimal."""

    statement: Statement
    signature: str

    @property
    def digest(self) -> str:
        return sha256(_to_json(self)).hexdigest()

    @property
    def line(self) -> bytes:
        """As it is kept and sent: one line of JSON, without its end."""
        return _to_json(self)

    def is_signed(self, key: Ed25519PublicKey) -> bool:
        try:
            key.verify(bytes.fromhex(self.signature), _DOMAIN + _to_json(self.statement))
        except (InvalidSignature, ValueError):
            return False
        return True


class Read(NamedTuple):
    """The content of an anchor file: marks to compare the journal with, and the first line that is wrong."""

    marks: tuple[KnownHash, ...]
    bad: BadRow | None


def signed(key: Ed25519PrivateKey, statement: Statement) -> Anchor:
    return Anchor(statement, key.sign(_DOMAIN + _to_json(statement)).hex())


def parse_anchor(line: bytes) -> Anchor | None:
    """The anchor in a line, whatever a logger has put before it; None where there is none.

    msgspec.DecodeError where there is a part of one.
    """
    at = line.find(b"{")
    return None if at < 0 else msgspec.json.decode(line[at:], type=Anchor)


def check_anchors(lines: Iterable[bytes], key: Ed25519PublicKey, database: str) -> Read:
    """Check the signatures and the chain of the anchors of a database; a line sent twice is no fault."""
    chain = _Chain(key, database)
    for place, line in enumerate(lines, 1):
        if why := chain.wrong(line):
            return Read(tuple(chain.marks), BadRow("anchor", f"line {place}", why))
    if chain.torn:
        return Read(tuple(chain.marks), BadRow("anchor", "the last line", chain.torn))
    return Read(tuple(chain.marks), None)


class _Chain:
    """`torn`: why the last line can't be read; a server that was cut off in it has sent it again."""

    def __init__(self, key: Ed25519PublicKey, database: str) -> None:
        self.marks: list[KnownHash] = []
        self.torn = ""
        self._key = key
        self._database = database
        self._last: Anchor | None = None
        self._seen: set[str] = set()

    def wrong(self, line: bytes) -> str:
        """Return the fault of the next line; empty if it has none."""
        try:
            anchor = parse_anchor(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            self.torn = f"can't be read: {error}"
            return ""
        if anchor is None or anchor.digest in self._seen:
            return ""
        self.torn = ""
        return self._wrong_in(anchor) or self._add(anchor)

    def _wrong_in(self, anchor: Anchor) -> str:
        if not anchor.is_signed(self._key):
            return "isn't signed with this key"
        if anchor.statement.database != self._database:
            return f"is of the database {anchor.statement.database} and not of {self._database or 'this one'}"
        return self._unchained(anchor.statement)

    def _unchained(self, statement: Statement) -> str:
        if self._last is None:
            first = statement.number == 1
            return "doesn't begin a chain" if first != (statement.previous == NO_PREVIOUS) else ""
        last = self._last.statement
        if statement.number != last.number + 1:
            return f"has statement {statement.number} after statement {last.number}"
        if statement.previous != self._last.digest or statement.seq < last.seq:
            return "doesn't follow from the statement before it"
        return ""

    def _add(self, anchor: Anchor) -> str:
        self._last = anchor
        self._seen.add(anchor.digest)
        said = anchor.statement
        self.marks.append(KnownHash(said.seq, said.head, f"anchor {said.number}"))
        return ""


def parse_receipt(text: str) -> KnownHash:
    """The mark of a receipt, SEQ:HASH; ValueError when the text is none."""
    seq, _, head = text.strip().partition(":")
    if len(bytes.fromhex(head)) != sha256().digest_size:
        raise ValueError(f"{text!r} is no receipt")
    return KnownHash(int(seq), head.lower(), "the receipt")


def public_key(text: str) -> Ed25519PublicKey:
    """The public key written in hexadecimal; ValueError when the text is none."""
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(text.strip()))
