"""Exceptions that decoding raises for malformed input."""

import msgspec

MALFORMED = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""RecursionError is raised for deeply nested values."""
