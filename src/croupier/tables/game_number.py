"""Ids and game numbers of rounds. A number is an id in the form that people read, so it names one round.

An id is `r`, the Unix time in ms (12 hexadecimal digits) and a random part (7). Its game number is the time
of day in GMT at which the round began (003 Game Number), and the rest of the id in Crockford's base 32: the
day, the millisecond and the random part, 50 bits together.
"""

import re
from functools import lru_cache

RANDOM_BITS = 25
_DAY_BITS, _MS_BITS = 15, 10
_DAY_MS = 24 * 3_600_000
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: without I, L, O and U, which are mistaken for 1, 0 and V."""
_VALUES = {letter: value for value, letter in enumerate(_ALPHABET)} | {"I": 1, "L": 1, "O": 0}
_GROUP = 5
"""Letters in each of a number's two groups."""
_ID = re.compile(r"r([0-9a-f]{12})(?:([0-9a-f]{7})|[0-9a-f]{10})")
"""Version 0.1 made a longer random part, of 10 digits."""
_NUMBER = re.compile(r"#?([01]\d|2[0-3]):([0-5]\d):([0-5]\d)[\s-]*([0-9A-TV-Z]{5})[\s-]*([0-9A-TV-Z]{5})")


def round_id(began_ms: int, random: int) -> str:
    """Return the id of a round that begins now, made unique by a random number of RANDOM_BITS bits."""
    return f"r{began_ms:012x}{random:07x}"


@lru_cache(maxsize=64)
def game_number(round_: str) -> str:
    """Return a round's game number, such as `#21:10:10-MT6J0-4KX7R`.

    Rounds of version 0.1 have the time alone. ValueError for an id that `round_id` didn't make.
    """
    parts = _ID.fullmatch(round_)
    if parts is None:
        raise ValueError(f"{round_!r} isn't the id of a round")
    day, of_day_ms = divmod(int(parts[1], 16), _DAY_MS)
    seconds, ms = divmod(of_day_ms, 1000)
    time = f"#{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    if parts[2] is None:
        return time
    date = (day % (1 << _DAY_BITS)) << _MS_BITS | ms
    code = _base32(date << RANDOM_BITS | int(parts[2], 16))
    return f"{time}-{code[:_GROUP]}-{code[_GROUP:]}"


def time_of(number: str) -> str:
    """Return the time in a game number, which doesn't tell which round it was."""
    return number.partition("-")[0]


def round_of_number(text: str) -> str | None:
    """Return the id of the round that a typed game number names; None for another text."""
    parts = _NUMBER.fullmatch(text.strip().upper())
    if parts is None:
        return None
    hours, minutes, seconds, first, last = parts.groups()
    rest = 0
    for letter in first + last:
        rest = rest << 5 | _VALUES[letter]
    day, ms = divmod(rest >> RANDOM_BITS, 1 << _MS_BITS)
    of_day_ms = ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + ms
    return round_id(day * _DAY_MS + of_day_ms, rest & ((1 << RANDOM_BITS) - 1))


def _base32(value: int) -> str:
    """Return 50 bits in ten letters."""
    return "".join(_ALPHABET[value >> shift & 31] for shift in range(45, -1, -5))
