"""The block `media.hls` of the configuration file: the dealers' pictures by HLS, for many viewers.

Without it, players watch by WebRTC only.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlsplit

from msgspec import Meta, Struct

from croupier.config.secrets import read_secret
from croupier.play.tables.toml_blocks import InvalidField, check_known, convert, fields
from croupier.protocol.signatures import Secret

HLS = "hls"
HLS_SECRET_VARIABLE = "CROUPIER_HLS_SECRET"  # noqa: S105 - a name
"""Environment variable with the secret of the addresses, if the block names neither a file nor a variable."""
_URL = 'an address such as "https://streams.example/hls"'


class HlsConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of the block."""

    folder: Annotated[str, Meta(min_length=1, max_length=200)]
    """Folder of the streams, an absolute path, and of no other server."""
    url: Annotated[
        str, Meta(pattern=r"^(https?://[^\s/?#]+[^\s?#]*)?$", max_length=200, description=_URL)
    ] = ""
    """Address of nginx or a CDN that serves the folder; empty: this server does."""
    secret_file: str = ""
    """File with the secret that signs the addresses, relative to the configuration file."""
    secret_env: str = ""
    """Environment variable with that secret, instead of a file."""
    webrtc_viewers_max: Annotated[int, Meta(ge=0, le=100_000)] = 150
    """Pictures of this server's tables that are watched by WebRTC at a time; others use HLS. 0: all do."""
    video_delay_ms: Annotated[int, Meta(ge=0, le=10_000)] = 0
    """Milliseconds by which results are shown later to players who watch by HLS."""


class ConfiguredHls(NamedTuple):
    """The streams. `secret` is None if this server serves them itself."""

    config: HlsConfig
    secret: Secret | None = None

    @property
    def folder(self) -> Path:
        return Path(self.config.folder)

    @property
    def origin(self) -> str:
        """The origin of the addresses; empty: that of the pages."""
        url = urlsplit(self.config.url)
        return f"{url.scheme}://{url.netloc}" if url.netloc else ""


def read_hls(block: Any, beside: Path) -> ConfiguredHls:
    """Read the block and the secret that it names; `beside` is the configuration file's folder."""
    if not isinstance(block, Mapping):
        raise InvalidField(HLS, "write [media.hls] above the fields of the streams")
    try:
        return _read(block, beside)
    except InvalidField as error:
        raise InvalidField(error.field, str(error), inside=HLS) from None


def _read(block: Mapping[str, Any], beside: Path) -> ConfiguredHls:
    check_known(block, fields(HlsConfig))
    config = convert(block, HlsConfig)
    if not Path(config.folder).is_absolute():
        raise InvalidField("folder", "an absolute path, since another server may read it")
    if not config.url:
        return ConfiguredHls(config)
    variable = config.secret_env or ("" if config.secret_file else HLS_SECRET_VARIABLE)
    return ConfiguredHls(config, read_secret(config.secret_file, variable, beside, "secret_file"))
