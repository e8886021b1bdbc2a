"""Actions of a signed-in player that an existing credential confirms: their password, or a passkey.

A device that was left signed in isn't enough to take an account over, nor is a stolen session.
"""

from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeVar

import msgspec

from croupier.accounts.attempts import Attempt, AttemptLimit
from croupier.accounts.credential_changes import Proof
from croupier.accounts.identity import Player
from croupier.accounts.passkeys import PasskeyOwner, Passkeys, RelyingParty
from croupier.accounts.repository import Identities, StoredLogin
from croupier.action_log import Actor, log_action
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.players.accounts import ATTEMPT_WINDOW_MS, ATTEMPTS_MAX
from croupier.players.limited_attempts import LimitedAttempts
from croupier.players.passkeys.ceremonies import PasskeyCeremonies, load_verification
from croupier.players.password_hashing import PasswordHashing
from croupier.protocol import wire
from croupier.refusal import Refused

T = TypeVar("T")
CONFIRMATION_LIMIT = AttemptLimit("player confirmation", ATTEMPTS_MAX, ATTEMPT_WINDOW_MS)


class ShownCredential(NamedTuple):
    """A password as typed, or a passkey's answer; `party` is the site of the page, None if it has none."""

    password: str
    passkey: wire.PasskeySignIn | None
    party: RelyingParty | None


class ConfirmedActions:
    """Executes actions after a check of a credential. Each, also with a wrong one, is in the event log."""

    def __init__(
        self,
        gateway: LedgerGateway,
        identities: Identities,
        passkeys: Passkeys,
        hashing: PasswordHashing,
        attempts: LimitedAttempts,
    ) -> None:
        self._gateway = gateway
        self._identities = identities
        self._passkeys = passkeys
        self._hashing = hashing
        self._ceremonies = PasskeyCeremonies()
        self._attempts = attempts

    def challenge(self, player: Player, party: RelyingParty) -> wire.PasskeyChallenge:
        """Begin a confirmation with a passkey; refuse `no_account` for a player without one."""
        check_account(player)
        return self._ceremonies.challenge(_purpose(player.id), party)

    async def execute(
        self,
        player: Player,
        shown: ShownCredential,
        action: msgspec.Struct,
        execute: Callable[[Proof], Awaitable[T]],
    ) -> T:
        """Log and execute an action that the account's owner confirms.

        Refuse `no_account` for a guest, `not_confirmed` without a credential, `wrong_password` or
        `passkey_failed` for a wrong one, and `too_many_tries` after too many wrong ones.
        """
        check_account(player)
        if not shown.password and shown.passkey is None:
            raise Refused("not_confirmed")
        tried = Attempt(CONFIRMATION_LIMIT, player.id)
        await self._attempts.count(tried)

        async def confirmed() -> T:
            return await execute(await self._proof(player.id, shown))

        result = await log_action(self._gateway, Actor(player.id, "player"), action, confirmed)
        await self._attempts.clear(tried)
        return result

    async def _proof(self, player: str, shown: ShownCredential) -> Proof:
        if shown.passkey is None:
            return await self._login(player, shown.password)
        found = await self._gateway.durable(self._passkeys.found(shown.passkey.id))
        own = found if found and found.owner == PasskeyOwner("player", player) else None
        await load_verification()
        if shown.party is None:
            raise Refused("passkey_host")
        try:
            return self._ceremonies.used(_purpose(player), shown.passkey, own, shown.party)
        except Refused:
            raise Refused("passkey_failed") from None

    async def _login(self, player: str, password: str) -> StoredLogin:
        login = await self._gateway.durable(self._identities.of(player))
        if not await self._hashing.verified(login.password if login else "", password) or login is None:
            raise Refused("wrong_password")
        return login


def check_account(player: Player) -> None:
    """Refuse `no_account` for a guest, and for a player who signs in elsewhere."""
    if player.identity.kind != "account":
        raise Refused("no_account")


def _purpose(player: str) -> str:
    """Return the purpose of a challenge for a confirmation."""
    return f"confirm {player}"
