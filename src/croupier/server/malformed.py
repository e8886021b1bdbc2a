"""What decoding raises for text from outside that isn't what it should be."""

import msgspec

MALFORMED = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""The last is for values nested deeper than the decoder follows."""
