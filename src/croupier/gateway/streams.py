"""HTTP API of the dealers' pictures by HLS: their addresses, and the files if no other server serves them."""

import asyncio

from litestar import Response, get, post
from litestar.exceptions import NotFoundException

from croupier.accounts.devices import session_id
from croupier.accounts.identity import Player
from croupier.gateway.cameras import CAMERA
from croupier.gateway.http_request import HttpRequest, caller_of
from croupier.gateway.server import Server
from croupier.protocol import wire
from croupier.video.cameras import Viewer

TYPES = {
    ".m3u8": "application/vnd.apple.mpegurl",
    ".m4s": "video/iso.segment",
    ".mp4": "video/mp4",
}
SEGMENT = "private, max-age=60, immutable"
PLAYLIST = "no-cache"


@post(
    "/camera/stream",
    status_code=200,
    opt=CAMERA,
)
async def stream_address(
    request: HttpRequest, server: Server, player: Player, data: wire.WatchStream
) -> wire.StreamAddress:
    """Return the address of a dealer's picture by HLS, whose table the browser's session has open."""
    session = session_id(caller_of(request).token)
    return await server.pictures.stream(Viewer(player.id, session, data.table))


@get("/streams/{stream:str}/{name:str}", include_in_schema=False, opt={"rate": "stream"})
async def stream_file(
    request: HttpRequest, server: Server, player: Player, stream: str, name: str
) -> Response[bytes]:
    """Serve a playlist or segment, as long as the browser's session has the table open."""
    path = server.streams.file(player.id, session_id(caller_of(request).token), stream, name)
    try:
        content = await asyncio.to_thread(path.read_bytes)
    except FileNotFoundError:
        raise NotFoundException from None
    keep = PLAYLIST if path.suffix == ".m3u8" else SEGMENT
    return Response(content, media_type=TYPES[path.suffix], headers={"Cache-Control": keep})
