"""Passkeys of players and staff (WebAuthn). Only their ids and public keys are stored, nothing secret."""

import unicodedata
from collections.abc import Sequence
from concurrent.futures import Future
from hashlib import sha256
from typing import Literal, NamedTuple, Protocol

from croupier.accounts.devices import EndedSession, NewSession
from croupier.accounts.identity import Identity

PASSKEYS_MAX = 10
"""Passkeys of one player or member of staff."""
DEFAULT_NAME = "Passkey"


class PasskeyOwner(NamedTuple):
    """A player by id, or a member of staff by name."""

    kind: Literal["player", "staff"]
    id: str

    @property
    def handle(self) -> bytes:
        """The id that authenticators store, which reveals no name."""
        return sha256(f"{self.kind}:{self.id}".encode()).digest()


class Passkey(NamedTuple):
    """A stored passkey. `id` and `public_key` are in base64url; `used_ms` is 0 until the first sign-in."""

    id: str
    owner: PasskeyOwner
    public_key: str
    sign_count: int
    name: str
    added_ms: int
    used_ms: int = 0


class PasskeyUse(NamedTuple):
    """A verified sign-in with a passkey; `sign_count` is the authenticator's new count."""

    passkey: str
    owner: PasskeyOwner
    sign_count: int


class RelyingParty(NamedTuple):
    """The site that passkeys belong to: its host name, and the origin of the page that uses them."""

    id: str
    origin: str


def passkey_name(typed: str, device: str) -> str:
    """Return a passkey's name: as typed, or that of the browser it was made with."""
    visible = "".join(letter for letter in typed if unicodedata.category(letter)[0] != "C")
    return visible.strip() or device or DEFAULT_NAME


class Passkeys(Protocol):
    """The passkeys of players and staff. Futures are as those of the other repositories."""

    def found(self, passkey: str) -> Future[Passkey | None]:
        """Return the passkey with this id."""

    def of(self, owner: PasskeyOwner) -> Future[tuple[Passkey, ...]]:
        """Return an owner's passkeys, the newest first."""

    def use(self, use: PasskeyUse, now_ms: int) -> Future[None]:
        """Record a use; refuse `wrong_sign_in` if the passkey is gone or its count isn't higher."""

    def add_account(
        self, identity: Identity, passkey: Passkey, session: NewSession
    ) -> Future[tuple[EndedSession, ...]]:
        """Do as `Identities.add` does, without a password but with this passkey."""

    def begin_session(
        self, use: PasskeyUse, session: NewSession, ended: str, now_ms: int
    ) -> Future[tuple[EndedSession, ...]]:
        """Record a use, begin a session and end that of the token `ended`, if there is one."""


def known_ids(passkeys: Sequence[Passkey]) -> tuple[str, ...]:
    return tuple(passkey.id for passkey in passkeys)
