"""What somebody typed as one line that can only be read: nothing in it hides, turns or piles up."""

import re
import unicodedata

MARKS_MOST = 3
"""Accents on one letter: more of them climb over the lines above and below."""

_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Signs without ink that count as letters or symbols."""
_BLANKS = str.maketrans(dict.fromkeys(_BLANK, " "))
_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs"})
"""Controls, marks of direction and joining, and what is no character (any more, or yet)."""
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
    | \w@\w+(?:[\w-]*\.)+\w               # a letter box
    | \b\d{{1,3}}(?:\.\d{{1,3}}){{3}}\b   # a host's number
    """,
    re.VERBOSE,
)


def plain(text: str) -> str:
    """One line: white space folded and trimmed, what can't be seen taken out, few marks on each letter."""
    seen = "".join(sign for sign in _spaced(text) if unicodedata.category(sign) not in _UNSEEN)
    return unicodedata.normalize("NFC", " ".join(_few_marks(seen).split()))


def has_address(text: str) -> bool:
    """Whether something in it looks like a link, a letter box or a host."""
    return _ADDRESS.search(unicodedata.normalize("NFKC", text).casefold().translate(_DOTS)) is not None


def _spaced(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).translate(_BLANKS).split())


def _few_marks(text: str) -> str:
    kept, marks = [], 0
    for sign in text:
        marks = marks + 1 if unicodedata.category(sign).startswith("M") else 0
        if marks <= MARKS_MOST:
            kept.append(sign)
    return "".join(kept)
