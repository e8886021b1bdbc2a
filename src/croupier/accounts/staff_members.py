"""Who works in the house: dealers and shift managers, in the ledger's database.

Each function does one small piece of work on a connection of the writer. A member's code is made by the
house, has 80 bits of chance, and is kept only as its hash.
"""

import secrets
import unicodedata
from hashlib import sha256
from sqlite3 import Connection
from typing import Literal, NamedTuple

from croupier.refusal import Refused

Role = Literal["dealer", "manager"]

LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""32 of them, none that is taken for another."""
NAME_MOST = 40


class Member(NamedTuple):
    """`added_ms`: when the name was given to whoever has it now."""

    name: str
    role: Role
    added_ms: int


def new_code() -> str:
    """What a member signs in with: `7KQM-2XWD-H4TP-9RVC`."""
    letters = "".join(secrets.choice(LETTERS) for _ in range(16))
    return "-".join(letters[place : place + 4] for place in range(0, 16, 4))


def _hash(code: str) -> str:
    """Of what was typed: small letters, spaces and missing dashes are the same code."""
    typed = "".join(letter for letter in code.upper() if letter.isalnum())
    return sha256(typed.encode()).hexdigest()


def add(connection: Connection, name: str, role: Role, code: str, now_ms: int) -> None:
    """Refused `staff_name` for what is no name, `staff_exists` for one that somebody has."""
    if name != name.strip() or not 0 < len(name) <= NAME_MOST or not _printable(name):
        raise Refused("staff_name", most=NAME_MOST)
    if any(member.name.casefold() == name.casefold() for member in members(connection)):
        raise Refused("staff_exists", name=name)
    connection.execute(
        "INSERT INTO staff (name, role, code_sha256, added_ms) VALUES (?, ?, ?, ?)",
        (name, role, _hash(code), now_ms),
    )


def _printable(name: str) -> bool:
    """No control characters, nor marks that turn a line around: a name stands in the event log."""
    return not any(unicodedata.category(letter).startswith("C") for letter in name)


def remove(connection: Connection, name: str) -> None:
    """Refused `no_such_staff` when nobody has that name."""
    if not connection.execute("DELETE FROM staff WHERE name = ?", (name,)).rowcount:
        raise Refused("no_such_staff", name=name)


def members(connection: Connection) -> tuple[Member, ...]:
    """Everybody, by name."""
    rows = connection.execute("SELECT name, role, added_ms FROM staff ORDER BY name")
    return tuple(Member(*row) for row in rows)


def known(connection: Connection, name: str, code: str) -> Member | None:
    """The member of that name, if the code is his."""
    row = connection.execute(
        "SELECT name, role, added_ms FROM staff WHERE name = ? AND code_sha256 = ?", (name, _hash(code))
    ).fetchone()
    return Member(*row) if row else None
