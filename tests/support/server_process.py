"""A real `croupier serve` in a process of its own, to be killed and started again over the same data."""

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Self

CROUPIER = (sys.executable, "-c", "from croupier.cli.main import main; main()")
NO_LIMITS = """
[rate_limits]
guests_per_hour = 0
sign_ins_per_minute = 0
cashier_per_minute = 0
history_per_minute = 0
"""
OPENS_WITHIN_S = 60.0
CLOSES_WITHIN_S = 30.0


class HouseProcess:
    """Listens on free ports, or on `ports` in all its lives; `log` is what it wrote to stderr.

    `words` are more options of `croupier serve`. Rate limits are off, unless its floor file sets some: all
    clients of a test have one address.
    """

    def __init__(
        self,
        data: Path,
        *,
        socket: str = "picows",
        ports: tuple[int, int] = (0, 0),
        program: tuple[str, ...] = CROUPIER,
        words: tuple[str, ...] = (),
    ) -> None:
        self.data = data
        self.socket = socket
        self.log = data.parent / f"{data.name}.log"
        self.address = ""
        at = ("--port", str(ports[0]), "--socket-port", str(ports[1]))
        self._floor = data.parent / f"{data.name}.floor.toml"
        self._floor_given = [Path(word) for option, word in pairwise(words) if option == "--floor"]
        self._command = [*program, "serve", *at, "--socket", socket, "--data", str(data), *words]
        self._command += ["--floor", str(self._floor)]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None, "the house was never opened"
        return self._process.pid

    def start(self) -> Self:
        """Returns once it serves."""
        if not self.start_within(OPENS_WITHIN_S):
            self.kill()
            raise AssertionError(f"not open in time: {self.log.read_text()}")
        return self

    def start_within(self, seconds: float) -> bool:
        """Whether it served within `seconds`; it goes on opening if it didn't."""
        self._floor.write_text(_without_limits(self._floor_given))
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, stderr=log)
        line = self._first_line(time.monotonic() + seconds)
        found = re.search(r"http://\S+?(?=/?\s)", line)
        self.address = found[0] if found else ""
        return bool(found)

    def _first_line(self, until: float) -> str:
        assert self._process is not None
        assert self._process.stdout is not None
        out, text = self._process.stdout.fileno(), b""
        while not text.endswith(b"\n") and (left := until - time.monotonic()) > 0:
            if select.select([out], [], [], left)[0]:
                piece = os.read(out, 4096)
                if not piece:
                    break
                text += piece
        return text.decode()

    def kill(self) -> None:
        """As a power cut would, but for the page cache: no handler of a process runs."""
        writer_processes = self.writer_processes()
        self._end(signal.SIGKILL)
        _kill(writer_processes)

    def kill_server(self) -> None:
        """Kill the server alone; its writer process finishes the requests it received."""
        self._end(signal.SIGKILL)

    def kill_writer_process(self) -> int:
        """Kill the writer process, and return the exit status of the server, which stops then."""
        _kill(self.writer_processes())
        return self.ended_by_itself()

    def writer_processes(self) -> list[int]:
        """Return the ids of the writer processes: none while the server starts or once it has ended."""
        if self._process is None:
            return []
        try:
            told = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text()
        except OSError:
            return []
        return [int(process) for process in told.split()]

    def ended_by_itself(self) -> int:
        """The exit status of a house that closes without being told to."""
        assert self._process is not None
        process, self._process = self._process, None
        assert process.stdout is not None
        process.stdout.close()
        return process.wait(timeout=OPENS_WITHIN_S)

    def stop(self) -> int:
        """As an operator does; the answer is the exit status."""
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        if self._process is None:
            return 0
        process, self._process = self._process, None
        process.send_signal(how)
        try:
            process.communicate(timeout=CLOSES_WITHIN_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        return process.returncode


def _without_limits(floor: Sequence[Path]) -> str:
    """The floor file that is given, if one is, with rate limits off where it says nothing of them."""
    text = floor[-1].read_text() if floor else ""
    return text if "[rate_limits]" in text else text + NO_LIMITS


def _kill(processes: list[int]) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
