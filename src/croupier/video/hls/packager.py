"""One run of ffmpeg that packages a stream, until it ends or no longer writes."""

import asyncio
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path

CHECK_S = 0.5
START_S = 20.0
"""Time in which the first segments have to be written."""
STALE_S = 6.0
"""Age of a playlist, which is written each second, at which the stream has stopped."""
STOP_S = 3.0
OUTPUT_CHARACTERS_MAX = 300
"""Characters from the end of ffmpeg's output that are logged."""


class PackagerFailed(Exception):
    """ffmpeg has ended, or writes nothing."""


class ProcessEnded(Exception):
    """ffmpeg has ended by itself."""


class Packager:
    """Runs a command that writes a master playlist once and others each second, and watches them.

    `ready` is called once all can be played. `sends` returns True while the dealer's browser sends something;
    otherwise nothing has to be written. `outdated` returns True when another run is to replace this one.
    """

    def __init__(
        self,
        master: Path,
        playlists: Collection[Path],
        ready: Callable[[], None],
        sends: Callable[[], bool],
        outdated: Callable[[], bool],
    ) -> None:
        self._master = master
        self._playlists = playlists
        self._ready = ready
        self._sends = sends
        self._outdated = outdated
        self._output = ""

    async def run(self, command: Sequence[str]) -> None:
        """Return when it is outdated; raise PackagerFailed or OSError when it fails."""
        process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE)
        reading = asyncio.create_task(self._read(process))
        try:
            await self._watch(process)
        except ProcessEnded:
            await asyncio.wait({reading}, timeout=STOP_S)
            raise PackagerFailed(
                f"ffmpeg has ended with status {process.returncode}. {self._said()}"
            ) from None
        finally:
            await _end(process)
            await asyncio.wait({reading}, timeout=STOP_S)
            reading.cancel()

    async def _read(self, process: Process) -> None:
        assert process.stderr is not None
        while text := await process.stderr.read(4096):
            self._output = (self._output + text.decode(errors="replace"))[-OUTPUT_CHARACTERS_MAX:]

    async def _watch(self, process: Process) -> None:
        started_s = fresh_s = time.monotonic()
        is_ready = False
        while not self._outdated():
            await self._sleep(process)
            ages = await asyncio.to_thread(_ages, self._master, self._playlists)
            now_s = time.monotonic()
            if not self._sends() or (ages and max(ages) < STALE_S):
                fresh_s = now_s
            if ages and not is_ready:
                is_ready = True
                self._ready()
            if not is_ready and now_s - started_s > START_S:
                raise PackagerFailed(f"no playlists after {START_S:.0f} s. {self._said()}")
            if is_ready and now_s - fresh_s > STALE_S:
                raise PackagerFailed(f"nothing is written any more. {self._said()}")

    async def _sleep(self, process: Process) -> None:
        """Wait until the next check; raise ProcessEnded if the process ends."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CHECK_S):
                await process.wait()
        if process.returncode is not None:
            raise ProcessEnded

    def _said(self) -> str:
        return f"Its last words: {self._output.strip() or 'none'}"


def _ages(master: Path, playlists: Collection[Path]) -> list[float]:
    """Return the seconds since each playlist was written; none until all have been, and the master too."""
    now = time.time()
    try:
        return [now - file.stat().st_mtime for file in playlists] if master.exists() else []
    except FileNotFoundError:
        return []


async def _end(process: Process) -> None:
    """Stop a process; kill it if it takes too long, or if this task is cancelled meanwhile."""
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        async with asyncio.timeout(STOP_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
    except asyncio.CancelledError:
        process.kill()
        raise
