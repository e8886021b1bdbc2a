"""Launch tokens: JSON Web Tokens with which an operator's players arrive."""

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey
from msgspec import ValidationError, convert, to_builtins

from croupier.protocol.signatures import Secret
from croupier.protocol.wire.launches import Launch
from croupier.refusal import Refused

ALGORITHM = "HS256"
AUDIENCE = "croupier-launch"
PURPOSE = b"launch token"


def launch_token(secret: Secret, launch: Launch, now_s: int, lifetime_s: int) -> str:
    """Return a token that can be used until its lifetime has passed."""
    claims = {"aud": AUDIENCE, "iat": now_s, "exp": now_s + lifetime_s, "launch": to_builtins(launch)}
    return jwt.encode({"alg": ALGORITHM}, claims, _key(secret), algorithms=[ALGORITHM])


def read_launch(secret: Secret, token: str, now_s: int) -> Launch:
    """Return a token's launch; refuse `wrong_launch` if it is forged or malformed, or has expired."""
    checks = jwt.JWTClaimsRegistry(
        now=now_s,
        aud={"essential": True, "value": AUDIENCE},
        exp={"essential": True},
        launch={"essential": True},
    )
    try:
        claims = jwt.decode(token, _key(secret), algorithms=[ALGORITHM]).claims
        checks.validate(claims)
        return convert(claims["launch"], Launch)
    except (JoseError, ValidationError, ValueError):
        raise Refused("wrong_launch") from None


def _key(secret: Secret) -> OctKey:
    return OctKey.import_key(secret.derived(PURPOSE))
