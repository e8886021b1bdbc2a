"""Item A7 in a real server: libfaketime steps its system clock while it runs and while it is stopped."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.protocol import wire
from tests.dealing.live.in_process import FAST
from tests.gateway.pages.test_responsible_gaming import set_limit
from tests.support.browser_connection import Browser, connect_guest
from tests.support.clocks import HOUR_MS
from tests.support.server_process import CROUPIER, ServerProcess

pytestmark = pytest.mark.anyio

LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
needs_faketime = pytest.mark.skipif(not LIBRARIES, reason="libfaketime isn't installed")
LISTEN_S = 2.0


class SteppedServer(ServerProcess):
    """A server whose system clock differs from the real one by the offset in the file `step`."""

    def __init__(self, folder: Path) -> None:
        self._step = folder / "step"
        self.step("+0")
        config_file = folder / "croupier.toml"
        config_file.write_text(FAST, encoding="utf-8")
        faked = (
            f"LD_PRELOAD={LIBRARIES[0]}",
            f"FAKETIME_TIMESTAMP_FILE={self._step}",
            "FAKETIME_NO_CACHE=1",
            "DONT_FAKE_MONOTONIC=1",
        )
        super().__init__(
            folder / "data", program=("env", *faked, *CROUPIER), options=("--config", str(config_file))
        )

    def step(self, offset: str) -> None:
        """Set the offset, such as `-60s` or `+25h`."""
        self._step.write_text(offset + "\n")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[SteppedServer]:
    process = SteppedServer(tmp_path)
    process.start()
    yield process
    process.stop()


async def count_rounds(browser: Browser) -> int:
    rounds = set[str]()
    try:
        async with asyncio.timeout(LISTEN_S):
            while True:
                message = await browser.next()
                if isinstance(message, wire.LiveUpdate):
                    rounds.add(message.state.clock.round)
    except TimeoutError:
        return len(rounds)


async def daily_limit(browser: Browser) -> int | None:
    page = await browser.get("/api/responsible-gaming", wire.ResponsibleGaming)
    return next(
        one.most for one in page.limits if (one.what, one.period, one.currency) == ("deposit", "day", "EUR")
    )


@needs_faketime
async def test_a7_a_running_server_and_a_restarted_one_keep_their_own_time(server: SteppedServer) -> None:
    async with connect_guest(server.address) as browser:
        await set_limit(browser, 5_000)
        raised = await set_limit(browser, 50_000)
        assert (await browser.join("infinite", "EUR")).code == ""
        usual = await count_rounds(browser)
        assert usual >= 3
        for offset in ("-60s", "-2h", "+25h", "+48h"):
            server.step(offset)
            assert abs(await count_rounds(browser) - usual) <= 2, offset
            assert await daily_limit(browser) == 5_000, offset
        page = await browser.post(
            "/api/responsible-gaming/break", wire.ResponsibleGaming, {"why": "time_out", "days": 1}
        )
        assert page.barred is not None
        assert 0 < page.barred.until_ms - raised.from_ms < HOUR_MS, (
            "both a day from now by the server's clock"
        )
        await browser.disconnect()
        server.stop()
        server.step("+96h")
        server.start()
        browser.address = server.address
        page = await browser.get("/api/responsible-gaming", wire.ResponsibleGaming)
        assert page.barred is not None
        assert await daily_limit(browser) == 5_000
    log = server.log.read_text()
    assert "stepped by -60.0" in log or "stepped by -59.9" in log
    assert "--accept-system-time" in log
