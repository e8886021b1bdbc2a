"""The key of the shoes when the server opens: open rounds are sealed with it, or the server doesn't open.

Whoever takes the key away makes the open rounds unreadable. If they were void then, that would be a way to
abort rounds at will: so it takes the operator's word, and is in the journal, as is each key's fingerprint.
"""

import logging
from asyncio import wrap_future
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from croupier.clock import now_ms
from croupier.ledger import entries
from croupier.ledger.entries import Json
from croupier.ledger.protocol import DatabaseUnusable, Ledger, RoundRecord
from croupier.runtime import round_entries
from croupier.runtime.shoe_seal import Broken, Seal, make_key

NOTED = "shoes_key:"
"""Begins the keys of the entries that tell of a key."""
OTHER_KEY = "isn't the key that was used last"
SET_ASIDE = ".unusable"

log = logging.getLogger(__name__)


class KeyFile(NamedTuple):
    """`seal` None: `wrong` says why."""

    seal: Seal | None
    wrong: str = ""


def read_key(path: Path) -> KeyFile:
    if not path.exists():
        return KeyFile(None, "is missing")
    try:
        return KeyFile(Seal(path.read_bytes()))
    except Broken as error:
        return KeyFile(None, f"isn't a key ({error})")


async def open_seal(ledger: Ledger, path: Path, *, void_unreadable: bool = False) -> Seal:
    """The seal of the key file, which is made where no open round needs another.

    DatabaseUnusable while there are open rounds it doesn't open; with `void_unreadable` they become void.
    """
    seal, wrong = read_key(path)
    known = _noted(ledger)
    if seal and known and seal.fingerprint != known:
        wrong = OTHER_KEY
    unreadable = [record for record in ledger.open_rounds() if not _reads(seal, record)]
    if not void_unreadable:
        _refuse(path, seal, wrong, unreadable)
    await _void(ledger, unreadable, f"voided by the operator: {path.name} {wrong or 'does not open it'}")
    seal = seal or _made(path)
    if seal.fingerprint != known:
        await _note(ledger, seal, known, wrong)
    return seal


def _reads(seal: Seal | None, record: RoundRecord) -> bool:
    """Return whether the round can be resumed; a round at a live table needs no key."""
    if not round_entries.of_own(record):
        return True
    try:
        return seal is not None and bool(round_entries.source_of(record, seal))
    except (ValueError, LookupError, TypeError):
        return False


def _refuse(path: Path, seal: Seal | None, wrong: str, unreadable: Sequence[RoundRecord]) -> None:
    if unreadable:
        rounds = f"{len(unreadable)} open rounds can't be dealt on (the first is {unreadable[0].id})"
        raise DatabaseUnusable(
            f"{path} {wrong or 'does not open a round'}, so {rounds}: "
            "put the right key back, or void them with --void-unreadable"
        )
    if seal is None and path.exists():
        raise DatabaseUnusable(
            f"{path} {wrong}: put the right key back, or remove it, for no open round needs it"
        )


async def _void(ledger: Ledger, unreadable: Sequence[RoundRecord], reason: str) -> None:
    for record in unreadable:
        log.warning("round %s is %s", record.id, reason)
        await wrap_future(ledger.post([round_entries.void_entry(record, now_ms(), reason)]))


def _made(path: Path) -> Seal:
    """The seal of a new key; a file that is no key is set aside."""
    if path.exists():
        path.rename(path.with_name(path.name + SET_ASIDE))
    make_key(path)
    return Seal(path.read_bytes())


def _noted(ledger: Ledger) -> str:
    """The fingerprint of the key that was used last; empty: none was noted yet."""
    return next((str(note.body["fingerprint"]) for note in ledger.notes(NOTED, limit=1)), "")


async def _note(ledger: Ledger, seal: Seal, before: str, wrong: str) -> None:
    """`new`: rounds from before this entry are sealed with another key."""
    if wrong and before:
        log.warning("the key of the shoes is another from now on, for the file %s", wrong)
    now = now_ms()
    body: dict[str, Json] = {"fingerprint": seal.fingerprint, "before": before, "new": bool(wrong)}
    await wrap_future(ledger.post([entries.note(f"{NOTED}{now:015d}.{seal.fingerprint}", now, body)]))
