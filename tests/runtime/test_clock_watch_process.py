"""Item A7 in a real server: libfaketime steps its system clock while it runs and while it is shut."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.protocol import wire
from tests.gateway.pages.test_responsible_gaming import set_limit
from tests.runtime.live.in_process import FAST
from tests.support.browser_connection import Browser, guest_at
from tests.support.clocks import HOUR_MS
from tests.support.server_process import CROUPIER, HouseProcess

pytestmark = pytest.mark.anyio

LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
needs_faketime = pytest.mark.skipif(not LIBRARIES, reason="libfaketime isn't installed")
LISTENS_S = 2.0


class Stepped(HouseProcess):
    """A server whose system clock is as far from the real one as the file `step` says."""

    def __init__(self, folder: Path) -> None:
        self._step = folder / "step"
        self.step("+0")
        floor = folder / "floor.toml"
        floor.write_text(FAST, encoding="utf-8")
        faked = (
            f"LD_PRELOAD={LIBRARIES[0]}",
            f"FAKETIME_TIMESTAMP_FILE={self._step}",
            "FAKETIME_NO_CACHE=1",
            "DONT_FAKE_MONOTONIC=1",
        )
        super().__init__(folder / "data", program=("env", *faked, *CROUPIER), words=("--floor", str(floor)))

    def step(self, offset: str) -> None:
        """Such as `-60s` or `+25h`."""
        self._step.write_text(offset + "\n")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Stepped]:
    process = Stepped(tmp_path)
    process.start()
    yield process
    process.stop()


async def rounds_heard(browser: Browser) -> int:
    rounds = set[str]()
    try:
        async with asyncio.timeout(LISTENS_S):
            while True:
                message = await browser.next()
                if isinstance(message, wire.LiveUpdate):
                    rounds.add(message.state.clock.round)
    except TimeoutError:
        return len(rounds)


async def limit_of_the_day(browser: Browser) -> int | None:
    page = await browser.get("/api/care", wire.ResponsibleGaming)
    return next(
        one.most for one in page.limits if (one.what, one.period, one.currency) == ("deposit", "day", "EUR")
    )


@needs_faketime
async def test_a7_a_running_server_and_a_restarted_one_keep_their_own_time(server: Stepped) -> None:
    async with guest_at(server.address) as browser:
        await set_limit(browser, 5_000)
        raised = await set_limit(browser, 50_000)
        assert (await browser.join("infinite", "EUR")).code == ""
        usual = await rounds_heard(browser)
        assert usual >= 3
        for offset in ("-60s", "-2h", "+25h", "+48h"):
            server.step(offset)
            assert abs(await rounds_heard(browser) - usual) <= 2, offset
            assert await limit_of_the_day(browser) == 5_000, offset
        page = await browser.post("/api/care/bar", wire.ResponsibleGaming, {"why": "time_out", "days": 1})
        assert page.barred is not None
        assert 0 < page.barred.until_ms - raised.from_ms < HOUR_MS, (
            "both a day from now by the server's clock"
        )
        await browser.hang_up()
        server.stop()
        server.step("+96h")
        server.start()
        browser.address = server.address
        page = await browser.get("/api/care", wire.ResponsibleGaming)
        assert page.barred is not None
        assert await limit_of_the_day(browser) == 5_000
    told = server.log.read_text()
    assert "stepped by -60.0" in told or "stepped by -59.9" in told
    assert "--accept-system-time" in told
