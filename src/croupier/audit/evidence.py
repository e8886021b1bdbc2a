"""Evidence that a journal is compared with: anchors and receipts."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from croupier.audit.anchoring.anchoring import database_id
from croupier.audit.anchoring.log import ANCHOR_KEY, LOG, signing_key
from croupier.ledger.anchors import check_anchors, parse_public_key, parse_receipt
from croupier.ledger.audit import BadRow, KnownHash
from croupier.ledger.sql.databases import Database, database_errors

OWN_ANCHORS = (
    "Anyone who can change the data folder can change these too: compare with anchors kept elsewhere."
)
OWN_KEY = "Their key was read from the data folder: give --anchor-key to be sure of it."


class Evidence(NamedTuple):
    """Known hashes, and the number of `anchors` in `source`, up to the entry `last`.

    `bad` is the first anchor that is wrong; `caution` says what the anchors don't prove.
    """

    hashes: tuple[KnownHash, ...] = ()
    bad: BadRow | None = None
    anchors: int = 0
    last: int = 0
    source: str = ""
    caution: str = ""


NO_EVIDENCE = Evidence()


def evidence(
    folder: Path, database: Database, anchors: Path | None, key: str, receipts: Sequence[str]
) -> Evidence:
    """Read the receipts, and the anchors in a file or, if none is named, in the data folder.

    Raise ValueError for an invalid key or receipt, and OSError if a file can't be read.
    """
    known = tuple(map(_receipt, receipts))
    file = anchors or folder / LOG
    if anchors is None and not file.exists():
        return Evidence(known)
    signer = _public(key) if key else _own_key(folder)
    with file.open("rb") as lines:
        found, bad = check_anchors(lines, signer, _database_id(database))
    caution = OWN_ANCHORS if anchors is None else "" if key else OWN_KEY
    last = found[-1].seq if found else 0
    return Evidence((*found, *known), bad, len(found), last, str(file), caution)


def _receipt(text: str) -> KnownHash:
    try:
        return parse_receipt(text)
    except ValueError:
        raise ValueError(f"--receipt: {text!r} is none; one reads SEQ:HASH, with 64 digits of hash") from None


def _public(text: str) -> Ed25519PublicKey:
    try:
        return parse_public_key(text)
    except ValueError:
        raise ValueError(f"--anchor-key: {text!r} isn't a public key of 64 hexadecimal digits") from None


def _own_key(folder: Path) -> Ed25519PublicKey:
    path = folder / ANCHOR_KEY
    if not path.exists():
        raise ValueError(f"{path} is missing: give the public key of the anchors with --anchor-key")
    return signing_key(path).public_key()


def _database_id(database: Database) -> str:
    """Return the id of the database; empty if it can't be read, which the audit reports."""
    try:
        return database_id(database)
    except database_errors():
        return ""
