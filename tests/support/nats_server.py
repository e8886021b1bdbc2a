"""A NATS server of its own for a test, which the test may stop, freeze and start again."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

COMMAND = shutil.which("nats-server")
needs_nats = pytest.mark.skipif(COMMAND is None, reason="nats-server isn't installed")
WITHIN_S = 10.0
CLUSTER_KEY = "cluster.key"


USER, PASSWORD = "croupier", "a-password"


class NatsServer:
    """Listens on the same free port of 127.0.0.1 whenever it is started.

    `config`: a configuration file, in place of one user who may do everything; `variables`: for this file.
    """

    def __init__(self, config: Path | None = None, variables: Mapping[str, str] | None = None) -> None:
        self._variables = variables or {}
        self._options = ["--config", str(config)] if config else ["--user", USER, "--pass", PASSWORD]
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"nats://{USER}:{PASSWORD}@127.0.0.1:{self.port}"

    def options(self, folder: Path) -> tuple[str, ...]:
        """Return the options of servers that share it; `folder`: for the key of the cluster."""
        key = folder / CLUSTER_KEY
        key.write_text("0123456789abcdef" * 4)
        return "--bus", self.url, "--cluster-key", str(key)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start the server, and return once it accepts connections."""
        assert COMMAND is not None
        command = [COMMAND, "--addr", "127.0.0.1", "--port", str(self.port), *self._options]
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=os.environ | self._variables)
        until = time.monotonic() + WITHIN_S
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", self.port), 0.1).close()
            except OSError:
                time.sleep(0.01)
            else:
                return
        raise AssertionError("nats-server doesn't accept connections")

    def stop(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None

    def freeze(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)
