"""The fields of Janus's messages that are used here, of the many that they have."""

from msgspec import Struct


class Description(Struct, frozen=True):
    """A session description: an offer or an answer."""

    type: str
    sdp: str


class CreatedId(Struct, frozen=True):
    """The id of a session or a handle that was created."""

    id: int = 0


class JanusError(Struct, frozen=True):
    """An error of Janus itself, such as a wrong secret or an unknown handle."""

    code: int
    reason: str = ""


class RoomStream(Struct, frozen=True):
    """A stream of a watcher. `mid` names it in the session description."""

    mid: str
    type: str


class RoomAnswer(Struct, frozen=True):
    """The answer of the VideoRoom plugin; `error_code` 0: it did as asked."""

    videoroom: str = ""
    error_code: int = 0
    error: str = ""
    streams: tuple[RoomStream, ...] = ()


class PluginAnswer(Struct, frozen=True):
    """A message of a plugin."""

    data: RoomAnswer


class JanusMessage(Struct, frozen=True):
    """A response or an event. `sender` is the handle that it is about; 0: none."""

    janus: str
    transaction: str = ""
    sender: int = 0
    data: CreatedId = CreatedId()
    error: JanusError | None = None
    plugindata: PluginAnswer | None = None
    jsep: Description | None = None
    type: str = ""
    mid: str = ""
    substream: int = 0
    receiving: bool = False

    @property
    def room(self) -> RoomAnswer:
        return self.plugindata.data if self.plugindata else RoomAnswer()
