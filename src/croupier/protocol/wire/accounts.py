"""Types of the HTTP API for accounts."""

from msgspec import Struct

from croupier.accounts.identity import IdentityKind
from croupier.accounts.responsible_gaming import BreakReason
from croupier.protocol.wire.base import Identifier, TypedText
from croupier.protocol.wire.passkeys import Confirmation, Encoded, PasskeyView


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


class PasswordChange(Confirmation, frozen=True, forbid_unknown_fields=True):
    """Request to change the account's password, which signs out its other devices."""

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


class MailAddressChange(Confirmation, frozen=True, forbid_unknown_fields=True):
    """Request to verify another address."""

    address: TypedText


class MailAddressRemoval(Confirmation, frozen=True, forbid_unknown_fields=True):
    """Request to remove the account's address."""


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


class RecoveryLink(Struct, frozen=True, forbid_unknown_fields=True):
    """Request for what the account of a link can be used with."""

    token: TypedText
    """The part of the link behind `#`."""


class RecoveredAccount(Struct, frozen=True):
    """An account that is being recovered, with all that signs in to it."""

    account: str
    """Name that the player signs in with."""
    passkeys: tuple[PasskeyView, ...]
    """Newest first. The reset removes those that aren't kept."""
    devices: tuple[SignedInDevice, ...]
    """Most recently used first. The reset signs out all of them."""


class PasswordReset(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to set a new password, which removes the other credentials and signs out all devices."""

    token: TypedText
    """The part of the link behind `#`."""
    password: TypedText
    """The new one."""
    kept_passkeys: tuple[Encoded, ...] = ()
    """Ids of the passkeys that stay; all others are removed."""
