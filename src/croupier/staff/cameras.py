"""Cameras of staff who have the table's page open: the dealer's, and the one that shows its equipment."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import TypeVar

from msgspec import Struct

from croupier.accounts.staff_members import Member, Role
from croupier.action_log import Actor, LogLocation, log_action
from croupier.gateway.server import Server
from croupier.protocol.staff_camera import (
    CameraAnswer,
    CameraStarted,
    CameraStopped,
    PublishCamera,
    StaffCamera,
    StopPublishing,
)
from croupier.protocol.wire import CameraView
from croupier.refusal import Refused
from croupier.staff.dealer_presence import AWAY_AFTER_S
from croupier.staff.rights import ANY_ROLE, DEALERS, require_role

T = TypeVar("T")

PUBLISHERS: dict[CameraView, tuple[Role, ...]] = {"dealer": DEALERS, "equipment": ANY_ROLE}
"""A manager's page beside the equipment doesn't count as a dealer's presence."""


class StaffCameras:
    """Publishes for staff, and ends the picture of a member who has left the page.

    `present` returns the names of the members of some roles who have a table's page open.
    """

    def __init__(self, server: Server, present: Callable[[str, tuple[Role, ...]], Collection[str]]) -> None:
        self._server = server
        self._cameras = server.cameras
        self._present = present
        self._on_camera: dict[tuple[str, CameraView], str] = {}
        """The name of the member who published last, by table and view."""
        self._tasks: set[asyncio.Task[None]] = set()
        server.live_tables.watch(self._end_lost)

    def state(self, table: str, view: CameraView = "dealer") -> StaffCamera:
        """Return the state of a camera of a table, as the staff's page shows it."""
        if table not in self._cameras:
            return "none"
        return self._cameras.state(table, view) if self._cameras.available else "unavailable"

    async def publish(self, member: Member, order: PublishCamera) -> CameraAnswer:
        """Show a picture: a dealer their own, any member the equipment's."""
        work = partial(self._publish, member, order)
        sdp = await self._logged(member, order.table, CameraStarted(order.view), work)
        return CameraAnswer(sdp, self._cameras.ice.of(member.name))

    async def stop(self, member: Member, order: StopPublishing) -> None:
        """End a picture of a table: a dealer their own, a manager any."""
        work = partial(self._stop, member, order.table, order.view)
        await self._logged(member, order.table, CameraStopped(order.view), work)

    def member_left(self, table: str) -> None:
        """End each picture after a grace period, unless its member is back on the page by then."""
        for view in PUBLISHERS:
            if (table, view) in self._on_camera:
                asyncio.get_running_loop().call_later(AWAY_AFTER_S, self._end_if_away, table, view)

    async def _logged(self, member: Member, table: str, note: Struct, work: Callable[[], Awaitable[T]]) -> T:
        """Execute and log an action; forbidden and refused ones are logged too."""
        if table not in self._server.live:
            raise Refused("no_such_table", table=table)
        location = LogLocation(table, self._server.live[table].state.round)
        return await log_action(self._server.gateway, Actor(member.name, member.role), note, work, location)

    async def _publish(self, member: Member, order: PublishCamera) -> str:
        allowed = PUBLISHERS[order.view]
        require_role(member, allowed)
        if self._server.live[order.table].dealer == "automatic":
            raise Refused("automatic_dealer")
        if member.name not in self._present(order.table, allowed):
            raise Refused("not_on_duty", table=order.table)
        self._on_camera[order.table, order.view] = member.name
        answer = await self._cameras.publish(order.table, order.sdp, order.view)
        self._end_if_away(order.table, order.view)  # the member may have left meanwhile
        return answer

    async def _stop(self, member: Member, table: str, view: CameraView) -> None:
        require_role(member, ANY_ROLE)
        if member.role == "dealer" and self._on_camera.get((table, view)) != member.name:
            raise Refused("not_on_duty", table=table)
        await self._end(table, view)

    def _end_if_away(self, table: str, view: CameraView) -> None:
        publisher = self._on_camera.get((table, view))
        if publisher is not None and publisher not in self._present(table, PUBLISHERS[view]):
            self._end_soon(table, view)

    def _end_lost(self) -> None:
        """End the pictures of tables that another node runs now."""
        for table, view in tuple(self._on_camera):
            if table not in self._server.live:
                self._end_soon(table, view)

    def _end_soon(self, table: str, view: CameraView) -> None:
        task = asyncio.create_task(self._end_quietly(table, view))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _end_quietly(self, table: str, view: CameraView) -> None:
        try:
            await self._end(table, view)
        except Refused:  # the media server is gone, and the picture with it
            return

    async def _end(self, table: str, view: CameraView) -> None:
        self._on_camera.pop((table, view), None)
        await self._cameras.unpublish(table, view)
