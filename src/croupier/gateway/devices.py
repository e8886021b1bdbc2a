"""HTTP API of the devices that a player is signed in on."""

from litestar import get, post

from croupier.accounts.devices import session_id
from croupier.accounts.identity import Player
from croupier.gateway.http_request import BARRED_TOO, HttpRequest, caller_of
from croupier.gateway.server import Server
from croupier.protocol import wire

Devices = list[wire.SignedInDevice]


async def _page(request: HttpRequest, server: Server, player: Player) -> Devices:
    here = session_id(caller_of(request).token)
    return [
        wire.SignedInDevice(*device, this=device.id == here)
        for device in await server.devices.list(player.id)
    ]


@get("/account/devices")
async def devices(request: HttpRequest, server: Server, player: Player) -> Devices:
    """Return the devices that the player is signed in on, most recently used first."""
    return await _page(request, server, player)


@post("/account/devices/end", status_code=200, opt=BARRED_TOO)
async def end_device(request: HttpRequest, server: Server, player: Player, data: wire.EndDevice) -> Devices:
    """Sign out one of the player's devices, and close its sockets; return those that are left."""
    await server.devices.end(player.id, data.device)
    return await _page(request, server, player)


@post("/account/devices/end-others", status_code=200, opt=BARRED_TOO)
async def end_other_devices(request: HttpRequest, server: Server, player: Player) -> Devices:
    """Sign out all of the player's devices but this one, and close their sockets."""
    await server.devices.end_others(player.id, caller_of(request).token)
    return await _page(request, server, player)


DEVICE_HANDLERS = (devices, end_device, end_other_devices)
