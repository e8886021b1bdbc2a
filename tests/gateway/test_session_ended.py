"""An idle session is notified before its connection is closed, with either socket server."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from croupier.protocol import wire
from tests.support.browser_connection import Browser, begun, guest_at, same_player
from tests.support.server_process import HouseProcess
from tests.support.servers import SOCKETS, closed_in_order

pytestmark = pytest.mark.anyio

SHORT_MINUTES = """
from croupier.cli.main import main
from croupier.app import serve
from croupier.runtime.players import sessions
sessions.MINUTE_MS, serve.SWEEP_EVERY_S = 100, 0.2
main()
"""
PROGRAM = (sys.executable, "-c", SHORT_MINUTES)


@contextmanager
def quick_house(folder: Path, idle_minutes: int, socket: str = "picows") -> Iterator[HouseProcess]:
    floor = folder / "floor.toml"
    floor.write_text(f"[house]\nidle_minutes = {idle_minutes}\n")
    words = ("--floor", str(floor))
    house = HouseProcess(folder / "data", socket=socket, program=PROGRAM, words=words).start()
    yield house
    closed_in_order(house)


async def closed_with(browser: Browser) -> int:
    with pytest.raises(ConnectionClosed) as closed:
        await browser.next()
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


@pytest.mark.parametrize("socket", SOCKETS)
async def test_the_client_is_notified_and_disconnected(tmp_path: Path, socket: str) -> None:
    with quick_house(tmp_path, 20, socket) as house:
        async with guest_at(house.address) as browser:
            await browser.join("classic")
            played = await begun(browser, "classic", wire.Stake(0, "main", 1000))
            before, _ = await browser.hello()
            assert await browser.next() == wire.No("", "session_ended", {"minutes": 20})
            assert await closed_with(browser) == 1000
            async with same_player(browser) as again:
                welcome, snapshots = await again.hello([wire.ResumedTable("classic")])
                assert welcome.session_started_ms > before.session_started_ms
                assert [one.state.round for one in snapshots if isinstance(one, wire.TableSnapshot)] == [
                    played
                ]
