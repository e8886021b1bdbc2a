"""Types of the HTTP APIs for passkeys (WebAuthn). Binary values are in base64url without padding."""

from typing import Annotated

from msgspec import Meta, Struct

from croupier.protocol.wire.base import TypedText

Encoded = Annotated[str, Meta(max_length=4_096, pattern=r"^[A-Za-z0-9_-]*$")]
Attestation = Annotated[str, Meta(max_length=32_768, pattern=r"^[A-Za-z0-9_-]*$")]
PasskeyName = Annotated[str, Meta(max_length=40)]


class PasskeyView(Struct, frozen=True):
    """A passkey, as its owner sees it."""

    id: str
    """Its credential id."""
    name: str
    """Name that its owner gave it, or the browser it was created with."""
    added_ms: int
    """Time of its creation."""
    used_ms: int
    """Time of the last sign-in with it; 0: none yet."""


class PasskeyAccountName(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to prepare a passkey for a new account of that name."""

    name: TypedText
    """E-mail address or user name of the new account."""


class PasskeyCreation(Struct, frozen=True):
    """Parameters for `navigator.credentials.create`. Require a resident key and a verified user."""

    challenge: str
    """Random bytes that the authenticator signs, valid once and for five minutes."""
    rp: str
    """Id of the relying party: the host name that the passkey will belong to."""
    user: str
    """Id of the owner that the authenticator stores."""
    user_name: str
    """Name of the owner that the authenticator shows."""
    known: tuple[str, ...]
    """Ids of the owner's passkeys: an authenticator that has one of them makes no second one."""


class PasskeyChallenge(Struct, frozen=True):
    """Parameters for `navigator.credentials.get`. Require a verified user; list no credentials."""

    challenge: str
    """Random bytes that the authenticator signs, valid once and for five minutes."""
    rp: str
    """Id of the relying party: the host name that the passkeys belong to."""


class NewPasskey(Struct, frozen=True, forbid_unknown_fields=True):
    """Passkey that the browser created."""

    client_data: Encoded
    """`response.clientDataJSON` of the credential."""
    attestation: Attestation
    """`response.attestationObject` of the credential."""
    name: PasskeyName = ""
    """Empty: the server names it after the browser."""


class NewPasskeyAccount(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to make an account of a guest, who signs in with this passkey and without a password."""

    name: TypedText
    """E-mail address or user name; case and the form of letters make no difference."""
    passkey: NewPasskey
    """Passkey for the challenge that was asked for with the same name."""


class PasskeySignIn(Struct, frozen=True, forbid_unknown_fields=True):
    """Answer of a passkey to a challenge."""

    id: Encoded
    """`id` of the credential."""
    client_data: Encoded
    """`response.clientDataJSON` of the credential."""
    authenticator_data: Encoded
    """`response.authenticatorData` of the credential."""
    signature: Encoded
    """`response.signature` of the credential."""
    user: Encoded
    """`response.userHandle` of the credential."""


class Confirmation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Request that the account's owner confirms with an existing credential; a session alone isn't enough."""

    password: TypedText = ""
    """The account's present password; empty: a passkey confirms."""
    passkey: PasskeySignIn | None = None
    """Answer of one of the account's passkeys to a challenge for a confirmation."""


class PasskeyAddition(Confirmation, frozen=True, forbid_unknown_fields=True):
    """Request to add a passkey."""

    new: NewPasskey
    """The passkey that the browser created."""


class PasskeyRemoval(Confirmation, frozen=True, forbid_unknown_fields=True):
    """Request to remove a passkey."""

    id: Encoded
    """Its `id`."""
