"""Staff HTTP API of the cameras of a table, and of their recordings."""

from litestar import get, post
from litestar.response import Stream

from croupier.accounts.staff_members import Member
from croupier.protocol import staff_wire
from croupier.staff.recordings import chunks
from croupier.staff.service import StaffService


@post("/camera", status_code=200)
async def publish_camera(
    staff_service: StaffService, member: Member, data: staff_wire.PublishCamera
) -> staff_wire.CameraAnswer:
    """Show a camera at a table whose page is open: a dealer their own, any member the equipment's.

    The picture ends when the member leaves the page.
    """
    return await staff_service.cameras.publish(member, data)


@post("/camera/stop", status_code=204)
async def stop_publishing(
    staff_service: StaffService, member: Member, data: staff_wire.StopPublishing
) -> None:
    """End a picture of a table: a dealer their own, a manager any."""
    await staff_service.cameras.stop(member, data)


@get("/rounds/{round_id:str}/recording")
async def recording(staff_service: StaffService, member: Member, round_id: str) -> Stream:
    """Return the recording of a live round, as WebM or MP4. Only managers may do this; it is logged."""
    clip = await staff_service.recordings.of_round(member, round_id)
    return Stream(chunks(clip.file), media_type=f"video/{clip.kind}")


CAMERA_HANDLERS = (publish_camera, stop_publishing, recording)
