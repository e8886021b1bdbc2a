"""Dealers' cameras: only a dealer who has the table's page open is on camera."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import TypeVar

from msgspec import Struct

from croupier.accounts.staff_members import Member
from croupier.protocol.staff_camera import (
    CameraAnswer,
    CameraStarted,
    CameraStopped,
    PublishCamera,
    StaffCamera,
    StopPublishing,
)
from croupier.refusal import Refused
from croupier.runtime.action_log import Actor, LogLocation, log_action
from croupier.runtime.server import Server
from croupier.staff.dealer_presence import AWAY_AFTER_S
from croupier.staff.rights import ANY_ROLE, DEALERS, require_role

T = TypeVar("T")


class DealerCameras:
    """Publishes for dealers, and ends the picture of one who has left the page.

    `dealers` returns the names of the dealers who have a table's page open.
    """

    def __init__(self, server: Server, dealers: Callable[[str], Collection[str]]) -> None:
        self._server = server
        self._cameras = server.cameras
        self._dealers = dealers
        self._on_camera: dict[str, str] = {}
        """The name of the dealer who published last, by table."""
        self._tasks: set[asyncio.Task[None]] = set()

    def state(self, table: str) -> StaffCamera:
        """Return the state of a table's camera, as the staff's page shows it."""
        if table not in self._cameras:
            return "none"
        return self._cameras.state(table) if self._cameras.available else "unavailable"

    async def publish(self, member: Member, order: PublishCamera) -> CameraAnswer:
        """Put a dealer on camera."""
        work = partial(self._publish, member, order)
        return CameraAnswer(await self._logged(member, order.table, CameraStarted(), work))

    async def stop(self, member: Member, order: StopPublishing) -> None:
        """End the picture of a table: a dealer their own, a manager any."""
        await self._logged(member, order.table, CameraStopped(), partial(self._stop, member, order.table))

    def dealer_left(self, table: str) -> None:
        """End the picture after a grace period, unless its dealer is back on the page by then."""
        if table in self._on_camera:
            asyncio.get_running_loop().call_later(AWAY_AFTER_S, self._end_if_away, table)

    async def _logged(self, member: Member, table: str, note: Struct, work: Callable[[], Awaitable[T]]) -> T:
        """Execute and log an action; forbidden and refused ones are logged too."""
        if table not in self._server.live:
            raise Refused("no_such_table", table=table)
        location = LogLocation(table, self._server.live[table].state.round)
        return await log_action(self._server.gateway, Actor(member.name, member.role), note, work, location)

    async def _publish(self, member: Member, order: PublishCamera) -> str:
        require_role(member, DEALERS)
        if self._server.live[order.table].dealer == "automatic":
            raise Refused("automatic_dealer")
        if member.name not in self._dealers(order.table):
            raise Refused("not_on_duty", table=order.table)
        self._on_camera[order.table] = member.name
        answer = await self._cameras.publish(order.table, order.sdp)
        self._end_if_away(order.table)  # the dealer may have left meanwhile
        return answer

    async def _stop(self, member: Member, table: str) -> None:
        require_role(member, ANY_ROLE)
        if member.role == "dealer" and self._on_camera.get(table) != member.name:
            raise Refused("not_on_duty", table=table)
        await self._end(table)

    def _end_if_away(self, table: str) -> None:
        if table in self._on_camera and self._on_camera[table] not in self._dealers(table):
            task = asyncio.create_task(self._end_quietly(table))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _end_quietly(self, table: str) -> None:
        try:
            await self._end(table)
        except Refused:  # the media server is gone, and the picture with it
            return

    async def _end(self, table: str) -> None:
        self._on_camera.pop(table, None)
        await self._cameras.unpublish(table)
