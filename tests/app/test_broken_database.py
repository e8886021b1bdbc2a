"""The server stops if a commit fails, since its memory may then differ from the database."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import httpx
import pytest

from croupier.ledger.sql.verify import verify
from tests.support.browser_connection import connect_guest
from tests.support.server_process import ServerProcess

FILE_BYTES_MAX = 900_000
LIMITED = (
    sys.executable,
    "-c",
    f"""
import resource, signal
resource.setrlimit(resource.RLIMIT_FSIZE, ({FILE_BYTES_MAX}, {FILE_BYTES_MAX}))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from croupier.cli.main import main
main()
""",
)
"""A server on a full disk: no file may grow beyond FILE_BYTES_MAX."""


@pytest.mark.anyio
async def test_a_full_disk_stops_the_server_and_loses_nothing(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "data", program=LIMITED).start()
    guests = 0
    try:
        while guests < 10_000:
            async with connect_guest(server.address):
                guests += 1
    except Exception as refused:  # noqa: BLE001 - the stopping server may break the connection in any way
        assert guests, refused
    assert server.wait_for_exit() == 2
    assert "a commit failed, so the server stopped" in server.log.read_text()
    audit = verify(server.data / "croupier.db")
    assert (audit.bad, audit.entries >= 3 * guests) == (None, True)
    restarted = ServerProcess(server.data).start()
    async with connect_guest(restarted.address):
        pass
    assert restarted.stop() == 0


@pytest.mark.anyio
async def test_a_request_that_waits_for_the_database_gets_503(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "data").start()
    (writer,) = server.writer_processes()
    os.kill(writer, signal.SIGSTOP)
    async with httpx.AsyncClient(base_url=server.address) as http:
        request = asyncio.create_task(http.post("/api/guest"))
        done, _ = await asyncio.wait([request], timeout=0.5)
        assert not done
        os.kill(writer, signal.SIGKILL)
        answer = await request
    assert (answer.status_code, answer.json()["code"]) == (503, "server_unavailable")
    assert answer.headers["Retry-After"] == "5"
    assert server.wait_for_exit() == 2


@pytest.mark.anyio
async def test_an_idle_server_stops_when_its_writer_process_is_killed(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "data").start()
    assert server.kill_writer_process() == 2
    assert "so the server stopped" in server.log.read_text()
    restarted = ServerProcess(server.data).start()
    assert restarted.stop() == 0
