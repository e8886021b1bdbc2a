"""The stored form of a player's settings: the JSON of their wire record."""

from functools import lru_cache

import msgspec

from croupier.protocol.encoding import encode
from croupier.protocol.wire import Settings

_decode = msgspec.json.Decoder(Settings).decode


def settings_text(settings: Settings) -> str:
    return encode(settings).decode()


@lru_cache
def read_settings(text: str) -> Settings:
    """Return stored settings. Most players have the same ones, so they share a record."""
    return _decode(text)
