"""Changes of a player's password, which sign out their other devices."""

from functools import partial

import msgspec

from croupier import clock
from croupier.accounts import passwords
from croupier.accounts.devices import NewSession, session_id
from croupier.accounts.identity import Player, new_account_token
from croupier.accounts.mail_addresses import MailAddresses
from croupier.accounts.repository import Identities, StoredLogin
from croupier.refusal import Refused
from croupier.runtime.ledger_gateway import LedgerGateway
from croupier.runtime.mail.messages import PASSWORD_CHANGED
from croupier.runtime.mail.outbox import Outbox
from croupier.runtime.players.accounts import BegunSession, Caller
from croupier.runtime.players.confirmed_actions import ConfirmedActions
from croupier.runtime.players.password_hashing import PasswordHashing
from croupier.runtime.players.sessions import PlayerSessions


class PlayerPasswordChange(msgspec.Struct, frozen=True, tag_field="t", tag="player_password_change"):
    """Record of a change of password, or of a failed attempt, in the event log."""

    address: str


class PasswordService:
    """Changes passwords, and writes to the verified address of the account."""

    def __init__(
        self,
        gateway: LedgerGateway,
        identities: Identities,
        addresses: MailAddresses,
        sessions: PlayerSessions,
        hashing: PasswordHashing,
        confirmed: ConfirmedActions,
        outbox: Outbox,
    ) -> None:
        self._gateway = gateway
        self._identities = identities
        self._addresses = addresses
        self._sessions = sessions
        self._hashing = hashing
        self._confirmed = confirmed
        self._outbox = outbox

    async def change(self, caller: Caller, player: Player, password: str, new: str) -> BegunSession:
        """Change the password, give this device a new session and sign out the others.

        Refuse `weak_password`, and as `ConfirmedActions.execute` does.
        """
        new = passwords.new_password(new, player.identity.name)
        changing = partial(self._change, caller, new)
        action = PlayerPasswordChange(caller.address)
        begun = await self._confirmed.execute(player, password, action, changing)
        self._outbox.start(self._notify(player.id))
        return begun

    async def _change(self, caller: Caller, new: str, login: StoredLogin) -> BegunSession:
        session = NewSession(login.player, new_account_token(), caller.device)
        stored = await self._hashing.hashed(new)
        changed = self._identities.change_password(login, stored, session, clock.now_ms())
        ended, here = await self._gateway.durable(changed), session_id(caller.token)
        others = [each for each in ended if each.id != here]
        self._sessions.close(others, Refused("signed_out", why="password"))
        return BegunSession(session.token, login.player, tuple(each for each in ended if each.id == here))

    async def _notify(self, player: str) -> None:
        if recipient := await self._gateway.durable(self._addresses.of(player)):
            await self._outbox.send(PASSWORD_CHANGED, recipient)
