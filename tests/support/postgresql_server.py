"""A PostgreSQL server of its own for a test, which the test may stop, freeze and start again."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

import pytest

from croupier.ledger.sql.databases import PostgresqlUrl, postgresql_url

INSTALLED = sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")), reverse=True)
"""Debian's folders of programs, which aren't in the path."""
FOLDERS = os.pathsep.join([*INSTALLED, os.environ["PATH"]])
COMMAND = shutil.which("pg_ctl", path=FOLDERS)
needs_postgresql_programs = pytest.mark.skipif(COMMAND is None, reason="no pg_ctl of PostgreSQL is installed")
USER = "postgres" if os.getuid() == 0 else None
"""The server refuses to run as root."""


class PostgresqlServer:
    """Listens on the same free port of 127.0.0.1 whenever it is started."""

    def __init__(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = int(free.getsockname()[1])
        self.url: PostgresqlUrl = postgresql_url(f"postgresql://postgres@127.0.0.1:{port}/postgres")
        self._folder = Path(tempfile.mkdtemp(prefix="croupier-postgresql-"))
        self._options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self._folder}"

    def __enter__(self) -> Self:
        if USER:
            shutil.chown(self._folder, USER)
        self._run("initdb", "--options=--auth=trust --username=postgres --no-sync")
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop("immediate")
        shutil.rmtree(self._folder)

    def start(self) -> None:
        """Start the server, and return once it accepts connections."""
        self._run("start", "--wait", "--log", str(self._folder / "log"), "--options", self._options)

    def stop(self, mode: Literal["fast", "immediate"]) -> None:
        self._run("stop", "--mode", mode)

    def freeze(self) -> None:
        """Stop its processes as they are, which leaves connections open."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        main = (self._folder / "data" / "postmaster.pid").read_text().split()[0]
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        for process in (main, *children):
            with suppress(ProcessLookupError):  # it has ended meanwhile
                os.kill(int(process), number)

    def _run(self, *command: str) -> None:
        assert COMMAND is not None
        data = ("--pgdata", str(self._folder / "data"))
        subprocess.run(
            [COMMAND, *command, *data], user=USER, check=True, stdout=subprocess.DEVNULL, timeout=60
        )
