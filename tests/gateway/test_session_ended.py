"""An idle session is notified before its connection is closed."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from croupier.protocol import wire
from tests.support.browser_connection import Browser, another_browser, connect_guest, deal_open_round
from tests.support.server_process import ServerProcess
from tests.support.servers import assert_clean_stop

pytestmark = pytest.mark.anyio

SHORT_MINUTES = """
from croupier.cli.main import main
from croupier.app import serve
from croupier.players import sessions
sessions.MINUTE_MS, serve.SWEEP_EVERY_S = 100, 0.2
main()
"""
PROGRAM = (sys.executable, "-c", SHORT_MINUTES)


@contextmanager
def fast_server(folder: Path, idle_minutes: int) -> Iterator[ServerProcess]:
    config_file = folder / "croupier.toml"
    config_file.write_text(f"[server]\nidle_minutes = {idle_minutes}\n")
    words = ("--config", str(config_file))
    server = ServerProcess(folder / "data", program=PROGRAM, options=words).start()
    yield server
    assert_clean_stop(server)


async def closed_with(browser: Browser) -> int:
    with pytest.raises(ConnectionClosed) as closed:
        await browser.next()
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


async def test_the_client_is_notified_and_disconnected(tmp_path: Path) -> None:
    with fast_server(tmp_path, 20) as server:
        async with connect_guest(server.address) as browser:
            await browser.join("classic")
            played = await deal_open_round(browser, "classic", wire.Stake(0, "main", 1000))
            before, _ = await browser.hello()
            assert await browser.next() == wire.No("", "session_ended", {"minutes": 20})
            assert await closed_with(browser) == 1000
            async with another_browser(browser) as again:
                welcome, snapshots = await again.hello([wire.ResumedTable("classic")])
                assert welcome.session_started_ms > before.session_started_ms
                assert [one.state.round for one in snapshots if isinstance(one, wire.TableSnapshot)] == [
                    played
                ]
