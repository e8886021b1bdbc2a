"""Devices that a player is signed in on. Each has a session; its token's hash never leaves the store."""

import re
from typing import NamedTuple

from croupier.accounts.identity import hash_of

ID_LENGTH = 16
BROWSERS = (
    ("Edge", r"Edg(e|A|iOS)?/"),
    ("Opera", r"OPR/|Opera"),
    ("Samsung Internet", r"SamsungBrowser/"),
    ("Firefox", r"Firefox/|FxiOS/"),
    ("Chrome", r"Chrom(e|ium)/|CriOS/"),
    ("Safari", r"Safari/"),
)
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("ChromeOS", "CrOS"),
    ("Windows", "Windows"),
    ("macOS", "Macintosh|Mac OS X"),
    ("Linux", "Linux|X11"),
)
"""Names and patterns, in the order in which they are tried: most browsers also claim to be others."""


class NewSession(NamedTuple):
    """A session to store: `device` is its browser, such as `Chrome on Android`."""

    player: str
    token: str
    device: str


class EndedSession(NamedTuple):
    """A session that was deleted, by the id that is shown."""

    player: str
    id: str


class PlayerDevice(NamedTuple):
    """A session as its player sees it. Times are 0 if they weren't recorded."""

    id: str
    description: str
    signed_in_ms: int
    seen_ms: int


def session_id(token: str) -> str:
    """Return the id of a token's session that may be shown."""
    return hash_of(token)[:ID_LENGTH]


def described(user_agent: str) -> str:
    """Return a browser's name and system from its `User-Agent`; empty if it names neither."""
    return " on ".join(filter(None, (_first(BROWSERS, user_agent), _first(SYSTEMS, user_agent))))


def _first(patterns: tuple[tuple[str, str], ...], text: str) -> str:
    return next((name for name, pattern in patterns if re.search(pattern, text)), "")
