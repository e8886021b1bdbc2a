"""Rules and argon2id hashes of passwords."""

import secrets
import unicodedata
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from croupier.accounts.login_names import normalised
from croupier.refusal import Refused

PASSWORD_MIN, PASSWORD_MAX = 8, 128
_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""OWASP's parameters: 19 MiB, two passes, one lane."""


def new_password(typed: str, name: str) -> str:
    """Return a new password, normalised as for hashing.

    Refuse `weak_password` if it is too short or too long, or equals the name.
    """
    password = _spelled(typed)
    if not PASSWORD_MIN <= len(password) <= PASSWORD_MAX or normalised(password) == name:
        raise Refused("weak_password", least=PASSWORD_MIN, most=PASSWORD_MAX)
    return password


def hashed(password: str) -> str:
    """Return the hash of a password; this takes 20 ms of processor time."""
    return _hasher.hash(_spelled(password))


def verified(stored: str, password: str) -> bool:
    """True if a password has this hash. It takes the same time if `stored` is empty."""
    decoy = _decoy()
    try:
        _hasher.verify(stored or decoy, _spelled(password))
    except (VerificationError, InvalidHashError):
        return False
    return bool(stored)


def is_outdated(stored: str) -> bool:
    """True if a hash was made with parameters other than the current ones."""
    return _hasher.check_needs_rehash(stored)


def _spelled(password: str) -> str:
    """Normalise a password, so that it doesn't depend on the keyboard on which it was typed."""
    return unicodedata.normalize("NFKC", password)


@cache
def _decoy() -> str:
    """Return a hash that no password has."""
    return _hasher.hash(secrets.token_urlsafe(32))
