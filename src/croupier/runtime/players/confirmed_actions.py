"""Actions of a signed-in player that need their password again.

A device that was left signed in isn't enough to take an account over.
"""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec

from croupier import clock
from croupier.accounts.attempts import FailedAttempts
from croupier.accounts.identity import Player
from croupier.accounts.repository import Identities, StoredLogin
from croupier.refusal import Refused
from croupier.runtime.action_log import Actor, log_action
from croupier.runtime.ledger_gateway import LedgerGateway
from croupier.runtime.players.accounts import ATTEMPT_WINDOW_MS, ATTEMPTS_MAX, KEYS_MAX
from croupier.runtime.players.password_hashing import PasswordHashing

T = TypeVar("T")


class ConfirmedActions:
    """Executes actions after a check of the password. Each, also with a wrong one, is in the event log."""

    def __init__(self, gateway: LedgerGateway, identities: Identities, hashing: PasswordHashing) -> None:
        self._gateway = gateway
        self._identities = identities
        self._hashing = hashing
        self._attempts = FailedAttempts(ATTEMPTS_MAX, ATTEMPT_WINDOW_MS, KEYS_MAX)

    async def execute(
        self,
        player: Player,
        password: str,
        action: msgspec.Struct,
        execute: Callable[[StoredLogin], Awaitable[T]],
    ) -> T:
        """Log and execute an action of a player with this password.

        Refuse `no_account` for a guest, `wrong_password`, and `too_many_tries` after too many wrong ones.
        """
        if player.identity.kind != "account":
            raise Refused("no_account")
        self._attempts.count(player.id, clock.now_ms())

        async def checked() -> T:
            return await execute(await self._login(player.id, password))

        result = await log_action(self._gateway, Actor(player.id, "player"), action, checked)
        self._attempts.clear(player.id)
        return result

    async def _login(self, player: str, password: str) -> StoredLogin:
        login = await self._gateway.durable(self._identities.of(player))
        if not await self._hashing.verified(login.password if login else "", password) or login is None:
            raise Refused("wrong_password")
        return login
