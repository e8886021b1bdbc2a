"""A part of a recording as one file, made by `janus-pp-rec` and ffmpeg without encoding anew.

It is WebM, or MP4 where dealers send H.264, as they do for HLS.
"""

import asyncio
import struct
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from croupier.video.recorded_pieces import RecordedPiece, pieces_between

LEAD_MS, TAIL_MS = 5_000, 5_000
"""Time before and after a round that its clip includes."""
CLIP_MS_MAX = 30 * 60_000
TOOL_TIMEOUT_S = 120.0
NICE = ("nice", "-n", "15")
"""Players' bets come first."""
SIGNATURE = b"MJR00002"
OUTPUT_CHARACTERS_MAX = 300
"""Characters from the end of a tool's output that are logged."""
H264 = "h264"
QUIET = ("-nostdin", "-v", "error", "-y")


class NoRecording(Exception):
    """Nothing of the period is recorded."""


class ClipFailed(Exception):
    """A tool is missing or fails."""


class RecordingHeader(msgspec.Struct, frozen=True):
    """Header of a recorded file. `u` is the time of its first packet, in microseconds; `c` is the codec."""

    u: int
    c: str = ""

    @property
    def suffix(self) -> str:
        """The suffix of a file with this video."""
        return ".mp4" if self.c == H264 else ".webm"


class Clip(NamedTuple):
    """A file that is deleted when it is closed; `kind` is `webm` or `mp4`."""

    file: BinaryIO
    kind: str


class Clips:
    """Makes one clip at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = asyncio.Lock()

    async def make(self, table: str, from_ms: int, to_ms: int) -> Clip:
        """Return the recording of a period."""
        began_ms, ended_ms = from_ms - LEAD_MS, min(to_ms + TAIL_MS, from_ms + CLIP_MS_MAX)
        try:
            pieces = await asyncio.to_thread(pieces_between, self._folder, table, began_ms, ended_ms)
            async with self._lock:
                with tempfile.TemporaryDirectory(prefix="croupier-clip-") as temporary:
                    return await _clip(pieces, began_ms, ended_ms, Path(temporary))
        except OSError as error:
            raise ClipFailed(str(error)) from error


async def _clip(pieces: Sequence[RecordedPiece], from_ms: int, to_ms: int, folder: Path) -> Clip:
    parts = list[Path]()
    for place, piece in enumerate(pieces):
        if header := await asyncio.to_thread(_header, piece.video):
            part = folder / f"{place}{header.suffix}"
            if await _part(piece, header, (from_ms, to_ms), part):
                parts.append(part)
    if not parts:
        raise NoRecording
    suffix = parts[0].suffix
    if len(parts := [part for part in parts if part.suffix == suffix]) > 1:
        (folder / "parts").write_text("".join(f"file '{part.name}'\n" for part in parts))
        joined = folder / f"joined{suffix}"
        await _run("ffmpeg", *QUIET, "-f", "concat", "-i", str(folder / "parts"), "-c", "copy", str(joined))
        parts = [joined]
    return Clip(parts[0].open("rb"), suffix.removeprefix("."))


async def _part(piece: RecordedPiece, header: RecordingHeader, period: tuple[int, int], to: Path) -> bool:
    """Cut a period out of a piece, from the last key frame before it; return False if it ends earlier."""
    began_ms = header.u // 1000
    start_s, end_s = (max(0, at_ms - began_ms) / 1000 for at_ms in period)
    if end_s <= 0:
        return False
    video = to.with_suffix(f".video{header.suffix}")
    await _run("janus-pp-rec", str(piece.video), str(video))
    inputs = ["-ss", f"{start_s:.3f}", "-i", str(video)]
    voice = await asyncio.to_thread(_header, piece.audio)
    if voice:
        audio = to.with_suffix(".audio.opus")
        await _run("janus-pp-rec", str(piece.audio), str(audio))
        later_s = (voice.u - header.u) / 1e6
        skip_s, delay_s = max(0.0, start_s - later_s), max(0.0, later_s - start_s)
        inputs += ["-itsoffset", f"{delay_s:.3f}", "-ss", f"{skip_s:.3f}", "-i", str(audio)]
    length = ["-t", f"{end_s - start_s:.3f}", "-c", "copy"]
    await _run("ffmpeg", *QUIET, *inputs, *length, str(to))
    return True


def _header(file: Path | None) -> RecordingHeader | None:
    """Return the header of a recorded file; None if there is none, or nothing has been written yet."""
    if file is None:
        return None
    with file.open("rb") as recorded:
        start = recorded.read(len(SIGNATURE) + 2)
        if len(start) < len(SIGNATURE) + 2 or not start.startswith(SIGNATURE):
            return None
        (length,) = struct.unpack(">H", start[len(SIGNATURE) :])
        try:
            return msgspec.json.decode(recorded.read(length), type=RecordingHeader)
        except msgspec.MsgspecError:
            return None


async def _run(*command: str) -> None:
    """Run a tool with low priority; raise ClipFailed unless it succeeds in time."""
    tool = await asyncio.create_subprocess_exec(*NICE, *command, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT)
    try:
        async with asyncio.timeout(TOOL_TIMEOUT_S):
            output, _ = await tool.communicate()
    except TimeoutError:
        raise ClipFailed(f"{command[0]} takes longer than {TOOL_TIMEOUT_S:.0f} s") from None
    finally:
        if tool.returncode is None:
            tool.kill()
    if tool.returncode:
        raise ClipFailed(f"{command[0]}: {output.decode(errors='replace')[-OUTPUT_CHARACTERS_MAX:].strip()}")
