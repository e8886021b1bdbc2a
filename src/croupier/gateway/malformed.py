"""Exceptions that decoding raises for malformed input."""

import msgspec

MALFORMED = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""The last is for values nested deeper than the decoder follows."""
