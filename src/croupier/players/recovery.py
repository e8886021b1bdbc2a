"""Recovery of an account whose password is forgotten, by a link to its verified e-mail address.

A request is answered before it is looked up, so neither the answer nor its time tells who has an account.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import TypeVar

import msgspec

from croupier import clock
from croupier.accounts import passwords
from croupier.accounts.attempts import Attempt, AttemptLimit, FailedAttempts
from croupier.accounts.credential_changes import AccountAccess, ChangedAccount
from croupier.accounts.identity import new_token
from croupier.accounts.login_names import normalised
from croupier.accounts.mail_addresses import MailAddresses, MailToken, Recipient
from croupier.action_log import Actor, log_action
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.players.accounts import Caller
from croupier.players.credential_updates import CredentialUpdates
from croupier.players.limited_attempts import LimitedAttempts
from croupier.players.mail.messages import RECOVERY
from croupier.players.mail.outbox import Outbox
from croupier.players.password_hashing import PasswordHashing
from croupier.players.sessions import PlayerSessions
from croupier.refusal import Refused

T = TypeVar("T")

MESSAGES_MAX, MESSAGES_IN_MS = 3, 3_600_000
"""Requests for one name, and messages to one player."""
MESSAGE_LIMIT = AttemptLimit("recovery", MESSAGES_MAX, MESSAGES_IN_MS)
REQUESTED_NAMES_MAX = 20_000
"""Typed names that are remembered: they only save work, since messages are counted by player."""
ANSWERED_S = 0.1
"""The work on a request begins so long after its answer."""


class PlayerRecoveryRequest(msgspec.Struct, frozen=True, tag_field="t", tag="player_recovery_request"):
    """Record of a link that is sent, in the event log."""

    address: str
    """The network address that the request came from."""


class PlayerPasswordReset(msgspec.Struct, frozen=True, tag_field="t", tag="player_password_reset"):
    """Record of a password that is set by a link, in the event log."""

    address: str
    """The network address that the request came from."""


class RecoveryService:
    """Sends links, and sets the password of the player who follows one."""

    def __init__(
        self,
        gateway: LedgerGateway,
        addresses: MailAddresses,
        credentials: CredentialUpdates,
        sessions: PlayerSessions,
        hashing: PasswordHashing,
        outbox: Outbox,
        attempts: LimitedAttempts,
    ) -> None:
        self._gateway = gateway
        self._addresses = addresses
        self._credentials = credentials
        self._sessions = sessions
        self._hashing = hashing
        self._outbox = outbox
        self._requests = FailedAttempts(MESSAGES_MAX, MESSAGES_IN_MS, REQUESTED_NAMES_MAX)
        self._attempts = attempts

    def request(self, caller: Caller, typed: str) -> None:
        """Send a link to whoever has this name or verified address; `typed` may be nobody's.

        Refuse `mail_not_offered`, and `too_many_tries` for a name that was typed too often.
        """
        self._outbox.check_offered()
        name = normalised(typed)
        self._requests.count(name, clock.now_ms())
        self._outbox.start(self._send_links(caller, name))

    async def account(self, token: str) -> tuple[Recipient, AccountAccess]:
        """Return a token's owner, with everything that signs in to their account; refuse `link_expired`."""
        owner = await self._owner(token)
        return owner, await self._gateway.durable(self._credentials.store.access(owner.player))

    async def reset(self, caller: Caller, token: str, password: str, kept_passkeys: Collection[str]) -> None:
        """Set the password of a token's owner, sign out all devices and remove the other passkeys.

        Refuse `link_expired` for a token that isn't valid.
        """
        owner = await self._owner(token)
        stored = await self._hashing.hashed(passwords.new_password(password, owner.account))

        async def reset() -> ChangedAccount:
            written = self._credentials.store.reset(token, stored, kept_passkeys, clock.now_ms())
            return await self._credentials.done(written)

        changed = await self._log(owner, PlayerPasswordReset(caller.address), reset)
        self._sessions.close(changed.ended, Refused("signed_out", why="password"))

    async def _owner(self, token: str) -> Recipient:
        owner = await self._gateway.durable(self._addresses.owner(token, "reset", clock.now_ms()))
        if owner is None:
            raise Refused("link_expired")
        return owner

    async def _log(self, owner: Recipient, action: msgspec.Struct, execute: Callable[[], Awaitable[T]]) -> T:
        return await log_action(self._gateway, Actor(owner.player, "player"), action, execute)

    async def _send_links(self, caller: Caller, name: str) -> None:
        await asyncio.sleep(ANSWERED_S)
        for recipient in await self._gateway.durable(self._addresses.recipients(name)):
            with suppress(Refused):
                await self._attempts.count(Attempt(MESSAGE_LIMIT, recipient.player))
                await self._send_link(caller, recipient)

    async def _send_link(self, caller: Caller, recipient: Recipient) -> None:
        token = new_token()

        async def store() -> None:
            stored = MailToken(token, recipient.player, "reset", recipient.address)
            await self._gateway.durable(self._addresses.add_token(stored, clock.now_ms()))

        await self._log(recipient, PlayerRecoveryRequest(caller.address), store)
        await self._outbox.send(RECOVERY, recipient, token)
