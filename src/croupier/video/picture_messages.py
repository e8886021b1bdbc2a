"""Requests about dealers' pictures that a player's node sends to the table's owner, and the replies."""

from typing import Any

import msgspec
from msgspec import Struct

from croupier.dealing.nodes.seat_messages import ACCEPTED, SeatRefusal
from croupier.protocol import wire
from croupier.video.cameras import Viewer


def pictures_subject(node: str) -> str:
    """Return the subject of requests to the owner of live tables."""
    return f"pictures.{node}"


class WatchPicture(Struct, array_like=True, frozen=True, tag="watch"):
    """Begin to watch; the reply has the offer."""

    viewer: Viewer


class FindStream(Struct, array_like=True, frozen=True, tag="stream"):
    """Ask for the address of a stream by HLS; the reply has it."""

    viewer: Viewer


class AnswerPicture(Struct, array_like=True, frozen=True, tag="answer"):
    player: str
    order: wire.AnswerCamera


class ChoosePictureLayer(Struct, array_like=True, frozen=True, tag="layer"):
    player: str
    order: wire.ChooseLayer


class ReportPicture(Struct, array_like=True, frozen=True, tag="shown"):
    player: str
    order: wire.ReportFirstPicture


class StopPicture(Struct, array_like=True, frozen=True, tag="stop"):
    player: str
    order: wire.StopCamera


WatchRequest = AnswerPicture | ChoosePictureLayer | ReportPicture | StopPicture
"""A request about a picture that the player watches."""
PictureRequest = WatchPicture | FindStream | WatchRequest


class PictureReply(Struct, array_like=True, frozen=True):
    """The outcome, with what was asked for."""

    outcome: SeatRefusal = ACCEPTED
    offer: wire.CameraOffer | None = None
    address: wire.StreamAddress | None = None


decode_request: Any = msgspec.msgpack.Decoder(PictureRequest).decode
decode_reply = msgspec.msgpack.Decoder(PictureReply).decode
