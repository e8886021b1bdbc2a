"""Staff members: dealers and shift managers.

A member signs in with a code that the server makes. It has 80 random bits, and only its hash is stored.
"""

import secrets
import unicodedata
from hashlib import sha256
from typing import Literal, NamedTuple

from croupier.refusal import Refused

Role = Literal["dealer", "manager"]

LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""32 letters and digits, none easily taken for another."""
NAME_MAX = 40


class Member(NamedTuple):
    """A member of staff.

    `added_ms`: when the name was given to its present holder.
    """

    name: str
    role: Role
    added_ms: int


def new_code() -> str:
    """Return a new code, such as `7KQM-2XWD-H4TP-9RVC`."""
    letters = "".join(secrets.choice(LETTERS) for _ in range(16))
    return "-".join(letters[place : place + 4] for place in range(0, 16, 4))


def hash_of_code(code: str) -> str:
    """Return the stored form of a code as typed: case, spaces and dashes make no difference."""
    typed = "".join(letter for letter in code.upper() if letter.isalnum())
    return sha256(typed.encode()).hexdigest()


def check_name(name: str) -> None:
    """Refuse `staff_name` for a name that is empty, too long, padded or not printable."""
    if name != name.strip() or not 0 < len(name) <= NAME_MAX or not _printable(name):
        raise Refused("staff_name", most=NAME_MAX)


def _printable(name: str) -> bool:
    """Return whether the event log can show the name: no control or direction marks."""
    return not any(unicodedata.category(letter).startswith("C") for letter in name)
