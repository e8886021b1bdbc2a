"""Requests of the dealer's page about its camera."""

from typing import Literal

from msgspec import Struct

from croupier.protocol.wire import CameraState, Identifier, SessionDescription

StaffCamera = CameraState | Literal["none", "unavailable"]
"""`none`: the table has no camera; `unavailable`: the media server doesn't answer."""


class PublishCamera(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to show a dealer's camera at a table, instead of any other."""

    table: Identifier
    sdp: SessionDescription
    """The browser's offer, without ICE candidates."""


class CameraAnswer(Struct, frozen=True):
    """The media server's answer."""

    sdp: str
    """The answer to the browser's offer."""


class StopPublishing(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to end the picture of a table."""

    table: Identifier


class CameraStarted(Struct, frozen=True, tag_field="t", tag="camera_on"):
    """Note of the event log: a dealer's camera was switched on. The offer isn't recorded."""


class CameraStopped(Struct, frozen=True, tag_field="t", tag="camera_off"):
    """Note of the event log: a dealer's camera was switched off."""
