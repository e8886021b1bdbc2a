"""Evidence to compare a journal with: anchors, receipts, and the key that the shoes are sealed with."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from croupier.audit.anchoring.anchoring import database_of
from croupier.audit.anchoring.log import KEY as ANCHOR_KEY
from croupier.audit.anchoring.log import LOG, signing_key
from croupier.ledger.anchors import check_anchors, parse_public_key, parse_receipt
from croupier.ledger.audit import BadRow, KnownHash
from croupier.ledger.sqlite.connection import SqliteError

OWN = "Who can write the data folder can write these too: compare with anchors that are kept elsewhere."
OWN_KEY = "Their key was taken from the data folder: give --anchor-key to be sure of it."


class Evidence(NamedTuple):
    """`anchors`: how many there are in `source`, up to the entry `last`; `bad`: what is wrong with them.

    `caution` says what they don't prove.
    """

    hashes: tuple[KnownHash, ...] = ()
    bad: BadRow | None = None
    anchors: int = 0
    last: int = 0
    source: str = ""
    caution: str = ""


NO_EVIDENCE = Evidence()


def evidence(books: Path, anchors: Path | None, key: str, receipts: Sequence[str]) -> Evidence:
    """The anchors in a file, or in the data folder where none is named, and the receipts.

    ValueError where a key or a receipt isn't one; OSError where a file can't be read.
    """
    shown = tuple(map(_receipt, receipts))
    folder = books.parent
    file = anchors or folder / LOG
    if anchors is None and not file.exists():
        return Evidence(shown)
    signer = _public(key) if key else _own_key(folder)
    with file.open("rb") as lines:
        found, bad = check_anchors(lines, signer, _database(books))
    caution = OWN if anchors is None else "" if key else OWN_KEY
    last = found[-1].seq if found else 0
    return Evidence((*found, *shown), bad, len(found), last, str(file), caution)


def _receipt(text: str) -> KnownHash:
    try:
        return parse_receipt(text)
    except ValueError:
        raise ValueError(f"--receipt: {text!r} is none; one reads SEQ:HASH, with 64 digits of hash") from None


def _public(text: str) -> Ed25519PublicKey:
    try:
        return parse_public_key(text)
    except ValueError:
        raise ValueError(f"--anchor-key: {text!r} is no public key; one has 64 hexadecimal digits") from None


def _own_key(folder: Path) -> Ed25519PublicKey:
    path = folder / ANCHOR_KEY
    if not path.exists():
        raise ValueError(f"{path} is missing: give the public key of the anchors with --anchor-key")
    return signing_key(path).public_key()


def _database(books: Path) -> str:
    """Its id; empty where it can't be read, which the audit of it will find."""
    try:
        return database_of(books)
    except SqliteError:
        return ""
