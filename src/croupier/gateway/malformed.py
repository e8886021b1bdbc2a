"""Malformed input: exceptions that decoding raises, and null characters, which PostgreSQL can't store."""

import re

import msgspec

MALFORMED = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""RecursionError is raised for deeply nested values."""
NULL = "a text has a null character"
ESCAPE = rb"\u0000"
_has_null = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000").search
"""Finds the escape of a null character, but no escaped backslash before `u0000`."""


def reject_null(encoded: bytes) -> None:
    """Raise one of MALFORMED if a text in JSON has a null character."""
    if ESCAPE in encoded and _has_null(encoded):
        raise msgspec.DecodeError(NULL)


def has_null(path: str, query: bytes) -> bool:
    """Return whether a request's decoded path or its query has a null character."""
    return "\0" in path or b"%00" in query
