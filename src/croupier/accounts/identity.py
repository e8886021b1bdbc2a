"""Players, their identities, and the stored form of their sessions' tokens."""

import secrets
from hashlib import sha256
from typing import Literal, NamedTuple

from croupier.accounts.play_time import Stretches
from croupier.refusal import Refused

ACCOUNT_PREFIX = "account-"
"""Prefix of the tokens of accounts; no random token begins with it."""
VISIT_ENDS_MS = 30 * 60 * 1000
"""Time without a connection after which a visit ends."""
IdentityKind = Literal["guest", "account", "operator", "oidc"]
"""`operator`: sent by an operator's server; `oidc`: signed in by its identity server (OpenID Connect)."""
SIGNED_IN_HERE = frozenset[IdentityKind]({"account", "oidc"})
"""Kinds of players who begin a session from the site's own pages, and so can be asked to sign in again."""


class Identity(NamedTuple):
    """The name that identifies a player, unique among those of its kind; a guest has none."""

    kind: IdentityKind
    name: str = ""

    @property
    def shown(self) -> str:
        """The name without the issuer of an identity server's player."""
        return self.name.partition(" ")[2] if self.kind == "oidc" else self.name


GUEST = Identity("guest")


def oidc_identity(issuer: str, subject: str) -> Identity:
    """Return the identity of an issuer's subject; another issuer may use the same subject."""
    return Identity("oidc", f"{issuer} {subject}")


class Player(NamedTuple):
    """A player. `visit_ms`: when the visit began; `stretches`: when they were connected before it."""

    id: str
    name: str
    settings_json: str
    visit_ms: int
    identity: Identity = GUEST
    has_password: bool = False
    stretches: Stretches = ()


class NewGuest(NamedTuple):
    """A guest who is to be created, with the first session.

    `token`: that of the guest's session; `device`: the browser, such as `Chrome on Android`.
    """

    player: str
    name: str
    token: str
    device: str = ""


def new_token() -> str:
    """Return a token with 256 random bits."""
    return secrets.token_urlsafe(32)


def new_account_token() -> str:
    """Return a token that tells an account's device from a guest's once its session has ended."""
    return ACCOUNT_PREFIX + new_token()


def unknown_session(token: str) -> Refused:
    """Return the refusal of a token without a session: an account's device has to sign in again."""
    if token.startswith(ACCOUNT_PREFIX):
        return Refused("signed_out", why="ended")
    return Refused("not_signed_in")


def hash_of(token: str) -> str:
    """Return the stored form of a token."""
    return sha256(token.encode()).hexdigest()
