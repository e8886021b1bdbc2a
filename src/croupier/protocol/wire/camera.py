"""Types of the dealer's camera: a message of the WebSocket, and the HTTP API by which a player watches it.

Offers and answers are session descriptions (SDP) of WebRTC. A browser answers the server's offer without ICE
candidates of its own: the media server learns the browser's address from its connectivity checks.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.protocol.wire.base import Identifier, ServerMessage

CameraState = Literal["off", "on", "interrupted"]
CameraView = Literal["dealer", "equipment"]
"""`equipment`: a second camera, such as one above the wheel."""
PictureLayer = Literal["high", "medium", "low", "audio"]
SDP_CHARACTERS_MAX = 24_000
FIRST_PICTURE_MS_MAX = 60_000
SessionDescription = Annotated[str, Meta(min_length=1, max_length=SDP_CHARACTERS_MAX)]
WatchId = Annotated[str, Meta(min_length=1, max_length=40)]


class EquipmentCamera(Struct, frozen=True):
    """State of the camera that shows a table's equipment."""

    state: CameraState
    """`interrupted`: nothing is sent at present; the picture continues when something is."""
    picture: int
    """Number of the picture. Another number is another picture, which has to be watched anew."""


class CameraUpdate(ServerMessage, frozen=True, tag="camera"):
    """State of the camera of a live table. A table without a camera sends none."""

    table: str
    state: CameraState
    """`interrupted`: the dealer's browser sends nothing; the picture continues when it does."""
    picture: int
    """Number of the picture. Another number is another picture, which has to be watched anew."""
    equipment: EquipmentCamera | None = None
    """The camera of the table's equipment; null: it is off."""
    stream: int = 0
    """Number of the dealer's picture by HLS; 0: there is none. Another number has another address."""
    video_delay_ms: int = 0
    """Delay with which a client shows results to a player who watches by HLS."""


class WatchStream(Struct, frozen=True, forbid_unknown_fields=True):
    """Request for the address of a table's stream. The table must be open in this browser's session."""

    table: Identifier


class StreamAddress(Struct, frozen=True):
    """Address of a stream by HLS. Its playlists and segments are valid as long as the address."""

    url: str
    """Address of the playlist of the qualities. `voice.m3u8` beside it has only the voice."""
    valid_ms: int
    """Time after which a new address has to be requested; 0: never."""


class WatchCamera(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to watch the dealer of a table that is open in this browser's session, or its equipment."""

    table: Identifier
    view: CameraView = "dealer"
    """The dealer, or the table's equipment."""


class IceServer(Struct, frozen=True):
    """STUN or TURN servers, as `RTCPeerConnection` takes them."""

    urls: tuple[str, ...]
    username: str = ""
    """For TURN servers: the time when the credential expires, in Unix time, and its owner."""
    credential: str = ""
    """For TURN servers: the password of this user name."""


class CameraOffer(Struct, frozen=True):
    """The offer of the media server. A later one for the same table replaces it."""

    watch: str
    """Id of the picture, for further requests."""
    sdp: str
    """The offer, to be answered at once and without ICE candidates."""
    ice_servers: tuple[IceServer, ...] = ()
    """Servers through which the browser may reach the media server if it can't directly."""


class AnswerCamera(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to start the picture: the browser's answer to the offer."""

    watch: WatchId
    """Id of the picture, from the offer."""
    sdp: SessionDescription
    """The browser's answer."""
    layer: PictureLayer
    """720, 360 or 180 lines with the dealer's voice, or the voice only."""


class ChooseLayer(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to change the layer of the picture."""

    watch: WatchId
    """Id of the picture, from the offer."""
    layer: PictureLayer
    """720, 360 or 180 lines with the dealer's voice, or the voice only."""


class ReportFirstPicture(Struct, frozen=True, forbid_unknown_fields=True):
    """Report of the time from the request to watch until the first picture, once for each picture."""

    watch: WatchId
    """Id of the picture, from the offer."""
    waited_ms: Annotated[int, Meta(ge=0, le=FIRST_PICTURE_MS_MAX)]
    """Milliseconds."""


class StopCamera(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to end the picture."""

    watch: WatchId
    """Id of the picture, from the offer."""
