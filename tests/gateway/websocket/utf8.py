"""Valid and invalid UTF-8 (RFC 3629), with the numbers of the Autobahn test suite."""

from collections.abc import Sequence
from typing import NamedTuple

GREEK = "κόσμε".encode()
PREFIX_OF_INVALID = GREEK, b"\xf4\x90\x80\x80"
"""A valid text, and a character above U+10FFFF."""


class Group(NamedTuple):
    """Texts of one subgroup by number."""

    group: int
    is_valid: bool
    texts: Sequence[tuple[int, bytes]]


def _group(group: int, is_valid: bool, *texts: str, first: int = 1) -> Group:
    """Return a group whose texts are written as hexadecimal digits."""
    return Group(group, is_valid, tuple(enumerate((bytes.fromhex(text) for text in texts), start=first)))


def _prefixes() -> tuple[Group, Group]:
    """Return the prefixes of a text; those that end within a character are invalid."""
    ends = {len("κόσμε"[:count].encode()) for count in range(1, 6)}
    prefixes = [(size, GREEK[:size]) for size in range(1, len(GREEK) + 1)]
    return (
        Group(6, True, [each for each in prefixes if each[0] in ends]),
        Group(6, False, [each for each in prefixes if each[0] not in ends]),
    )


def _lonely_starts() -> Group:
    """Return first bytes of characters, each before a space."""
    ranges = ((0xC0, 0xDF), (0xE0, 0xEF), (0xF0, 0xF7), (0xF8, 0xFB), (0xFC, 0xFD))
    texts = (b" ".join(bytes((byte,)) for byte in range(low, high)) + b" " for low, high in ranges)
    return Group(13, False, tuple(enumerate(texts, start=1)))


def _non_characters() -> Group:
    """Return U+FFFE and U+FFFF of every plane, which are valid UTF-8."""
    texts = (chr(plane << 16 | low).encode() for plane in range(17) for low in (0xFFFE, 0xFFFF))
    return Group(22, True, tuple(enumerate(texts, start=1)))


_CUT = ("c0", "e080", "f08080", "f8808080", "fc80808080", "df", "efbf", "f7bfbf", "fbbfbfbf", "fdbfbfbfbf")
_SURROGATES = ("eda080", "edadbf", "edae80", "edafbf", "edb080", "edbe80", "edbfbf")
UTF8_GROUPS = (
    _group(5, True, "68692468", "6869c2a268", "6869e282ac68", "6869f0a4ada268", GREEK.hex()),
    *_prefixes(),
    _group(7, True, "00", "c280", "e0a080", "f0908080"),
    _group(8, False, "f888808080", "fc8480808080"),
    _group(9, True, "7f", "dfbf", "efbfbf", "f48fbfbf"),
    _group(10, False, "f7bfbfbf", "fbbfbfbfbf", "fdbfbfbfbfbf"),
    _group(11, True, "ed9fbf", "ee8080", "efbfbd", "f48fbfbf"),
    _group(11, False, "f4908080", first=5),
    _group(12, False, "80", "bf", *("80bf" * count for count in (1, 2, 3)), "80bf80", "80bf80bf80"),
    _group(12, False, bytes(range(0x80, 0xC0)).hex(), first=8),
    _lonely_starts(),
    _group(14, False, *_CUT),
    _group(15, False, "".join(_CUT)),
    _group(16, False, "fe", "ff", "fefeffff"),
    _group(17, False, "c0af", "e080af", "f08080af", "f8808080af", "fc80808080af"),
    _group(18, False, "c1bf", "e09fbf", "f08fbfbf", "f887bfbfbf", "fc83bfbfbfbf"),
    _group(19, False, "c080", "e08080", "f0808080", "f880808080", "fc8080808080"),
    _group(20, False, *_SURROGATES),
    _group(21, False, *(high + low for high in _SURROGATES[:4] for low in ("edb080", "edbfbf"))),
    _non_characters(),
    _group(23, True, *(chr(0xFFF9 + offset).encode().hex() for offset in range(7))),
)
