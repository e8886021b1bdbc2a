"""The e-mail address of an account, which a link sent to it verifies."""

from functools import partial

import msgspec

from croupier import clock
from croupier.accounts.attempts import FailedAttempts
from croupier.accounts.identity import Player, new_token
from croupier.accounts.mail_addresses import (
    AddressStatus,
    MailAddresses,
    MailToken,
    Recipient,
    mail_address,
)
from croupier.accounts.repository import StoredLogin
from croupier.runtime.ledger_gateway import LedgerGateway
from croupier.runtime.mail.messages import VERIFICATION
from croupier.runtime.mail.outbox import Outbox
from croupier.runtime.players.accounts import KEYS_MAX, Caller
from croupier.runtime.players.confirmed_actions import ConfirmedActions

MESSAGES_MAX, MESSAGES_IN_MS = 5, 3_600_000
"""Messages to one address, and at the request of one player."""


class PlayerAddressChange(msgspec.Struct, frozen=True, tag_field="t", tag="player_mail_address"):
    """Record of a request to verify another address, in the event log."""

    address: str
    """The network address that the request came from."""


class PlayerAddressRemoval(msgspec.Struct, frozen=True, tag_field="t", tag="player_mail_address_removed"):
    """Record of the removal of an address, in the event log."""

    address: str
    """The network address that the request came from."""


class MailAddressService:
    """An address can recover an account, so its change needs the password."""

    def __init__(
        self, gateway: LedgerGateway, addresses: MailAddresses, confirmed: ConfirmedActions, outbox: Outbox
    ) -> None:
        self._gateway = gateway
        self._addresses = addresses
        self._confirmed = confirmed
        self._outbox = outbox
        self._messages = FailedAttempts(MESSAGES_MAX, MESSAGES_IN_MS, KEYS_MAX)

    async def status(self, player: str) -> AddressStatus:
        return await self._gateway.durable(self._addresses.status(player, clock.now_ms()))

    async def change(self, caller: Caller, player: Player, password: str, typed: str) -> None:
        """Send a link to an address, which becomes the player's when the link is opened."""
        self._outbox.check_offered()
        address = mail_address(typed)
        adding = partial(self._send_link, player, address)
        await self._confirmed.execute(player, password, PlayerAddressChange(caller.address), adding)

    async def verify(self, token: str) -> Recipient:
        """Make an address its player's, by the token that was sent to it."""
        return await self._gateway.durable(self._addresses.verify(token, clock.now_ms()))

    async def remove(self, caller: Caller, player: Player, password: str) -> None:
        async def remove(_: StoredLogin) -> None:
            await self._gateway.durable(self._addresses.remove(player.id, clock.now_ms()))

        await self._confirmed.execute(player, password, PlayerAddressRemoval(caller.address), remove)

    async def _send_link(self, player: Player, address: str, _: StoredLogin) -> None:
        now, token = clock.now_ms(), new_token()
        for key in (player.id, address):
            self._messages.count(key, now)
        stored = self._addresses.add_token(MailToken(token, player.id, "verify", address), now)
        await self._gateway.durable(stored)
        recipient = Recipient(player.id, player.identity.name, address)
        self._outbox.start(self._outbox.send(VERIFICATION, recipient, token))
