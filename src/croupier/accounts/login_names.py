"""Names that players sign in with: e-mail addresses and user names."""

import re
import unicodedata

from croupier.refusal import Refused

NAME_MIN, NAME_MAX = 3, 254
"""The longest e-mail address has 254 characters (RFC 5321)."""
_is_address = re.compile(r"[^@]+@[^@.]+(\.[^@.]+)+").fullmatch


def normalised(name: str) -> str:
    """Return the form in which a name is stored and compared: NFKC, without case or outer spaces.

    One pass isn't always enough: folding the case of some letters leaves them unnormalised.
    """
    while (folded := _folded(name)) != name:
        name = folded
    return name


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).strip()


def login_name(typed: str) -> str:
    """Return a new account's name, normalised; refuse `login_name` for an unusable one."""
    name = normalised(typed)
    if not NAME_MIN <= len(name) <= NAME_MAX or not _visible(name) or not _known_form(name):
        raise Refused("login_name", least=NAME_MIN, most=NAME_MAX)
    return name


def is_address(name: str) -> bool:
    """Return whether a name is an e-mail address, to which mail can be sent."""
    return name.isascii() and _is_address(name) is not None


def _known_form(name: str) -> bool:
    return "@" not in name or is_address(name)


def _visible(name: str) -> bool:
    """Return whether a name has no spaces, control characters or direction marks."""
    return not any(unicodedata.category(letter)[0] in "CZ" for letter in name)
