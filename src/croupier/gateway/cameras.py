"""HTTP API of the dealers' cameras: a player's browser and the media server exchange session descriptions."""

from litestar import post

from croupier.accounts.devices import session_id
from croupier.accounts.identity import Player
from croupier.gateway.http_request import HttpRequest, caller_of
from croupier.gateway.server import Server
from croupier.protocol import wire
from croupier.video.cameras import Viewer
from croupier.video.picture_messages import (
    AnswerPicture,
    ChoosePictureLayer,
    ReportPicture,
    StopPicture,
)

CAMERA = {"rate": "camera"}
"""Rate limit of these routes."""


@post("/camera/watch", status_code=200, opt=CAMERA)
async def watch_camera(
    request: HttpRequest, server: Server, player: Player, data: wire.WatchCamera
) -> wire.CameraOffer:
    """Begin to watch a table that the browser's session has open, its dealer or equipment; return the offer.

    The picture stops when the session no longer has the table open.
    """
    session = session_id(caller_of(request).token)
    return await server.pictures.watch(Viewer(player.id, session, data.table, data.view))


@post("/camera/answer", status_code=204, opt=CAMERA)
async def answer_camera(server: Server, player: Player, data: wire.AnswerCamera) -> None:
    """Start the picture with the browser's answer."""
    await server.pictures.change(AnswerPicture(player.id, data))


@post("/camera/layer", status_code=204, opt=CAMERA)
async def choose_layer(server: Server, player: Player, data: wire.ChooseLayer) -> None:
    """Change the layer of the picture."""
    await server.pictures.change(ChoosePictureLayer(player.id, data))


@post("/camera/shown", status_code=204, opt=CAMERA)
async def picture_shown(server: Server, player: Player, data: wire.ReportFirstPicture) -> None:
    """Report that the first picture is shown. Only the first report of a picture counts."""
    await server.pictures.change(ReportPicture(player.id, data))


@post("/camera/stop", status_code=204, opt=CAMERA)
async def stop_camera(server: Server, player: Player, data: wire.StopCamera) -> None:
    """End the picture."""
    await server.pictures.change(StopPicture(player.id, data))


CAMERA_HANDLERS = (watch_camera, answer_camera, choose_layer, picture_shown, stop_camera)
