"""Recordings of the dealers, as managers see them: of one round at a time, which is logged."""

import asyncio
import logging
from collections.abc import AsyncIterator
from functools import partial
from typing import BinaryIO

from croupier import clock
from croupier.accounts.staff_members import Member
from croupier.gateway.server import Server
from croupier.protocol.staff_players import ViewRecording
from croupier.refusal import Refused
from croupier.staff.players import OfficeLog
from croupier.video.clips import Clip, ClipFailed, Clips, NoRecording

log = logging.getLogger(__name__)

CHUNK_BYTES = 256 * 1024


class StaffRecordings:
    """The recordings of the server's tables; without a folder there are none."""

    def __init__(self, server: Server, log_of_office: OfficeLog) -> None:
        self._ledger = server.ledger
        self._log = log_of_office
        folder = server.recorder.folder
        self._clips = Clips(folder) if folder else None

    async def of_round(self, member: Member, round_id: str) -> Clip:
        """Return the recording of a round, with some seconds before and after it."""
        command = ViewRecording(round_id)
        return await self._log.execute(member, command, partial(self._of_round, round_id))

    async def _of_round(self, round_id: str) -> Clip:
        record = await asyncio.to_thread(self._ledger.round, round_id)
        if record is None:
            raise Refused("no_such_round", round=round_id)
        if self._clips is None:
            raise Refused("no_such_recording", round=round_id)
        try:
            return await self._clips.make(record.table, record.started_ms, record.ended_ms or clock.now_ms())
        except NoRecording:
            raise Refused("no_such_recording", round=round_id) from None
        except ClipFailed as error:
            log.error("recording of round %s: %s", round_id, error)  # noqa: TRY400 - the tool's output explains it
            raise Refused("recording_unavailable") from None


async def chunks(file: BinaryIO) -> AsyncIterator[bytes]:
    """Yield a file in parts, and close it."""
    with file:
        while chunk := await asyncio.to_thread(file.read, CHUNK_BYTES):
            yield chunk
