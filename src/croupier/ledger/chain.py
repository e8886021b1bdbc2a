"""The journal's rows and the hash chain that links each row to all before it."""

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec

from croupier.canonical_json import canonical_json
from croupier.ledger.entries import Entry, Kind, Move, Shares

GENESIS = sha256(b"croupier journal 1").digest()
"""The hash before the first row."""

NO_SHARES = "null"

_moves = msgspec.json.Decoder(tuple[Move, ...]).decode
_shares = msgspec.json.Decoder(Shares | None).decode


class JournalRow(NamedTuple):
    """A row of the journal as stored, without its hash; `moves`, `shares` and `body` are JSON."""

    seq: int
    key: str
    kind: str
    at_ms: int
    player: str
    table_id: str
    round: str
    moves: str
    shares: str
    body: str

    @property
    def content(self) -> tuple[str, ...]:
        """All columns but `seq` and `at_ms`: a key posted again must have the same content."""
        return (self.key, self.kind, self.player, self.table_id, *self[6:])


class Head(NamedTuple):
    """The last row of the journal."""

    seq: int
    hash: bytes

    def __str__(self) -> str:
        return f"{self.seq} {self.hash.hex()}"


START = Head(0, GENESIS)


def row_of(seq: int, entry: Entry) -> JournalRow:
    """Encode an entry; TypeError when its body isn't JSON."""
    moves, body = canonical_json(entry.moves).decode(), canonical_json(entry.body).decode()
    shares = canonical_json(entry.shares).decode() if entry.shares else NO_SHARES
    of = entry.player, entry.table, entry.round
    return JournalRow(seq, entry.key, entry.kind, entry.at_ms, *of, moves, shares, body)


def entry_of(row: JournalRow) -> Entry:
    """Decode a row; msgspec.ValidationError when it isn't an entry's."""
    kind = msgspec.convert(row.kind, Kind)
    moves, shares, body = _moves(row.moves), _shares(row.shares), msgspec.json.decode(row.body)
    return Entry(row.key, kind, row.at_ms, row.player, row.table_id, row.round, moves, body, shares)


def link(head: Head, row: JournalRow) -> Head:
    """Return the head after `row`, whose hash covers the row's columns as stored and the hash before it."""
    return Head(row.seq, _hash(head.hash, row))


def link_all(head: Head, rows: Sequence[JournalRow]) -> tuple[Head, list[bytes]]:
    """Return the head after all `rows`, of which there is at least one, and the hash of each."""
    hash_ = head.hash
    hashes = [hash_ := _hash(hash_, row) for row in rows]
    return Head(rows[-1].seq, hash_), hashes


def _hash(before: bytes, row: JournalRow) -> bytes:
    return sha256(before + canonical_json(row)).digest()
