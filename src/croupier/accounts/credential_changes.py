"""Changes of the ways in which a player signs in to an account, or recovers it.

A session alone changes none of them: an existing credential confirms each change, and is checked again in the
transaction of the change. Withdrawals are held for a day after it.
"""

from collections.abc import Collection
from concurrent.futures import Future
from typing import Literal, NamedTuple, Protocol

from croupier.accounts.devices import EndedSession, NewSession, PlayerDevice
from croupier.accounts.mail_addresses import MailToken, Recipient
from croupier.accounts.passkeys import Passkey, PasskeyUse
from croupier.accounts.repository import StoredLogin

Proof = StoredLogin | PasskeyUse
"""The credential with which a player confirms a change: a password by its hash, or a use of a passkey."""
ChangeKind = Literal[
    "password", "reset", "passkey_added", "passkey_removed", "address_verified", "address_removed"
]


class ChangedAccount(NamedTuple):
    """A change that was made: the verified address after it, the one that it removed, and ended sessions."""

    what: ChangeKind
    at_ms: int
    address: Recipient | None = None
    former_address: Recipient | None = None
    ended: tuple[EndedSession, ...] = ()


class AccountAccess(NamedTuple):
    """Everything that signs in to an account besides its password."""

    passkeys: tuple[Passkey, ...]
    devices: tuple[PlayerDevice, ...]


class CredentialChanges(Protocol):
    """Each change is one transaction with the check of its proof, and its time is recorded.

    Refuse `wrong_password` or `passkey_failed` for a proof that is no longer valid. Except for a new passkey,
    links that were sent before end.
    """

    def add_passkey(self, proof: Proof, passkey: Passkey) -> Future[ChangedAccount]:
        """Add a passkey; refuse `passkey_failed` if its id is known, `too_many_passkeys` after so many."""

    def remove_passkey(self, proof: Proof, player: str, passkey: str, now_ms: int) -> Future[ChangedAccount]:
        """Remove a passkey.

        Refuse `no_such_passkey`, or `last_passkey` where the player couldn't sign in any more.
        """

    def set_password(
        self, proof: Proof, password: str, session: NewSession, now_ms: int
    ) -> Future[ChangedAccount]:
        """Replace the hash of the password, and all of the player's sessions by this one."""

    def add_address_token(self, proof: Proof, token: MailToken, now_ms: int) -> Future[None]:
        """Store the token of a link that verifies an address, in place of the player's earlier one."""

    def remove_address(self, proof: Proof, player: str, now_ms: int) -> Future[ChangedAccount]:
        """Remove the address, if there is one."""

    def verify_address(self, token: str, now_ms: int) -> Future[ChangedAccount]:
        """Use a token up: its address becomes the player's verified one.

        Refuse `link_expired` for a token that isn't valid, `address_taken` if another player has the address.
        """

    def access(self, player: str) -> Future[AccountAccess]:
        """Return what signs in to an account."""

    def reset(
        self, token: str, password: str, kept_passkeys: Collection[str], now_ms: int
    ) -> Future[ChangedAccount]:
        """Use a token up: set the hash of the password, end all sessions and remove all other passkeys.

        Refuse `link_expired` for a token that isn't valid.
        """
