"""Check of the key of the shoes at start: the server starts only if it can unseal the open rounds.

Removing the key makes open rounds unreadable. If they were voided automatically, that would be a way to abort
rounds at will. So it requires an option, and the journal records it, and each key's fingerprint.
"""

import logging
from asyncio import to_thread, wrap_future
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from croupier.clock import now_ms
from croupier.ledger import entries
from croupier.ledger.entries import Json
from croupier.ledger.protocol import DatabaseUnusable, Ledger, RoundRecord
from croupier.rounds import round_entries
from croupier.rounds.shoe_seal import Seal, SealError, make_key

NOTED = "shoes_key:"
"""Prefix of the keys of entries that record a key."""
OTHER_KEY = "isn't the key that was used last"
SET_ASIDE = ".unusable"

log = logging.getLogger(__name__)


class KeyFile(NamedTuple):
    """The seal of a key file; if it is None, `wrong` is the reason."""

    seal: Seal | None
    wrong: str = ""


def read_key(path: Path) -> KeyFile:
    if not path.exists():
        return KeyFile(None, "is missing")
    try:
        return KeyFile(Seal(path.read_bytes()))
    except SealError as error:
        return KeyFile(None, f"isn't a key ({error})")


async def open_seal(ledger: Ledger, path: Path, *, void_unreadable: bool = False) -> Seal:
    """Return the seal of the key file, which is created unless an open round needs another key.

    Raise DatabaseUnusable if it can't unseal some open rounds; with `void_unreadable`, void them instead.
    """
    seal, wrong = read_key(path)
    known = await to_thread(_recorded_fingerprint, ledger)
    if seal and known and seal.fingerprint != known:
        wrong = OTHER_KEY
    unreadable = [record for record in await to_thread(ledger.open_rounds) if not _can_resume(seal, record)]
    if not void_unreadable:
        _check_usable(path, seal, wrong, unreadable)
    await _void(ledger, unreadable, f"voided by the operator: {path.name} {wrong or 'does not unseal it'}")
    seal = seal or _new_key(path)
    if seal.fingerprint != known:
        await _record_key(ledger, seal, known, wrong)
    return seal


def _can_resume(seal: Seal | None, record: RoundRecord) -> bool:
    """Return whether the round can be resumed; a round at a live table needs no key."""
    if not round_entries.is_own(record):
        return True
    try:
        return seal is not None and bool(round_entries.source_of(record, seal))
    except (ValueError, LookupError, TypeError):
        return False


def _check_usable(path: Path, seal: Seal | None, wrong: str, unreadable: Sequence[RoundRecord]) -> None:
    if unreadable:
        rounds = f"{len(unreadable)} open rounds can't be resumed (the first is {unreadable[0].id})"
        raise DatabaseUnusable(
            f"{path} {wrong or 'does not unseal a round'}, so {rounds}: "
            "put the right key back, or void them with --void-unreadable"
        )
    if seal is None and path.exists():
        raise DatabaseUnusable(
            f"{path} {wrong}: put the right key back, or remove it, since no open round needs it"
        )


async def _void(ledger: Ledger, unreadable: Sequence[RoundRecord], reason: str) -> None:
    for record in unreadable:
        log.warning(
            "round %s (%s) is %s",
            record.id,
            record.number,
            reason,
            extra={"round": record.id, "number": record.number},
        )
        await wrap_future(ledger.post([round_entries.void_entry(record, now_ms(), reason)]))


def _new_key(path: Path) -> Seal:
    """Create a key and return its seal; rename a file that isn't a key."""
    if path.exists():
        path.rename(path.with_name(path.name + SET_ASIDE))
    make_key(path)
    return Seal(path.read_bytes())


def _recorded_fingerprint(ledger: Ledger) -> str:
    """Return the fingerprint of the last key used; empty if none was recorded yet."""
    return next((str(note.body["fingerprint"]) for note in ledger.notes(NOTED, limit=1)), "")


async def _record_key(ledger: Ledger, seal: Seal, before: str, wrong: str) -> None:
    """Record the key in use. `new`: earlier rounds are sealed with another key."""
    if wrong and before:
        log.warning("the key of the shoes has changed, since the file %s", wrong)
    now = now_ms()
    body: dict[str, Json] = {"fingerprint": seal.fingerprint, "before": before, "new": bool(wrong)}
    await wrap_future(ledger.post([entries.note(f"{NOTED}{now:015d}.{seal.fingerprint}", now, body)]))
