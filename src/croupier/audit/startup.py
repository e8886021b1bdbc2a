"""Checks of the database before the server starts."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from croupier.audit.anchoring.anchoring import EVERY_S, Anchoring
from croupier.audit.anchoring.log import KEY, signing_key
from croupier.audit.anchoring.targets import Target
from croupier.ledger.protocol import DatabaseUnusable
from croupier.ledger.sqlite.balance_check import NOTHING, Checkpoint, compare_balances

CHECKPOINT = "checkpoint.json"
WORTH_KEEPING = 1000
"""Entries since the last checkpoint, after which a new one is kept."""
_DOMAIN = b"croupier checkpoint 1\n"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Safeguards:
    """Options of the checks and of anchoring: targets, interval and the key's file.

    `anchor_key` None: in the data folder. `void_unreadable`: see `open_seal`.
    """

    anchors: Mapping[str, Target] = field(default_factory=dict)
    anchor_every_s: float = EVERY_S
    anchor_key: Path | None = None
    void_unreadable: bool = False


UNANCHORED = Safeguards()
"""Anchors are kept in the data folder only."""


async def check_books(books: Path, safeguards: Safeguards, stopped: Callable[[], bool]) -> Anchoring:
    """Compare the journal at `books` with the balances and the last anchor; the answer anchors it.

    DatabaseUnusable where they disagree; Stopped when `stopped` says so meanwhile.
    """
    key = signing_key(safeguards.anchor_key or books.parent / KEY)
    await asyncio.to_thread(check_balances, books, key, stopped)
    return Anchoring(books, key, safeguards.anchors, safeguards.anchor_every_s)


class Kept(Struct, frozen=True):
    """A checkpoint and its signature: else whoever forges a balance could forge it here as well."""

    checkpoint: msgspec.Raw
    signature: str


def check_balances(books: Path, key: Ed25519PrivateKey, stopped: Callable[[], bool] = lambda: False) -> None:
    """DatabaseUnusable when balances and journal disagree; Stopped when `stopped` says so meanwhile."""
    kept = books.parent / CHECKPOINT
    since = _read(kept, key)
    try:
        now = compare_balances(books, since, stopped)
    except DatabaseUnusable as error:
        raise DatabaseUnusable(
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
    except (InvalidSignature, ValueError, msgspec.MsgspecError):
        log.warning("%s isn't signed with the key for anchors, so the whole journal is read", path)
        return NOTHING


def _keep(path: Path, key: Ed25519PrivateKey, checkpoint: Checkpoint) -> None:
    told = msgspec.json.encode(checkpoint)
    kept = Kept(msgspec.Raw(told), key.sign(_DOMAIN + told).hex())
    new = path.with_suffix(".new")
    new.write_bytes(msgspec.json.encode(kept))
    new.chmod(0o600)
    new.replace(path)
