"""A Janus of the test's own, where Debian's is installed; other machines skip its tests."""

import socket
import subprocess
import time
from pathlib import Path

import pytest

from tools.janus import command, find_janus, own_address, write_configuration

SECRET = "a secret for tests only, of no other use"
START_TIMEOUT_S = 10.0
MEDIA_PORTS = "30000-39999"
needs_janus = pytest.mark.skipif(
    not find_janus() or not own_address(), reason="Janus isn't installed, or there is no network interface"
)


class JanusProcess:
    """Janus on a free port of loopback, which can be killed and started again.

    It offers this machine's address to browsers, or the public one. Beside other tests it needs their
    priority, so its niceness is 0.
    """

    def __init__(self, folder: Path, public_address: str = "", niceness: int = 0) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        folder.mkdir()
        write_configuration(folder, SECRET, own_address(), self.port, MEDIA_PORTS, public_address)
        self._folder = folder
        self._niceness = niceness
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None, "it doesn't run"
        return self._process.pid

    def start(self) -> None:
        """Start Janus and return once it listens."""
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command(self._folder, self._niceness), stdout=log, stderr=log)
        until = time.monotonic() + START_TIMEOUT_S
        while not self._listens():
            if time.monotonic() > until:
                self.kill()
                raise AssertionError((self._folder / "log").read_text())
            time.sleep(0.02)

    def _listens(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port)).close()
        except OSError:
            return False
        return True

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None
