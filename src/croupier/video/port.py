"""The port of a media server: it takes a dealer's picture and voice, and passes them on to watching players.

Only the game server speaks to it. Offers and answers are session descriptions (SDP) of browsers and of the
media server. A `table` here is the name of a picture, see `picture_name`: a table may have a second camera.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from croupier.protocol.wire import CameraState, CameraView, PictureLayer

OnChange = Callable[[str, CameraState], None]
"""Called with a table and the new state of its camera."""


EQUIPMENT = "/equipment"


def picture_name(table: str, view: CameraView) -> str:
    """Return the name of a picture at the media server: the table's id for its dealer."""
    return table if view == "dealer" else table + EQUIPMENT


def picture_view(name: str) -> tuple[str, CameraView]:
    """Return the table and the view of a picture's name."""
    return (name.removesuffix(EQUIPMENT), "equipment") if name.endswith(EQUIPMENT) else (name, "dealer")


class MediaUnavailable(Exception):
    """The media server doesn't answer, or refuses a request that it should accept."""


class Offer(NamedTuple):
    """A watcher at the media server, and the offer that its browser answers."""

    watcher: int
    sdp: str


OPUS, H264 = 111, 96
"""RTP payload types of what is forwarded."""


class ForwardPorts(NamedTuple):
    """UDP ports of loopback to which a picture is forwarded; the next port of each is for RTCP."""

    voice: int
    layers: Mapping[PictureLayer, int]


class Media(Protocol):
    """A media server. Its methods raise MediaUnavailable if it can't do what they ask for."""

    @property
    def available(self) -> bool:
        """True while it can be reached."""
        ...

    def start(self, changed: OnChange, available_changed: Callable[[], None]) -> None:
        """Connect, and keep the connection; `changed` follows the cameras, which are off at first."""
        ...

    async def close(self) -> None: ...

    async def publish(self, table: str, offer: str) -> str:
        """Let a dealer's browser send a picture, instead of any earlier one; return the answer."""
        ...

    async def unpublish(self, table: str) -> None:
        """End the picture of a table, if there is one."""
        ...

    async def record(self, table: str, file: str) -> None:
        """Record the dealer of a table into files whose names begin with `file`; empty: no longer."""
        ...

    async def refresh(self, table: str) -> None:
        """Ask the dealer's browser for a complete picture, at which a recording can be cut."""
        ...

    async def forward(self, table: str, ports: ForwardPorts) -> None:
        """Send the picture of a table to ports of this machine as well, until it ends."""
        ...

    def sent_layers(self, table: str) -> frozenset[PictureLayer]:
        """Return the layers that the dealer's browser sends now."""
        ...

    async def watch(self, table: str) -> Offer:
        """Let a browser receive the picture of a table."""
        ...

    async def answer(self, watcher: int, sdp: str, layer: PictureLayer) -> None:
        """Start the picture of a watcher, in a layer."""
        ...

    async def choose(self, watcher: int, layer: PictureLayer) -> None:
        """Change the layer of a watcher."""
        ...

    async def stop(self, watcher: int) -> None:
        """End a watcher's picture, if it hasn't ended."""
        ...
