"""A6: requests above the rate are answered 429 with the time to wait, and change nothing."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import msgspec
import pytest

from croupier.accounts.staff_members import new_code
from croupier.app.serve import DATABASE
from croupier.config import RateLimitConfig
from croupier.gateway import rate_limits
from croupier.gateway.rate_limits import ApiLimiter, RateLimit, RateLimiter, address_key
from croupier.protocol import wire
from croupier.refusal import Refused
from tests.staff.clients import StaffBrowser, add
from tests.support.browser_connection import Browser, connect_guest, fetch_balances, new_req
from tests.support.server_process import ServerProcess
from tests.support.servers import assert_clean_stop

pytestmark = pytest.mark.anyio
TOO_MANY = httpx.codes.TOO_MANY_REQUESTS
FEW = """
[rate_limits]
guests_per_hour = 3
sign_ins_per_minute = 3
cashier_per_minute = 2
notifications_per_minute = 3
history_per_minute = 10
players_per_address = 3
"""


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server with low rate limits."""
    (tmp_path / "croupier.toml").write_text(FEW)
    server = ServerProcess(tmp_path / "data", options=("--config", str(tmp_path / "croupier.toml"))).start()
    yield server
    assert_clean_stop(server)


def players(server: ServerProcess) -> int:
    with closing(sqlite3.connect(f"file:{server.data / DATABASE}?mode=ro", uri=True)) as database:
        return int(database.execute("SELECT count(*) FROM player").fetchone()[0])


def is_too_many(answer: httpx.Response, seconds: int) -> None:
    """Assert status 429; `seconds` is the maximum wait."""
    assert answer.status_code == TOO_MANY
    assert answer.json()["code"] == "too_many_requests"
    assert 0 < int(answer.headers["retry-after"]) == answer.json()["args"]["seconds"] <= seconds


async def test_guests_are_limited_per_address(limited: ServerProcess) -> None:
    """Forged addresses make no difference."""
    async with httpx.AsyncClient(base_url=limited.address) as http:
        answers = []
        for number in range(6):
            http.cookies.clear()
            forged = {"X-Forwarded-For": f"192.0.2.{number}", "X-Real-IP": f"192.0.2.{number}"}
            answers.append(await http.post("/api/guest", headers=forged))
    assert [answer.status_code for answer in answers] == [200] * 3 + [TOO_MANY] * 3
    is_too_many(answers[-1], 3600 // 3)
    assert "set-cookie" not in answers[-1].headers
    assert players(limited) == 3
    assert limited.log.read_text().count("rate limit of guests") == 1


async def test_a_known_player_is_no_new_guest(limited: ServerProcess) -> None:
    async with Browser(limited.address) as browser:
        names = {(await browser.guest()).name for _ in range(5)}
    assert len(names) == 1


async def test_notifications_are_limited_per_address(limited: ServerProcess) -> None:
    async with httpx.AsyncClient() as http:
        answers = [await http.post(f"{limited.address}/api/payments/notify") for _ in range(4)]
    assert [answer.status_code for answer in answers[:3]] == [httpx.codes.UNAUTHORIZED] * 3
    is_too_many(answers[3], 20)


async def test_cashier_requests_are_limited_per_player(limited: ServerProcess) -> None:
    async with connect_guest(limited.address) as browser, connect_guest(limited.address) as other:
        for one in (browser, other):
            for _ in range(2):
                await one.post(
                    "/api/cashier/deposit", wire.Balance, wire.CashierRequest(new_req(), "EUR", 100)
                )
        before = await fetch_balances(browser)
        order = msgspec.json.encode(wire.CashierRequest(new_req(), "EUR", 100))
        is_too_many(await browser.http.post(f"{limited.address}/api/cashier/withdraw", content=order), 30)
        assert await fetch_balances(browser) == before


async def test_history_requests_are_limited_per_player_and_address(limited: ServerProcess) -> None:
    async with Browser(limited.address) as browser:
        await browser.guest()
        for path in ("history", "statement", "me", "responsible-gaming", "rounds/r1") * 2:
            answer = await browser.http.get(f"{limited.address}/api/{path}")
            assert answer.status_code in (200, 404)
        is_too_many(await browser.http.get(f"{limited.address}/api/history"), 6)
    async with httpx.AsyncClient(base_url=limited.address) as stranger:
        codes = [(await stranger.get("/api/me")).status_code for _ in range(20)]
    assert codes[0] == 401
    assert codes[-1] == TOO_MANY


async def test_staff_sign_ins_are_limited_per_address(limited: ServerProcess) -> None:
    """Under any names, and also from the same machine."""
    code = add(limited.data, "Ada", "manager")
    async with StaffBrowser(limited.address) as work:
        work.http.headers["X-Forwarded-For"] = "192.0.2.7"
        answers = [await work.sign_in(f"Nobody {n}", new_code()) for n in range(3)]
        assert [answer.status_code for answer in answers] == [401] * 3
        work.http.headers["X-Forwarded-For"] = "192.0.2.8"
        is_too_many(await work.sign_in("Ada", code), 20)


# --- what is counted


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_empties_at_once_and_refills_evenly() -> None:
    clock = Clock()
    limiter = RateLimiter(RateLimit(3, 60), clock)
    assert [limiter.take("a") for _ in range(3)] == [0, 0, 0]
    assert limiter.take("a") == pytest.approx(20)
    assert limiter.take("b") == 0, "another key is another bucket"
    clock.now += 20
    assert limiter.take("a") == 0
    assert limiter.take("a") == pytest.approx(20)
    clock.now += 60
    assert [limiter.take("a") for _ in range(3)] == [0, 0, 0]
    assert limiter.take("a") > 0


def test_without_a_limit_nothing_is_counted() -> None:
    limiter = RateLimiter(RateLimit(0, 60))
    assert {limiter.take("a") for _ in range(1_000)} == {0}
    assert len(limiter) == 0


def test_memory_is_bounded_for_any_number_of_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "KEYS_MAX", 50)
    clock = Clock()
    limiter = RateLimiter(RateLimit(3, 60), clock)
    for number in range(1_000):
        limiter.take(str(number))
    assert len(limiter) == 51, "all others share one"
    clock.now += 61
    limiter.take("a")
    assert len(limiter) == 1, "buckets that are full again are dropped"


def test_no_number_of_addresses_gives_tokens_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "KEYS_MAX", 50)
    limiter = RateLimiter(RateLimit(3, 60), Clock())
    assert [limiter.take("a") for _ in range(3)] == [0, 0, 0]
    taken = [limiter.take(f"2001:db8:{number:x}::/64") for number in range(1_000)]
    assert taken.count(0) == 49 + 3, "addresses that don't fit share their tokens"
    assert limiter.take("a") > 0


def test_one_network_does_not_fill_the_table() -> None:
    limiter = RateLimiter(RateLimit(3, 60), Clock())
    taken = [limiter.take(f"2001:db8:0:{number:x}::/64") for number in range(1_000)]
    assert taken.count(0) == rate_limits.PER_NETWORK_MAX + 3
    assert len(limiter) == rate_limits.PER_NETWORK_MAX + 1
    assert limiter.take("192.0.2.1") == 0


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("unix:", "unknown"),
        ("", "unknown"),
    ],
)
def test_an_ipv6_network_counts_as_one_address(address: str, key: str) -> None:
    assert address_key(address) == key


def test_the_default_limits_suffice_for_a_household() -> None:
    """Six people, each opening four tables again and again, paging their history, and at the cashier."""
    clock = Clock()
    limiter = ApiLimiter(RateLimitConfig(), clock)
    for _minute in range(30):
        for player in "abcdef":
            for _request in range(4 * 10 + 100):
                limiter.address("history", "192.0.2.7")
                limiter.player("history", player)
            for _order in range(15):
                limiter.address("cashier", "192.0.2.7")
                limiter.player("cashier", player)
        limiter.address("guests", "192.0.2.7")
        clock.now += 60


def test_of_ten_thousand_guests_at_once_sixty_are_admitted() -> None:
    clock = Clock()
    limiter, made = ApiLimiter(RateLimitConfig(), clock), 0
    for _second in range(47):
        for _try in range(213):
            try:
                limiter.address("guests", "192.0.2.7")
                made += 1
            except Refused:
                pass
        clock.now += 1
    assert made == 60
