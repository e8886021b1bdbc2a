"""What is checked of the books before the server opens."""

import logging
from collections.abc import Callable
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from croupier.ledger.balances import NOTHING, Checkpoint, compare_balances
from croupier.ledger.book import BooksUnusable

CHECKPOINT = "checkpoint.json"
WORTH_KEEPING = 1000
"""Entries since the last checkpoint, after which a new one is kept."""
_DOMAIN = b"croupier checkpoint 1\n"

log = logging.getLogger(__name__)


class Kept(Struct, frozen=True):
    """A checkpoint and its signature: else whoever forges a balance could forge it here as well."""

    checkpoint: msgspec.Raw
    signature: str


def check_balances(books: Path, key: Ed25519PrivateKey, stopped: Callable[[], bool] = lambda: False) -> None:
    """BooksUnusable when the balances disagree with the journal; Stopped when `stopped` says so meanwhile."""
    kept = books.parent / CHECKPOINT
    since = _read(kept, key)
    try:
        now = compare_balances(books, since, stopped)
    except BooksUnusable as error:
        raise BooksUnusable(
            f"the balances and the journal disagree: {error}. Run `croupier verify --data {books.parent}`, "
            "and restore a copy of the whole folder that it finds right"
        ) from error
    if now.seq - since.seq >= WORTH_KEEPING:
        _keep(kept, key, now)


def _read(path: Path, key: Ed25519PrivateKey) -> Checkpoint:
    """The checkpoint that was kept; NOTHING where there is none that can be trusted."""
    if not path.exists():
        return NOTHING
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=Kept)
        key.public_key().verify(bytes.fromhex(kept.signature), _DOMAIN + bytes(kept.checkpoint))
        return msgspec.json.decode(kept.checkpoint, type=Checkpoint)
    except (InvalidSignature, ValueError, msgspec.MsgspecError) as error:
        log.warning(
            "%s isn't used, and the whole journal is read: %s", path, error or "its signature is wrong"
        )
        return NOTHING


def _keep(path: Path, key: Ed25519PrivateKey, checkpoint: Checkpoint) -> None:
    told = msgspec.json.encode(checkpoint)
    kept = Kept(msgspec.Raw(told), key.sign(_DOMAIN + told).hex())
    new = path.with_suffix(".new")
    new.write_bytes(msgspec.json.encode(kept))
    new.chmod(0o600)
    new.replace(path)
