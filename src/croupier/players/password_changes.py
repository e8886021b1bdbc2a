"""Changes of a player's password, which sign out their other devices."""

from functools import partial

import msgspec

from croupier import clock
from croupier.accounts import passwords
from croupier.accounts.credential_changes import Proof
from croupier.accounts.devices import NewSession, session_id
from croupier.accounts.identity import Player, new_account_token
from croupier.players.accounts import BegunSession, Caller
from croupier.players.confirmed_actions import ConfirmedActions, ShownCredential
from croupier.players.credential_updates import CredentialUpdates
from croupier.players.password_hashing import PasswordHashing
from croupier.players.sessions import PlayerSessions
from croupier.refusal import Refused


class PlayerPasswordChange(msgspec.Struct, frozen=True, tag_field="t", tag="player_password_change"):
    """Record of a change of password, or of a failed attempt, in the event log."""

    address: str


class PasswordService:
    """Changes passwords, and writes to the verified address of the account."""

    def __init__(
        self,
        credentials: CredentialUpdates,
        sessions: PlayerSessions,
        hashing: PasswordHashing,
        confirmed: ConfirmedActions,
    ) -> None:
        self._credentials = credentials
        self._sessions = sessions
        self._hashing = hashing
        self._confirmed = confirmed

    async def change(self, caller: Caller, player: Player, shown: ShownCredential, new: str) -> BegunSession:
        """Change the password, give this device a new session and sign out the others.

        Refuse `weak_password`, and as `ConfirmedActions.execute` does.
        """
        new = passwords.new_password(new, player.identity.name)
        changing = partial(self._change, caller, player.id, new)
        return await self._confirmed.execute(player, shown, PlayerPasswordChange(caller.address), changing)

    async def _change(self, caller: Caller, player: str, new: str, proof: Proof) -> BegunSession:
        session = NewSession(player, new_account_token(), caller.device)
        stored = await self._hashing.hashed(new)
        written = self._credentials.store.set_password(proof, stored, session, clock.now_ms())
        changed = await self._credentials.done(written)
        here = session_id(caller.token)
        others = [each for each in changed.ended if each.id != here]
        self._sessions.close(others, Refused("signed_out", why="password"))
        return BegunSession(session.token, player, tuple(each for each in changed.ended if each.id == here))
