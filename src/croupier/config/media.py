"""The block `media` of the configuration file: the media server of the dealers' cameras.

Without this block, no table has a camera.
"""

import os
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct

from croupier.config.hls import HLS, ConfiguredHls, read_hls
from croupier.config.ice import ICE_SERVERS_MAX, ConfiguredIce, read_ice
from croupier.config.secrets import read_secret
from croupier.play.tables.toml_blocks import InvalidField, check_known, convert, fields
from croupier.protocol.signatures import Secret

SECRET_VARIABLE = "CROUPIER_MEDIA_SECRET"  # noqa: S105 - a name
"""Environment variable with the secret, if the block names neither a file nor a variable."""
PORT_MAX = 65_535
JANUS_PORT = 8188
FOLDER_CHARACTERS_MAX = 120
"""Leaves room for the files' names: Janus accepts paths of up to 255 characters."""
_URL = 'an address such as "janus://127.0.0.1:8188"'

_read_url = re.compile(r"janus://(127\.0\.0\.1|localhost|\[::1\])(?::([0-9]{1,5}))?/?").fullmatch
"""Only loopback addresses: the connection isn't encrypted, and carries the secret."""


class MediaConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of the block."""

    url: Annotated[str, Meta(max_length=100, description=_URL)]
    """Address of Janus's WebSocket API on this machine."""
    secret_file: str = ""
    """File with the API secret of Janus, relative to the configuration file."""
    secret_env: str = ""
    """Environment variable with the API secret, instead of a file."""
    tables: tuple[str, ...] = ()
    """Live tables that may have a camera; empty: all."""
    recording_folder: Annotated[str, Meta(max_length=FOLDER_CHARACTERS_MAX)] = ""
    """Folder of the recordings, an absolute path; empty: nothing is recorded."""
    recording_days: Annotated[int, Meta(ge=1, le=3650)] = 30
    """Days after which recordings are deleted."""
    ice_servers: Annotated[tuple[str, ...], Meta(max_length=ICE_SERVERS_MAX)] = ()
    """Addresses of STUN and TURN servers that browsers use."""
    turn_secret_file: str = ""
    """File with the secret that the TURN servers share, relative to the configuration file."""
    turn_secret_env: str = ""
    """Environment variable with the secret of the TURN servers, instead of a file."""
    turn_hours: Annotated[int, Meta(ge=1, le=168)] = 12
    """Hours for which a browser's credentials for a TURN server are valid."""


class ConfiguredRecording(NamedTuple):
    """Recording of all dealers on camera. The media server writes into the folder."""

    folder: Path
    days: int


class ConfiguredMedia(NamedTuple):
    """The media server. `tables` empty: all live tables may have a camera.

    `recording` None: nothing is recorded; `hls` None: players watch by WebRTC only.
    """

    host: str
    port: int
    secret: Secret
    tables: tuple[str, ...] = ()
    recording: ConfiguredRecording | None = None
    ice: ConfiguredIce = ConfiguredIce()
    hls: ConfiguredHls | None = None


def read_media(block: Mapping[str, Any], beside: Path) -> ConfiguredMedia:
    """Read the block and the secret that it names; `beside` is the configuration file's folder."""
    check_known(block, (*fields(MediaConfig), HLS))
    config = convert({name: value for name, value in block.items() if name != HLS}, MediaConfig)
    hls = read_hls(block[HLS], beside) if HLS in block else None
    variable = config.secret_env or ("" if config.secret_file else SECRET_VARIABLE)
    ice = read_ice(
        config.ice_servers, config.turn_secret_file, config.turn_secret_env, config.turn_hours, beside
    )
    return _at(config.url, read_secret(config.secret_file, variable, beside, "secret_file"))._replace(
        tables=config.tables, recording=_recording(config), ice=ice, hls=hls
    )


def _recording(config: MediaConfig) -> ConfiguredRecording | None:
    folder = Path(config.recording_folder)
    if not config.recording_folder:
        return None
    if not folder.is_absolute():
        raise InvalidField("recording_folder", "an absolute path, since the media server writes there")
    return ConfiguredRecording(folder, config.recording_days)


def media_at(url: str, configured: ConfiguredMedia | None) -> ConfiguredMedia:
    """Return the configured media server with its address replaced by `url`; without one, a new one.

    Raise InvalidField if the address is malformed, or if a new one has no secret in CROUPIER_MEDIA_SECRET.
    """
    if configured is None:
        if SECRET_VARIABLE not in os.environ:
            raise InvalidField("secret_env", f"put Janus's API secret into {SECRET_VARIABLE}")
        return _at(url, read_secret("", SECRET_VARIABLE, Path(), "secret_env"))
    host, port, secret = _at(url, configured.secret)[:3]
    return configured._replace(host=host, port=port, secret=secret)


def check_media(media: ConfiguredMedia | None, live: Collection[str]) -> None:
    """Raise InvalidField for a table that isn't live."""
    for table in media.tables if media else ():
        if table not in live:
            known = ", ".join(live)
            raise InvalidField("tables", f"no live table is called {table}; there are: {known}")


def _at(url: str, secret: Secret) -> ConfiguredMedia:
    found = _read_url(url)
    if not found or int(found[2] or 1) not in range(1, PORT_MAX + 1):
        raise InvalidField("url", f"allowed is: {_URL}; Janus listens on loopback only")
    _check_ascii(secret)
    return ConfiguredMedia(found[1].strip("[]"), int(found[2] or JANUS_PORT), secret)


def _check_ascii(secret: Secret) -> None:
    try:
        secret.revealed()
    except UnicodeDecodeError:
        raise InvalidField("secret_file", "the secret has characters that aren't ASCII") from None
