"""Players' acceptance of the operator's documents: a note in the journal for each document and version."""

import asyncio
from collections.abc import Mapping
from hashlib import sha256

from croupier import clock
from croupier.accounts.documents import Document, Documents, Due
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.players.play_limits import PlayLimitsRegistry
from croupier.players.queries import PlayerQueries, acceptance_note
from croupier.refusal import Refused


class DocumentAcceptance:
    """An acceptance is in the journal, with the digest of the accepted text, before it takes effect."""

    def __init__(
        self,
        gateway: LedgerGateway,
        queries: PlayerQueries,
        play_limits: PlayLimitsRegistry,
        documents: Documents,
    ) -> None:
        self.documents = documents
        self._gateway = gateway
        self._queries = queries
        self._play_limits = play_limits
        self._accepting = asyncio.Lock()

    async def due(self, player: str) -> tuple[Due, ...]:
        """Return the documents that the player should accept or be shown, in order of precedence."""
        if not self.documents.any_to_accept:
            return ()
        return tuple(self.documents.due(await self._accepted(player)))

    def document(self, name: str) -> Document:
        """Return a document; refuse `no_such_document`."""
        found = self.documents.documents.get(name)
        if found is None:
            raise Refused("no_such_document", document=name)
        return found

    async def accept(self, player: str, name: str, version: str) -> None:
        """Record that a player accepts a document; refuse `document_changed` for an earlier version."""
        document = self.document(name)
        if version != document.version:
            raise Refused("document_changed", document=name, version=document.version)
        async with self._accepting:
            accepted = await self._accepted(player)
            if accepted.get(name) != version:
                digest = sha256(document.text.encode()).hexdigest()
                note = acceptance_note(player, clock.now_ms(), name, version, digest)
                await self._gateway.post([note])
                accepted = {**accepted, name: version}
        if limits := self._play_limits.known(player):
            limits.unaccepted = self.documents.unaccepted(accepted)

    async def follow(self, player: str) -> None:
        """Apply what a player has accepted on another node."""
        if limits := self._play_limits.known(player):
            limits.unaccepted = self.documents.unaccepted(await self._accepted(player))

    async def _accepted(self, player: str) -> Mapping[str, str]:
        return await self._gateway.read(self._queries.accepted_versions, player)
