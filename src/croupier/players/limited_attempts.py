"""Limits on failed sign-ins, confirmations and messages, which all nodes count together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from croupier import clock
from croupier.accounts.attempts import Attempt, AttemptCounts
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.players.sign_in_log import SignInLog
from croupier.refusal import Refused


class LimitedAttempts:
    """Counts attempts before they are made; the `log` has those that fail."""

    def __init__(self, gateway: LedgerGateway, store: AttemptCounts) -> None:
        self.log = SignInLog(gateway)
        self._gateway = gateway
        self._store = store

    async def count(self, *attempts: Attempt) -> None:
        """Count attempts; refuse `too_many_tries` after too many."""
        await self._gateway.durable(self._store.count(attempts, clock.now_ms()))

    async def clear(self, *attempts: Attempt) -> None:
        """Forget earlier attempts after a successful one."""
        await self._gateway.durable(self._store.clear(attempts))

    @asynccontextmanager
    async def sign_in(self, address: str, *attempts: Attempt) -> AsyncIterator[None]:
        """Count a sign-in as failed until the context ends without a refusal."""
        try:
            await self.count(*attempts)
        except Refused:
            self.log.limited(address)
            raise
        yield
        await self.clear(*attempts)
