"""A real `croupier serve` in a process of its own, which can be killed and restarted on the same data."""

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

from tests.support import preloaded, work

CROUPIER = (sys.executable, "-c", "from croupier.cli.main import main; main()")
TEST_BLOCKS = {
    "[rate_limits]": """
[rate_limits]
guests_per_hour = 0
sign_ins_per_minute = 0
cashier_per_minute = 0
history_per_minute = 0
exports_per_hour = 0
camera_per_minute = 0
""",
    "[staff]": """
[staff]
sign_in = "code"
""",
}
"""Blocks of the configuration, by their heads."""
START_TIMEOUT_S = 60.0
STOP_TIMEOUT_S = 30.0


class ServerProcess:
    """A server that listens on free ports, or on `ports` in every run; `log` collects its stderr.

    `options` are further options of `croupier serve`. `popen` starts the process; `subprocess.Popen` starts a
    new interpreter. Unless the configuration file says otherwise, rate limits are off, since all clients of a
    test have one address, and staff sign in with the same code again and again.
    """

    def __init__(
        self,
        data: Path,
        *,
        ports: tuple[int, int] = (0, 0),
        program: tuple[str, ...] = CROUPIER,
        options: tuple[str, ...] = (),
        popen: type[subprocess.Popen[bytes]] = preloaded.Popen,
    ) -> None:
        self.data = data
        self.log = data.parent / f"{data.name}.log"
        self.address = ""
        self.admin = ""
        ports_options = ("--port", str(ports[0]), "--socket-port", str(ports[1]))
        self._config = data.parent / f"{data.name}.config.toml"
        self._given_configs = [Path(value) for option, value in pairwise(options) if option == "--config"]
        self._command = [*program, "serve", *ports_options, "--data", str(data), *options]
        self._command += ["--config", str(self._config)]
        self._popen = popen
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None, "the server was never started"
        return self._process.pid

    def start(self) -> Self:
        """Start the server and return once it serves."""
        if not self.start_within(START_TIMEOUT_S):
            self.kill()
            raise AssertionError(f"not started in time: {self.log.read_text()}")
        return self

    def start_within(self, seconds: float) -> bool:
        """Return whether the server started within `seconds`; if not, it continues to start."""
        work.record("servers")
        self._config.write_text(_for_tests(self._given_configs))
        with self.log.open("ab") as log:
            self._process = self._popen(self._command, stdout=subprocess.PIPE, stderr=log)
        line = self._first_line(time.monotonic() + seconds)
        found = re.search(r"http://\S+?(?=/?\s)", line)
        self.address = found[0] if found else ""
        admin = re.search(r"http://\S+/(?=metrics\s)", line)
        self.admin = admin[0] if admin else ""
        return bool(found)

    def _first_line(self, until: float) -> str:
        assert self._process is not None
        assert self._process.stdout is not None
        out, text = self._process.stdout.fileno(), b""
        while not text.endswith(b"\n") and (left := until - time.monotonic()) > 0:
            if select.select([out], [], [], left)[0]:
                chunk = os.read(out, 4096)
                if not chunk:
                    break
                text += chunk
        return text.decode()

    def kill(self) -> None:
        """Kill all processes, like a power cut that spares the page cache: no handler runs."""
        writer_processes = self.writer_processes()
        self._end(signal.SIGKILL)
        _kill(writer_processes)

    def kill_server(self) -> None:
        """Kill the server process only; its writer process finishes the requests it received."""
        self._end(signal.SIGKILL)

    def kill_writer_process(self) -> int:
        """Kill the writer process, and return the exit status of the server, which stops then."""
        _kill(self.writer_processes())
        return self.wait_for_exit()

    def writer_processes(self) -> list[int]:
        """Return the ids of the writer processes: none while the server starts or once it has ended."""
        if self._process is None:
            return []
        try:
            children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text()
        except OSError:
            return []
        return [int(process) for process in children.split()]

    def wait_for_exit(self) -> int:
        """Wait until the server stops on its own, and return its exit status."""
        assert self._process is not None
        process, self._process = self._process, None
        assert process.stdout is not None
        process.stdout.close()
        return process.wait(timeout=START_TIMEOUT_S)

    def stop(self) -> int:
        """Stop the server as an operator does, and return its exit status."""
        return self._end(signal.SIGTERM)

    def _end(self, signal_: signal.Signals) -> int:
        if self._process is None:
            return 0
        process, self._process = self._process, None
        process.send_signal(signal_)
        try:
            process.communicate(timeout=STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        return process.returncode


def _for_tests(configs: Sequence[Path]) -> str:
    """Return the given configuration with the blocks for tests, unless it has them itself."""
    text = configs[-1].read_text() if configs else ""
    return "".join([text, *(block for name, block in TEST_BLOCKS.items() if name not in text)])


def _kill(processes: list[int]) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
