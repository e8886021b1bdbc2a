"""Posted text as one readable line: no invisible characters, no direction marks, few accents on a letter."""

import re
import unicodedata

MARKS_MAX = 3
"""Accents on one letter: more reach into the lines above and below."""

_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Invisible characters that count as letters or symbols."""
_BLANKS = str.maketrans(dict.fromkeys(_BLANK, " "))
_INVISIBLE = frozenset({"Cc", "Cf", "Cn", "Co", "Cs"})
"""Categories: control, format, unassigned, private use, surrogate."""
_DOTS = str.maketrans({"\u3002": "."})
_ENDINGS = (
    "app|bet|biz|casino|club|co|com|de|eu|gg|info|io|link|live|ly|net|online|org|ru|shop|site|top|tv|uk|vip"
    "|xyz"
)
_ADDRESS = re.compile(
    rf"""://                              # any scheme
    | \bwww\.                             # the usual host
    | \w\.[^\W\d_]{{2,24}}[/:]\w          # a host with a path or a port
    | \w\.(?:{_ENDINGS})\b                # a host that ends like one
    | \w@\w+(?:[\w-]*\.)+\w               # an e-mail address
    | \b\d{{1,3}}(?:\.\d{{1,3}}){{3}}\b   # an IPv4 address
    """,
    re.VERBOSE,
)


def plain(text: str) -> str:
    """Return one line: white space folded and trimmed, invisible characters removed, accents limited."""
    visible = "".join(char for char in _spaced(text) if unicodedata.category(char) not in _INVISIBLE)
    return unicodedata.normalize("NFC", " ".join(_limit_marks(visible).split()))


def has_address(text: str) -> bool:
    """Return whether a part of the text looks like a link, an e-mail address or a host."""
    return _ADDRESS.search(unicodedata.normalize("NFKC", text).casefold().translate(_DOTS)) is not None


def _spaced(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).translate(_BLANKS).split())


def _limit_marks(text: str) -> str:
    kept, marks = [], 0
    for char in text:
        marks = marks + 1 if unicodedata.category(char).startswith("M") else 0
        if marks <= MARKS_MAX:
            kept.append(char)
    return "".join(kept)
