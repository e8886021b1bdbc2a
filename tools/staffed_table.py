"""A synthetic dealer at a table of a server: signed in, on the table's page, and on camera."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import msgspec

from croupier.protocol import staff_wire
from tests.staff.clients import StaffBrowser, add
from tools.synthetic_dealer import SyntheticDealer

TABLE = "live_roulette"
CONFIG = """
[live_roulette]
dealer = "person"

[media]
url = "janus://127.0.0.1:{port}"
secret_file = "media.secret"
"""
SETTLE_S = 2.0
PING_S = 5.0


@asynccontextmanager
async def synthetic_dealer(address: str, data: Path, table: str) -> AsyncIterator[None]:
    """Let a new dealer publish at a table of the server with this data folder."""
    code = await asyncio.to_thread(add, data, "Ben", "dealer")
    async with StaffBrowser(address) as staff:
        await staff.sign_in("Ben", code)
        await staff.connect(table)
        dealer = SyntheticDealer()
        order = msgspec.json.encode(staff_wire.PublishCamera(table, dealer.offer))
        answered = await staff.http.post(
            f"{address}/api/staff/camera", content=order, headers={"Origin": address}
        )
        answered.raise_for_status()
        working = [asyncio.create_task(dealer.run(answered.json()["sdp"])), asyncio.create_task(_stay(staff))]
        try:
            await asyncio.sleep(SETTLE_S)
            yield
        finally:
            for task in working:
                task.cancel()
            await asyncio.gather(*working, return_exceptions=True)


async def _stay(staff: StaffBrowser) -> None:
    """Keep the dealer's page open."""
    while True:
        await staff.send(staff_wire.Ping())
        with suppress(TimeoutError):
            async with asyncio.timeout(PING_S):
                while True:
                    await staff.next()
