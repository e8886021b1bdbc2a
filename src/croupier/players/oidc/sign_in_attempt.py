"""A sign-in that was begun here and waits for the browser's return from the identity server."""

import secrets
from dataclasses import dataclass, field

VERIFIER_BYTES = 48


@dataclass(frozen=True, slots=True)
class SignInAttempt:
    """A sign-in at the identity server that has begun.

    `browser` is the hash of the session's token, which only one browser has.

    `nonce` comes back in the ID token. `verifier` is the secret of PKCE: the code alone gets no token.
    """

    browser: str
    redirect_uri: str
    nonce: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(VERIFIER_BYTES), repr=False)
