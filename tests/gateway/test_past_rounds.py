"""Filters, totals and CSV files of a player's past, compared with each other."""

import csv
import io
from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import httpx
import pytest

from croupier.gateway.pages.csv_files import utc
from croupier.play.contract.amounts import DEFAULT_CURRENCIES
from croupier.protocol import wire
from tests.support.browser_connection import Browser, connect_guest, new_req
from tests.support.server_process import ServerProcess
from tests.support.servers import assert_clean_stop

pytestmark = pytest.mark.anyio
DAY_MS = 24 * 3_600_000
YEAR_MS = 366 * DAY_MS
BETS = {"classic": "main", "roulette": "red", "american_roulette": "red"}


async def play(browser: Browser, table: str, currency: str, stake_minor: int) -> None:
    """Play a round to its end."""
    await browser.join(table, currency)
    played = (await browser.deal(table, wire.Stake(0, BETS[table], stake_minor))).state().round
    while played is not None and not played.view.ended:
        played = (await browser.decide(table, played, played.view.turns[0].options[-1].action)).state().round


async def play_some(browser: Browser) -> None:
    for table, currency, stake_minor in (
        ("classic", "GC", 1_000),
        ("roulette", "EUR", 250),
        ("classic", "EUR", 1_500),
        ("american_roulette", "GC", 1_000),
    ):
        await play(browser, table, currency, stake_minor)
    await browser.post("/api/cashier/deposit", wire.Balance, wire.CashierRequest(new_req(), "EUR", 12_345))


async def rounds_of(browser: Browser, **filters: str | int) -> list[wire.HistoryLine]:
    """Return all pages."""
    found: list[wire.HistoryLine] = []
    more = True
    while more:
        last = {"before": found[-1].round} if found else {}
        page = await browser.get("/api/history", wire.History, limit=2, **filters, **last)
        found.extend(page.lines)
        more = page.more
    return found


async def statement_of(browser: Browser, **filters: str | int) -> list[wire.StatementEntry]:
    """Return all pages."""
    found: list[wire.StatementEntry] = []
    while page := await browser.get(
        "/api/statement",
        list[wire.StatementEntry],
        limit=3,
        **filters,
        **({"before": found[-1].seq} if found else {}),
    ):
        found.extend(page)
    return found


async def file_of(browser: Browser, name: str, **filters: str | int) -> list[dict[str, str]]:
    """Return the lines of a CSV file."""
    answer = await browser.http.get(f"{browser.address}/api/{name}.csv", params=filters)
    assert answer.status_code == httpx.codes.OK, answer.text
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"].startswith("attachment; filename=")
    assert answer.headers["cache-control"] == "no-store"
    assert answer.text.endswith("\r\n")
    return list(csv.DictReader(io.StringIO(answer.text, newline=""), strict=True))


def minor(currency: str, text: str) -> int:
    return int(Decimal(text).scaleb(DEFAULT_CURRENCIES[currency].decimals))


@pytest.mark.parametrize(
    "filters", [{}, {"game": "roulette"}, {"table": "classic"}, {"game": "roulette", "table": "classic"}]
)
async def test_the_file_of_rounds_is_the_history(http_server: ServerProcess, filters: dict[str, str]) -> None:
    async with connect_guest(http_server.address) as browser:
        await play_some(browser)
        lines = await rounds_of(browser, **filters)
        rows = await file_of(browser, "history", **filters)
    assert [row["round"] for row in rows] == [line.round for line in lines]
    for row, line in zip(rows, lines, strict=True):
        assert (row["number"], row["table"], row["title"]) == (line.number, line.table, line.title)
        assert (row["status"], row["currency"]) == (line.status, line.currency)
        assert (row["started"], row["ended"]) == (utc(line.started_ms), utc(line.ended_ms))
        assert minor(line.currency, row["staked"]) == line.staked_minor
        assert minor(line.currency, row["returned"]) == line.returned_minor
        assert minor(line.currency, row["result"]) == line.returned_minor - line.staked_minor


@pytest.mark.parametrize("filters", [{}, {"game": "roulette"}, {"table": "classic"}])
async def test_the_file_of_the_statement_is_the_statement(
    http_server: ServerProcess, filters: dict[str, str]
) -> None:
    async with connect_guest(http_server.address) as browser:
        await play_some(browser)
        lines = await statement_of(browser, **filters)
        rows = await file_of(browser, "statement", **filters)
    assert [row["entry"] for row in rows] == [str(line.seq) for line in lines]
    for row, line in zip(rows, lines, strict=True):
        assert (row["what"], row["currency"], row["round"]) == (line.what, line.currency, line.round)
        assert row["time"] == utc(line.at_ms)
        assert minor(line.currency, row["amount"]) == line.amount_minor
        assert minor(line.currency, row["balance"]) == line.balance_minor


async def test_rounds_are_selected_by_game_table_and_time(http_server: ServerProcess) -> None:
    async with connect_guest(http_server.address) as browser:
        await play_some(browser)
        every = await rounds_of(browser)
        assert [line.table for line in every] == [
            "american_roulette",
            "classic",
            "roulette",
            "classic",
        ]
        assert await rounds_of(browser, game="roulette") == [every[0], every[2]]
        assert await rounds_of(browser, game="roulette", table="american_roulette") == [every[0]]
        assert await rounds_of(browser, game="whist") == []
        since_ms = every[1].started_ms
        expected = [line for line in every if line.started_ms >= since_ms and line.table == "classic"]
        assert await rounds_of(browser, game="blackjack", from_ms=since_ms) == expected


async def test_movements_are_selected_by_game_and_time(http_server: ServerProcess) -> None:
    async with connect_guest(http_server.address) as browser:
        await play_some(browser)
        tables = {line.round: line.table for line in await rounds_of(browser)}
        every = await statement_of(browser)
        assert every[0].what == "deposit"
        at_classic = [line for line in every if tables.get(line.round) == "classic"]
        assert at_classic
        assert await statement_of(browser, table="classic") == at_classic
        since_ms = every[3].at_ms
        assert await statement_of(browser, from_ms=since_ms) == [
            line for line in every if line.at_ms >= since_ms
        ]
        assert await statement_of(browser, to_ms=since_ms) == [
            line for line in every if line.at_ms < since_ms
        ]


async def test_totals_are_sums_by_period_and_game(http_server: ServerProcess) -> None:
    async with connect_guest(http_server.address) as browser:
        await play_some(browser)
        lines = await rounds_of(browser)
        middle, end = lines[1].started_ms, lines[0].started_ms + DAY_MS
        bounds = [middle - DAY_MS, middle, end]
        url = f"{browser.address}/api/totals"
        answer = await browser.http.get(url, params=[("bounds", each) for each in bounds])
    expected: dict[tuple[int, str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for line in lines:
        period = bounds[0] if line.started_ms < middle else middle
        game = "blackjack" if line.table == "classic" else "roulette"
        amounts = expected[period, game, line.currency]
        for place, more in enumerate((1, line.staked_minor, line.returned_minor)):
            amounts[place] += more
    assert {
        (each["from_ms"], each["game"], each["currency"]): [
            each["rounds"],
            each["staked_minor"],
            each["returned_minor"],
        ]
        for each in answer.json()
    } == expected


async def test_a_file_has_no_rounds_of_others(http_server: ServerProcess) -> None:
    async with connect_guest(http_server.address) as browser, connect_guest(http_server.address) as other:
        await play(browser, "classic", "GC", 1_000)
        assert await file_of(other, "history") == []
        assert [row["what"] for row in await file_of(other, "statement", table="classic")] == []


@pytest.mark.parametrize("name", ["history", "statement"])
async def test_files_need_a_session_and_have_a_year_at_most(http_server: ServerProcess, name: str) -> None:
    async with httpx.AsyncClient(base_url=http_server.address) as stranger:
        assert (await stranger.get(f"/api/{name}.csv")).status_code == httpx.codes.UNAUTHORIZED
    async with connect_guest(http_server.address) as browser:
        assert await file_of(browser, name, from_ms=10, to_ms=10 + YEAR_MS) == []
        url = f"{browser.address}/api/{name}.csv"
        answer = await browser.http.get(url, params={"from_ms": 10, "to_ms": 11 + YEAR_MS})
        assert answer.status_code == httpx.codes.BAD_REQUEST
        assert answer.json()["code"] == "malformed"


@pytest.mark.parametrize("bounds", [[1], [2, 1], [1, 1], [-1, 5], [1, 2**60], [*range(14)]])
async def test_unusable_bounds_are_refused(http_server: ServerProcess, bounds: list[int]) -> None:
    async with connect_guest(http_server.address) as browser:
        url = f"{browser.address}/api/totals"
        answer = await browser.http.get(url, params=[("bounds", each) for each in bounds])
    assert answer.status_code == httpx.codes.BAD_REQUEST, answer.text


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that allows two files an hour."""
    (tmp_path / "croupier.toml").write_text("[rate_limits]\nexports_per_hour = 2\n")
    server = ServerProcess(tmp_path / "data", options=("--config", str(tmp_path / "croupier.toml"))).start()
    yield server
    assert_clean_stop(server)


async def test_files_have_a_rate_limit_of_their_own(limited: ServerProcess) -> None:
    async with connect_guest(limited.address) as browser:
        for name in ("history", "statement"):
            await file_of(browser, name)
        answer = await browser.http.get(f"{limited.address}/api/history.csv")
        assert answer.status_code == httpx.codes.TOO_MANY_REQUESTS
        assert await rounds_of(browser) == []
