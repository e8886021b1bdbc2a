"""Fields of the block `media` about ICE servers: STUN and TURN, for browsers in strict networks."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from croupier.config.secrets import read_secret
from croupier.play.tables.toml_blocks import InvalidField
from croupier.protocol.signatures import Secret

ICE_SERVERS_MAX = 8
_URL = '"stun:HOST:PORT", "turn:HOST:PORT?transport=udp" or "turns:HOST:PORT?transport=tcp"'

_is_url = re.compile(
    r"(stuns?|turns?)"
    r":([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])"
    r"(:[0-9]{1,5})?"
    r"(\?transport=(udp|tcp))?"
).fullmatch


class ConfiguredIce(NamedTuple):
    """The ICE servers of browsers. `turn_secret` None: none of them is a TURN server."""

    urls: tuple[str, ...] = ()
    turn_secret: Secret | None = None
    turn_hours: int = 12


def read_ice(
    urls: Sequence[str], secret_file: str, secret_env: str, hours: int, beside: Path
) -> ConfiguredIce:
    """Check the addresses, and read the secret that TURN servers need; `beside` is the file's folder."""
    for url in urls:
        if not _is_url(url) or (url.startswith("stun") and "?" in url):
            raise InvalidField("ice_servers", f"{url} isn't an address such as {_URL}")
    named = bool(secret_file or secret_env)
    if named != any(is_turn(url) for url in urls):
        raise InvalidField("turn_secret_file", "TURN servers need a secret, and only they have one")
    secret = read_secret(secret_file, secret_env, beside, "turn_secret_file") if named else None
    return ConfiguredIce(tuple(urls), secret, hours)


def is_turn(url: str) -> bool:
    return url.startswith("turn")
