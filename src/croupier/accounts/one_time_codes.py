"""One-time codes of an authenticator app (TOTP, RFC 6238): six digits that change every 30 seconds."""

import hmac
from base64 import b32encode
from urllib.parse import quote

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

STEP_MS = 30_000
DIGITS = 6
DRIFT = 1
"""Steps by which the clock of a member's device may differ."""
SECRET_BYTES = 20
ISSUER = "croupier"


def code_at(secret: bytes, step: int) -> str:
    """Return the code of a step. SHA-1 is what all apps support, and its weakness doesn't concern HMAC."""
    codes = TOTP(secret, DIGITS, SHA1(), STEP_MS // 1000)  # noqa: S303
    return codes.generate(step * STEP_MS // 1000).decode()


def step_of(now_ms: int) -> int:
    return now_ms // STEP_MS


def accepted_step(secret: bytes, code: str, now_ms: int, last: int) -> int | None:
    """Return the step of a code as typed; None for a wrong code, or one not after the step `last`.

    Of two equal codes, the later step is returned, so that neither is accepted again.
    """
    typed, now = "".join(code.split()).encode(), step_of(now_ms)
    steps = range(max(last + 1, now - DRIFT, 0), now + DRIFT + 1)
    found = [step for step in steps if hmac.compare_digest(code_at(secret, step).encode(), typed)]
    return found[-1] if found else None


def secret_text(secret: bytes) -> str:
    """Return a secret as it is typed into an app."""
    return b32encode(secret).decode().rstrip("=")


def secret_uri(secret: bytes, name: str) -> str:
    """Return the address that an app opens to add a secret."""
    return f"otpauth://totp/{ISSUER}:{quote(name, safe='')}?secret={secret_text(secret)}&issuer={ISSUER}"
