"""A flood of sign-ins is refused with the time to wait, while others sign in from elsewhere."""

from collections.abc import Iterator
from statistics import median
from time import perf_counter

import httpx
import pytest

from croupier.players.accounts import ATTEMPT_WINDOW_MS, ATTEMPTS_MAX
from croupier.protocol import wire
from tests.support.accounts import PASSWORD, account_at, code_of, new_name, sign_in
from tests.support.browser_connection import Browser
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

PER_MINUTE = 10
ATTACKER, HONEST = "203.0.113.7", "198.51.100.9"
TIMED = 16


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server behind a proxy, with a low rate of sign-ins."""
    folder = tmp_path_factory.mktemp("limited")
    config = folder / "croupier.toml"
    config.write_text(f"[rate_limits]\nsign_ins_per_minute = {PER_MINUTE}\n")
    options = ("--config", str(config), "--proxy", "127.0.0.1")
    process = ServerProcess(folder / "data", options=options).start()
    yield process
    process.stop()


def from_address(browser: Browser, address: str) -> Browser:
    browser.http.headers["X-Forwarded-For"] = address
    return browser


def assert_waits(answer: httpx.Response, code: str, seconds_max: int) -> None:
    assert (answer.status_code, code_of(answer)) == (429, code)
    assert 0 < int(answer.headers["retry-after"]) <= seconds_max


async def test_a_flood_from_one_address_leaves_others_alone(limited: ServerProcess) -> None:
    async with Browser(limited.address) as browser:
        from_address(browser, "192.0.2.1")
        await browser.guest()
        name = new_name()
        async with Browser(limited.address) as other:
            attacker, honest = from_address(other, ATTACKER), from_address(browser, HONEST)
            await create(honest, name)
            for _ in range(PER_MINUTE):
                assert code_of(await sign_in(attacker, new_name(), "wrong password")) == "wrong_sign_in"
            for _ in range(3):
                assert_waits(await sign_in(attacker, name), "too_many_requests", 60)
            assert (await sign_in(honest, name)).status_code == 200


async def test_guesses_of_one_name_leave_its_player_alone(limited: ServerProcess) -> None:
    name = new_name()
    async with Browser(limited.address) as browser, Browser(limited.address) as other:
        honest, attacker = from_address(browser, "198.51.100.20"), from_address(other, "203.0.113.20")
        await honest.guest()
        await create(honest, name)
        for _ in range(ATTEMPTS_MAX):
            assert code_of(await sign_in(attacker, name, "wrong password")) == "wrong_sign_in"
        assert_waits(await sign_in(attacker, name), "too_many_tries", ATTEMPT_WINDOW_MS // 1000)
        assert (await sign_in(honest, name)).status_code == 200


async def create(browser: Browser, name: str) -> None:
    """Make the browser's guest an account."""
    await browser.post("/api/account", wire.Me, wire.NewAccount(name, PASSWORD))


async def test_known_and_unknown_names_take_the_same_time(fresh_server: ServerProcess) -> None:
    """The medians of whole requests, taken in turns; a hash that isn't computed would be ten times faster."""
    times: dict[bool, list[float]] = {True: [], False: []}
    async with Browser(fresh_server.address) as browser:
        names = []
        for _ in range(TIMED // (ATTEMPTS_MAX - 1)):
            async with account_at(fresh_server.address, name := new_name()):
                names.append(name)
        for nth in range(TIMED):
            for known in (True, False):
                began = perf_counter()
                name = names[nth % len(names)] if known else new_name()
                assert code_of(await sign_in(browser, name, "wrong password")) == "wrong_sign_in"
                times[known].append(perf_counter() - began)
    assert 1 / 3 < median(times[True]) / median(times[False]) < 3
