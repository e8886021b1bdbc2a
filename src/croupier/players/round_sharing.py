"""Links to replays that players share: a random token for each, of which the journal keeps the SHA-256 only.

A round has one link at most. A new one ends the one before, and so does the end of sharing.
"""

import secrets
from hashlib import sha256
from typing import NamedTuple

from croupier import clock
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.ledger.protocol import LedgerReader, RoundRecord
from croupier.refusal import Refused
from croupier.rounds import round_entries

TOKEN_BYTES = 24
TOKEN_CHARS = TOKEN_BYTES * 4 // 3
DIGEST = "sha256"
"""Field of a note with the digest of a round's link; empty: the round is no longer shared."""


class SharedRound(NamedTuple):
    """A new link: its token, and since when it works."""

    token: str
    shared_ms: int


class RoundSharing:
    """Makes, ends and follows links to rounds."""

    def __init__(self, ledger: LedgerReader, gateway: LedgerGateway) -> None:
        self._ledger = ledger
        self._gateway = gateway

    async def share(self, player: str, round_id: str) -> SharedRound:
        """Make a link to a round of the player's that was played to its end; it replaces an earlier link."""
        record = await self._gateway.read(self._own, player, round_id)
        if record.status != "settled" or not record.staked_minor or not round_entries.steps_of(record):
            raise Refused("not_shareable", round=round_id)
        token, now_ms = secrets.token_urlsafe(TOKEN_BYTES), clock.now_ms()
        digest = _digest(token)
        found = entries.note(_token_key(digest), now_ms, {}, player=player, round_id=round_id)
        await self._gateway.post([found, _link_note(record, now_ms, digest)])
        return SharedRound(token, now_ms)

    async def end(self, player: str, round_id: str) -> None:
        """End the link to a round of the player's."""
        record = await self._gateway.read(self._own, player, round_id)
        if await self._gateway.read(self.shared_ms, round_id):
            await self._gateway.post([_link_note(record, clock.now_ms(), "")])

    def shared_ms(self, round_id: str) -> int:
        """Return since when a round is shared; 0: it isn't. A query, as `round_of`."""
        link = self._link(round_id)
        return link.at_ms if link and link.body[DIGEST] else 0

    def round_of(self, token: str) -> str:
        """Return the round that a link shows; refuse `no_such_replay` alike for any other token."""
        digest = _digest(token)
        found = self._ledger.entry(_token_key(digest)) if len(token) == TOKEN_CHARS else None
        link = self._link(found.round) if found else None
        if link is None or link.body[DIGEST] != digest:
            raise Refused("no_such_replay")
        return link.round

    def _own(self, player: str, round_id: str) -> RoundRecord:
        record = self._ledger.round(round_id)
        if record is None or record.player != player:
            raise Refused("no_such_round", round=round_id)
        return record

    def _link(self, round_id: str) -> Entry | None:
        """Return the last note on a round's link."""
        return next(iter(self._ledger.notes(_link_prefix(round_id), limit=1)), None)


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def _token_key(digest: str) -> str:
    return f"shared:{digest}"


def _link_prefix(round_id: str) -> str:
    return f"round_link:{round_id}:"


def _link_note(record: RoundRecord, now_ms: int, digest: str) -> Entry:
    key = f"{_link_prefix(record.id)}{now_ms:014d}:{digest}"
    return entries.note(key, now_ms, {DIGEST: digest}, player=record.player, round_id=record.id)
