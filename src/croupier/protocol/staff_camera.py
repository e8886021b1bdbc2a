"""Requests of the dealer's page about its camera."""

from typing import Literal

from msgspec import Struct

from croupier.protocol.wire import CameraState, CameraView, IceServer, Identifier, SessionDescription

StaffCamera = CameraState | Literal["none", "unavailable"]
"""`none`: the table has no camera; `unavailable`: the media server doesn't answer."""


class PublishCamera(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to show a camera at a table, instead of any other of the same view."""

    table: Identifier
    sdp: SessionDescription
    """The browser's offer, without ICE candidates."""
    view: CameraView = "dealer"
    """The dealer, or the table's equipment."""


class CameraAnswer(Struct, frozen=True):
    """The media server's answer."""

    sdp: str
    """The answer to the browser's offer."""
    ice_servers: tuple[IceServer, ...] = ()
    """Servers through which the browser may reach the media server if it can't directly."""


class StopPublishing(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to end the picture of a table."""

    table: Identifier
    view: CameraView = "dealer"
    """The dealer, or the table's equipment."""


class CameraStarted(Struct, frozen=True, omit_defaults=True, tag_field="t", tag="camera_on"):
    """Note of the event log: a camera was switched on. The offer isn't recorded."""

    view: CameraView = "dealer"


class CameraStopped(Struct, frozen=True, omit_defaults=True, tag_field="t", tag="camera_off"):
    """Note of the event log: a camera was switched off."""

    view: CameraView = "dealer"
