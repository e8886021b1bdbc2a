"""Players, and the stored form of their sessions' tokens."""

from hashlib import sha256
from typing import NamedTuple

VISIT_ENDS_MS = 30 * 60 * 1000
"""A visit ends after so long in which the player wasn't seen."""


class Player(NamedTuple):
    """`visit_ms`: when this visit began."""

    id: str
    name: str
    settings_json: str
    visit_ms: int


class NewGuest(NamedTuple):
    """`token`: that of the guest's session."""

    player: str
    name: str
    token: str


def hash_of(token: str) -> str:
    """Return the stored form of a session's token."""
    return sha256(token.encode()).hexdigest()
