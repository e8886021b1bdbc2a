"""The e-mail address of an account, which a link sent to it verifies."""

from functools import partial

import msgspec

from croupier import clock
from croupier.accounts.attempts import Attempt, AttemptLimit
from croupier.accounts.credential_changes import Proof
from croupier.accounts.identity import Player, new_token
from croupier.accounts.mail_addresses import (
    AddressStatus,
    MailAddresses,
    MailToken,
    Recipient,
    mail_address,
)
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.players.accounts import Caller
from croupier.players.confirmed_actions import ConfirmedActions, ShownCredential
from croupier.players.credential_updates import CredentialUpdates
from croupier.players.limited_attempts import LimitedAttempts
from croupier.players.mail.messages import VERIFICATION
from croupier.players.mail.outbox import Outbox

MESSAGES_MAX, MESSAGES_IN_MS = 5, 3_600_000
"""Messages to one address, and at the request of one player."""
MESSAGE_LIMIT = AttemptLimit("verification", MESSAGES_MAX, MESSAGES_IN_MS)


class PlayerAddressChange(msgspec.Struct, frozen=True, tag_field="t", tag="player_mail_address"):
    """Record of a request to verify another address, in the event log."""

    address: str
    """The network address that the request came from."""


class PlayerAddressRemoval(msgspec.Struct, frozen=True, tag_field="t", tag="player_mail_address_removed"):
    """Record of the removal of an address, in the event log."""

    address: str
    """The network address that the request came from."""


class MailAddressService:
    """An address can recover an account, so its owner confirms each change."""

    def __init__(
        self,
        gateway: LedgerGateway,
        addresses: MailAddresses,
        credentials: CredentialUpdates,
        confirmed: ConfirmedActions,
        outbox: Outbox,
        attempts: LimitedAttempts,
    ) -> None:
        self._gateway = gateway
        self._addresses = addresses
        self._credentials = credentials
        self._confirmed = confirmed
        self._outbox = outbox
        self._attempts = attempts

    async def status(self, player: str) -> AddressStatus:
        return await self._gateway.durable(self._addresses.status(player, clock.now_ms()))

    async def change(self, caller: Caller, player: Player, shown: ShownCredential, typed: str) -> None:
        """Send a link to an address, which becomes the player's when the link is opened."""
        self._outbox.check_offered()
        address = mail_address(typed)
        adding = partial(self._send_link, player, address)
        await self._confirmed.execute(player, shown, PlayerAddressChange(caller.address), adding)

    async def verify(self, token: str) -> Recipient:
        """Make an address its player's, by the token that was sent to it."""
        verified = self._credentials.store.verify_address(token, clock.now_ms())
        changed = await self._credentials.done(verified)
        assert changed.address is not None, "an address was verified"
        return changed.address

    async def remove(self, caller: Caller, player: Player, shown: ShownCredential) -> None:
        async def remove(proof: Proof) -> None:
            removed = self._credentials.store.remove_address(proof, player.id, clock.now_ms())
            await self._credentials.done(removed)

        await self._confirmed.execute(player, shown, PlayerAddressRemoval(caller.address), remove)

    async def _send_link(self, player: Player, address: str, proof: Proof) -> None:
        now, token = clock.now_ms(), new_token()
        await self._attempts.count(*(Attempt(MESSAGE_LIMIT, key) for key in (player.id, address)))
        sent = MailToken(token, player.id, "verify", address)
        await self._gateway.durable(self._credentials.store.add_address_token(proof, sent, now))
        recipient = Recipient(player.id, player.identity.name, address)
        self._outbox.start(self._outbox.send(VERIFICATION, recipient, token))
