"""Types of the HTTP API for accounts."""

from typing import Annotated

from msgspec import Meta, Struct

from croupier.accounts.identity import IdentityKind
from croupier.accounts.responsible_gaming import BreakReason
from croupier.protocol.wire.base import Identifier

TypedText = Annotated[str, Meta(max_length=1_024)]
"""A name or a password as typed; the rules for new ones are stricter."""


class ActiveBreak(Struct, frozen=True):
    """A current break or exclusion, during which the player may not play, chat or deposit."""

    why: BreakReason
    until_ms: int
    """2**53 - 1, the largest exact integer in a browser: permanent."""


class Me(Struct, frozen=True):
    """The signed-in player."""

    player: str
    name: str
    kind: IdentityKind
    """Kind of sign-in: `operator` is a launch, and `oidc` the operator's identity server."""
    account: str
    """Name that the player signs in with, or the id that another site has for them; empty for a guest."""
    has_password: bool
    """True only for accounts that have a password, and not a passkey alone."""
    barred: ActiveBreak | None = None
    """A current break or exclusion: the player can withdraw, but not play."""


class NewAccount(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to make an account of a guest, who keeps balance, history and settings."""

    name: TypedText
    """E-mail address or user name; case and the form of letters make no difference."""
    password: TypedText


class PlayerSignIn(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to sign in to an account."""

    name: TypedText
    password: TypedText


class PasswordChange(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to change the account's password, which signs out its other devices."""

    password: TypedText
    """The present one."""
    new_password: TypedText


class SignedInDevice(Struct, frozen=True):
    """A device that the player is signed in on."""

    id: str
    description: str
    """Browser and system, such as `Chrome on Android`; empty if unknown."""
    signed_in_ms: int
    """Time of the sign-in."""
    seen_ms: int
    """Time of its last use; the present time while it is connected."""
    this: bool
    """True for the device that sends the request."""


class EndDevice(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to sign out one of the player's devices."""

    device: Identifier
    """Its `id`."""


class AccountMail(Struct, frozen=True):
    """The account's e-mail address, by which it can be recovered."""

    address: str
    """The verified address; empty: none."""
    pending: str
    """An address that waits for its link to be opened; empty: none."""


class MailAddressChange(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to verify another address."""

    address: TypedText
    password: TypedText
    """The account's password."""


class MailAddressRemoval(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to remove the account's address."""

    password: TypedText
    """The account's password."""


class MailLink(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to verify an address."""

    token: TypedText
    """The part of the link behind `#`."""


class VerifiedAddress(Struct, frozen=True):
    """An address that was verified."""

    address: str
    account: str
    """Name of its account."""


class RecoveryRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Request for a link to set a new password."""

    name: TypedText
    """Name of the account, or its verified address."""


class PasswordReset(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to set a new password."""

    token: TypedText
    """The part of the link behind `#`."""
    password: TypedText
    """The new one."""
