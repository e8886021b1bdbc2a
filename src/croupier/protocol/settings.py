"""The stored form of a player's settings: the JSON of their wire record."""

import msgspec

from croupier.protocol.encoding import encode
from croupier.protocol.wire import Settings

_decode = msgspec.json.Decoder(Settings).decode


def settings_text(settings: Settings) -> str:
    return encode(settings).decode()


def read_settings(text: str) -> Settings:
    return _decode(text)
