"""Types of the HTTP API for players whom an operator's identity server signs in (OpenID Connect)."""

from typing import Annotated

from msgspec import Meta, Struct


class IdentityServerPage(Struct, frozen=True):
    """The address of the identity server's page to which the browser goes."""

    url: str


class IdentityServerAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to begin a session: the parameters with which the identity server sent the browser back."""

    state: Annotated[str, Meta(max_length=100)]
    code: Annotated[str, Meta(max_length=4_096)] = ""
    error: Annotated[str, Meta(max_length=200)] = ""
    """Code of an error, such as `access_denied`, instead of `code`."""
    iss: Annotated[str, Meta(max_length=500)] = ""
    """Issuer, if the identity server names it (RFC 9207)."""
