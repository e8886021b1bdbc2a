"""A coturn of the test's own, run with the sample of deploy/coturn, where Debian's is installed."""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tools.janus import own_address

SAMPLE = Path(__file__).parents[2] / "deploy" / "coturn" / "turnserver.conf"
SECRET = "a secret of relays, for tests only"
SECRET_IN_SAMPLE = "REPLACE-WITH-THE-SECRET"
PEER_IN_SAMPLE, RELAY_IN_SAMPLE = "198.51.100.10", "198.51.100.11"
ONLY_IN_PRODUCTION = ("listening-port=", "tls-listening-port=", "cert=", "pkey=", "syslog")
START_TIMEOUT_S = 10.0
needs_coturn = pytest.mark.skipif(
    not shutil.which("turnserver") or not own_address(),
    reason="coturn isn't installed, or there is no network interface",
)


class TurnServer:
    """Relays to one address."""

    def __init__(self, folder: Path, peer: str) -> None:
        self.address = own_address()
        with socket.create_server((self.address, 0)) as free:
            self.port = int(free.getsockname()[1])
        folder.mkdir()
        self._folder = folder
        self._write(peer)

    @property
    def url(self) -> str:
        return f"turn:{self.address}:{self.port}?transport=tcp"

    @property
    def log(self) -> str:
        return (self._folder / "log").read_text()

    def _write(self, peer: str) -> None:
        """Write the sample with the test's addresses, ports and secret, and without TLS."""
        replaced = {SECRET_IN_SAMPLE: SECRET, PEER_IN_SAMPLE: peer, RELAY_IN_SAMPLE: self.address}
        text = SAMPLE.read_text(encoding="utf-8")
        for word, value in replaced.items():
            assert word in text
            text = text.replace(word, value)
        kept = [line for line in text.splitlines() if not line.startswith(ONLY_IN_PRODUCTION)]
        own = [
            f"listening-ip={self.address}",
            f"listening-port={self.port}",
            "no-tls",
            "no-dtls",
            "log-file=stdout",
            "verbose",
            f"pidfile={self._folder}/pid",
            f"userdb={self._folder}/users",
        ]
        (self._folder / "turnserver.conf").write_text("\n".join([*kept, *own]))

    @contextmanager
    def running(self) -> Iterator[None]:
        command = ["turnserver", "-c", str(self._folder / "turnserver.conf")]
        with (self._folder / "log").open("ab") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self._folder)
        try:
            self._wait()
            yield
        finally:
            process.terminate()
            process.wait()

    def _wait(self) -> None:
        until = time.monotonic() + START_TIMEOUT_S
        while True:
            try:
                socket.create_connection((self.address, self.port)).close()
            except OSError:
                assert time.monotonic() < until, self.log
                time.sleep(0.02)
            else:
                return
