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
from croupier.audit.anchoring.log import ANCHOR_KEY, signing_key
from croupier.audit.anchoring.targets import Target
from croupier.ledger.protocol import DatabaseUnusable
from croupier.ledger.sql.balance_check import NOTHING, Checkpoint, compare_balances
from croupier.ledger.sql.databases import Database

CHECKPOINT = "checkpoint.json"
CHECKPOINT_EVERY = 1000
"""Minimum number of entries from one checkpoint to the next."""
_DOMAIN = b"croupier checkpoint 1\n"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Safeguards:
    """Options of the checks and of anchoring: targets, interval and the key's file.

    Without `anchor_key`, the key is in the data folder. For `void_unreadable` see `open_seal`.
    """

    anchors: Mapping[str, Target] = field(default_factory=dict)
    anchor_every_s: float = EVERY_S
    anchor_key: Path | None = None
    void_unreadable: bool = False


UNANCHORED = Safeguards()
"""Writes anchors to the data folder only."""


async def check_database(
    folder: Path, database: Database, safeguards: Safeguards, stopped: Callable[[], bool]
) -> Anchoring:
    """Compare the journal with the balances and the last anchor; return what anchors it from now on.

    Raise DatabaseUnusable if they disagree, and Stopped once `stopped` returns true.
    """
    key = signing_key(safeguards.anchor_key or folder / ANCHOR_KEY)
    await asyncio.to_thread(check_balances, folder, database, key, stopped)
    anchors = safeguards.anchors
    return await asyncio.to_thread(Anchoring, folder, database, key, anchors, safeguards.anchor_every_s)


class SignedCheckpoint(Struct, frozen=True):
    """A checkpoint and its signature, without which a forged balance could be forged here as well."""

    checkpoint: msgspec.Raw
    signature: str


def check_balances(
    folder: Path, database: Database, key: Ed25519PrivateKey, stopped: Callable[[], bool] = lambda: False
) -> None:
    """Compare the balances with the journal, from the last checkpoint on.

    Raise DatabaseUnusable if they disagree, and Stopped once `stopped` returns true.
    """
    file = folder / CHECKPOINT
    since = _read_checkpoint(file, key)
    try:
        now = compare_balances(database, since, stopped)
    except DatabaseUnusable as error:
        raise DatabaseUnusable(
            f"the balances and the journal disagree: {error}. Run `croupier verify --data {folder}` "
            "and restore a copy of the whole folder that it finds right"
        ) from error
    if now.seq - since.seq >= CHECKPOINT_EVERY:
        _write_checkpoint(file, key, now)


def _read_checkpoint(path: Path, key: Ed25519PrivateKey) -> Checkpoint:
    """Return the last checkpoint, or NOTHING if there is none with a valid signature."""
    if not path.exists():
        return NOTHING
    try:
        signed = msgspec.json.decode(path.read_bytes(), type=SignedCheckpoint)
        key.public_key().verify(bytes.fromhex(signed.signature), _DOMAIN + bytes(signed.checkpoint))
        return msgspec.json.decode(signed.checkpoint, type=Checkpoint)
    except (InvalidSignature, ValueError, msgspec.MsgspecError):
        log.warning("%s isn't signed with the key for anchors, so the whole journal is read", path)
        return NOTHING


def _write_checkpoint(path: Path, key: Ed25519PrivateKey, checkpoint: Checkpoint) -> None:
    encoded = msgspec.json.encode(checkpoint)
    signed = SignedCheckpoint(msgspec.Raw(encoded), key.sign(_DOMAIN + encoded).hex())
    new = path.with_suffix(".new")
    new.write_bytes(msgspec.json.encode(signed))
    new.chmod(0o600)
    new.replace(path)
