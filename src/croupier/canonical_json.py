"""The one JSON form of a value that is hashed or signed."""

import msgspec

canonical_json = msgspec.json.Encoder(order="deterministic").encode
"""Encode with sorted keys, so that equal values have equal bytes."""
