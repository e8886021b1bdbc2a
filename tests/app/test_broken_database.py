"""When a commit fails the house closes, rather than go on with books it can't trust."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import httpx
import pytest

from croupier.ledger.sqlite.verify import verify
from tests.support.browser_connection import guest_at
from tests.support.server_process import HouseProcess

ROOM_BYTES = 900_000
LIMITED = (
    sys.executable,
    "-c",
    f"""
import resource, signal
resource.setrlimit(resource.RLIMIT_FSIZE, ({ROOM_BYTES}, {ROOM_BYTES}))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from croupier.cli.main import main
main()
""",
)
"""A house on a disk that fills up, truly: no file may grow beyond ROOM_BYTES."""


@pytest.mark.anyio
async def test_a_full_disk_closes_the_house_and_harms_nothing(tmp_path: Path) -> None:
    house = HouseProcess(tmp_path / "data", program=LIMITED).start()
    guests = 0
    try:
        while guests < 10_000:
            async with guest_at(house.address):
                guests += 1
    except Exception as refused:  # noqa: BLE001 - the connection breaks however the house's end breaks it
        assert guests, refused
    assert house.ended_by_itself() == 2
    assert "a commit failed, so the server stopped" in house.log.read_text()
    audit = verify(house.data / "croupier.db")
    assert (audit.bad, audit.entries >= 3 * guests) == (None, True)
    reopened = HouseProcess(house.data).start()
    async with guest_at(reopened.address):
        pass
    assert reopened.stop() == 0


@pytest.mark.anyio
async def test_who_waits_for_the_books_is_told_that_the_house_is_closed(tmp_path: Path) -> None:
    house = HouseProcess(tmp_path / "data").start()
    (writer,) = house.writer_processes()
    os.kill(writer, signal.SIGSTOP)
    async with httpx.AsyncClient(base_url=house.address) as http:
        asked = asyncio.create_task(http.post("/api/guest"))
        done, _ = await asyncio.wait([asked], timeout=0.5)
        assert not done
        os.kill(writer, signal.SIGKILL)
        answer = await asked
    assert (answer.status_code, answer.json()["code"]) == (503, "house_closed")
    assert answer.headers["Retry-After"] == "5"
    assert house.ended_by_itself() == 2


@pytest.mark.anyio
async def test_a_house_where_nobody_does_anything_stops_when_its_writer_process_is_killed(
    tmp_path: Path,
) -> None:
    house = HouseProcess(tmp_path / "data").start()
    assert house.kill_writer_process() == 2
    assert "so the server stopped" in house.log.read_text()
    reopened = HouseProcess(house.data).start()
    assert reopened.stop() == 0
