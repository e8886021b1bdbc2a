"""Types of the staff HTTP API for sign-in and enrolment."""

from typing import Annotated

from msgspec import Meta, Struct

from croupier.protocol.wire import NewPasskey, PasskeyCreation


class SignIn(Struct, frozen=True, forbid_unknown_fields=True):
    """Name and code of a member of staff: a one-time code, or the code that stays the same."""

    name: Annotated[str, Meta(max_length=80)]
    code: Annotated[str, Meta(max_length=80)]


class SignInMethods(Struct, frozen=True):
    """Ways in which members sign in."""

    one_time: bool
    """With one-time codes, after an enrolment; otherwise with a code that stays the same."""


class StartEnrolment(Struct, frozen=True, forbid_unknown_fields=True):
    """Name and enrolment code of a member who sets up how they sign in."""

    name: Annotated[str, Meta(max_length=80)]
    code: Annotated[str, Meta(max_length=80)]


class EnrolmentOffer(Struct, frozen=True):
    """Parameters for an authenticator app and for a passkey; the member sets up one of them."""

    secret: str
    """Secret of the app, in base32."""
    uri: str
    """The secret as an address that apps open."""
    passkey: PasskeyCreation | None
    """Null: pages at this address can't have passkeys."""


class EnrolAuthenticator(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to sign in with an authenticator app from now on."""

    enrolment: StartEnrolment
    """The enrolment, as it was started."""
    one_time_code: Annotated[str, Meta(max_length=20)]
    """Code that the app shows."""


class EnrolPasskey(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to sign in with a passkey from now on."""

    enrolment: StartEnrolment
    """The enrolment, as it was started."""
    passkey: NewPasskey
    """Passkey that the browser created."""
