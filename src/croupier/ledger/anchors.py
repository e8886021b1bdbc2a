"""Anchors: signed statements of the journal's head, to be kept where the operator can't change them.

A hash chain shows a change only to someone who knows an earlier hash. Each statement contains one, and the
digest of the statement before it.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from croupier.canonical_json import canonical_json
from croupier.ledger.audit import BadRow, KnownHash

NO_PREVIOUS = "0" * 64
_DOMAIN = b"croupier anchor 1\n"
"""Signed with each statement, so that no other signature by this key passes for a statement's."""


class Statement(Struct, frozen=True):
    """At `at_ms`, the journal of this database ended with entry `seq`, whose hash is `head`.

    `previous` is the digest of the anchor before; NO_PREVIOUS for the one with `number` 1.
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
        return sha256(canonical_json(self)).hexdigest()

    @property
    def line(self) -> bytes:
        """The stored form: one line of JSON, without its line feed."""
        return canonical_json(self)

    def is_signed(self, key: Ed25519PublicKey) -> bool:
        try:
            key.verify(bytes.fromhex(self.signature), _DOMAIN + canonical_json(self.statement))
        except (InvalidSignature, ValueError):
            return False
        return True


class AnchorCheck(NamedTuple):
    """The hashes in an anchor file, up to its first bad line."""

    hashes: tuple[KnownHash, ...]
    bad: BadRow | None


def sign(key: Ed25519PrivateKey, statement: Statement) -> Anchor:
    return Anchor(statement, key.sign(_DOMAIN + canonical_json(statement)).hex())


def parse_anchor(line: bytes) -> Anchor | None:
    """Parse a line's anchor, whatever a logger has put before it; None if there is none.

    msgspec.DecodeError if it is incomplete.
    """
    at = line.find(b"{")
    return None if at < 0 else msgspec.json.decode(line[at:], type=Anchor)


def check_anchors(lines: Iterable[bytes], key: Ed25519PublicKey, database: str) -> AnchorCheck:
    """Check the signatures and the chain of a database's anchors; repeated lines are accepted."""
    chain = _Chain(key, database)
    for number, line in enumerate(lines, 1):
        if why := chain.fault(line):
            return AnchorCheck(tuple(chain.hashes), BadRow("anchor", f"line {number}", why))
    if chain.unreadable:
        return AnchorCheck(tuple(chain.hashes), BadRow("anchor", "the last line", chain.unreadable))
    return AnchorCheck(tuple(chain.hashes), None)


class _Chain:
    """The anchors of a file, read in their order and checked against one another.

    `unreadable`: why the last line can't be read. A server killed while writing it sends it again.
    """

    def __init__(self, key: Ed25519PublicKey, database: str) -> None:
        self.hashes: list[KnownHash] = []
        self.unreadable = ""
        self._key = key
        self._database = database
        self._last: Anchor | None = None
        self._seen: set[str] = set()

    def fault(self, line: bytes) -> str:
        """Add the next line and return what is wrong with it; empty if nothing is."""
        try:
            anchor = parse_anchor(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            self.unreadable = f"can't be read: {error}"
            return ""
        if anchor is None or anchor.digest in self._seen:
            return ""
        self.unreadable = ""
        if fault := self._anchor_fault(anchor):
            return fault
        self._add(anchor)
        return ""

    def _anchor_fault(self, anchor: Anchor) -> str:
        if not anchor.is_signed(self._key):
            return "isn't signed with this key"
        if anchor.statement.database != self._database:
            return f"is of the database {anchor.statement.database} and not of {self._database or 'this one'}"
        return self._chain_fault(anchor.statement)

    def _chain_fault(self, statement: Statement) -> str:
        if self._last is None:
            first = statement.number == 1
            return "doesn't begin a chain" if first != (statement.previous == NO_PREVIOUS) else ""
        last = self._last.statement
        if statement.number != last.number + 1:
            return f"has statement {statement.number} after statement {last.number}"
        if statement.previous != self._last.digest or statement.seq < last.seq:
            return "doesn't follow from the statement before it"
        return ""

    def _add(self, anchor: Anchor) -> None:
        self._last = anchor
        self._seen.add(anchor.digest)
        statement = anchor.statement
        self.hashes.append(KnownHash(statement.seq, statement.head, f"anchor {statement.number}"))


def parse_receipt(text: str) -> KnownHash:
    """Parse a receipt, SEQ:HASH; ValueError if the text isn't one."""
    seq, _, head = text.strip().partition(":")
    if len(bytes.fromhex(head)) != sha256().digest_size:
        raise ValueError(f"{text!r} isn't a receipt")
    return KnownHash(int(seq), head.lower(), "the receipt")


def parse_public_key(text: str) -> Ed25519PublicKey:
    """Parse a public key in hexadecimal; ValueError if the text isn't one."""
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(text.strip()))
