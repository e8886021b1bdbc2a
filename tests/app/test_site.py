"""The HTTP API: described as it is, closed to other sites, and every answer a record of the wire."""

from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from croupier.protocol import wire
from tests.support.browser_connection import Browser, begun, guest_at, new_req
from tests.support.server_process import HouseProcess

pytestmark = pytest.mark.anyio

ANSWERS: dict[tuple[str, str], Any] = {
    ("get", "/api/house"): wire.ServerInfo,
    ("get", "/api/tables"): list[wire.LobbyTable],
    ("get", "/api/recent"): wire.RecentTables,
    ("get", "/api/floor"): list[wire.LiveTableStatus],
    ("get", "/api/tables/{table}"): wire.TableData,
    ("get", "/api/tables/{table}/rules"): wire.RulesPage,
    ("post", "/api/guest"): wire.Me,
    ("get", "/api/tables/{table}/results"): list[wire.PastResult],
    ("get", "/api/me"): wire.Me,
    ("get", "/api/history"): wire.History,
    ("get", "/api/rounds/{round_id}"): wire.HistoryRound,
    ("get", "/api/statement"): list[wire.StatementEntry],
    ("get", "/api/care"): wire.ResponsibleGaming,
    ("post", "/api/care/limit"): wire.ResponsibleGaming,
    ("post", "/api/care/bar"): wire.ResponsibleGaming,
    ("post", "/api/cashier/deposit"): wire.Balance,
    ("post", "/api/cashier/withdraw"): wire.Balance,
    ("post", "/api/advice"): wire.DecisionAdvice,
    ("post", "/api/training"): wire.DecisionReview,
    ("get", "/api/training"): wire.TrainingRecord,
}
ORDERS: dict[str, msgspec.Struct] = {
    "/api/care/limit": wire.LimitRequest("loss", "week", "EUR", 100),
    "/api/care/bar": wire.BreakRequest("time_out", 1),
    "/api/cashier/deposit": wire.CashierRequest(new_req(), "EUR", 100),
    "/api/cashier/withdraw": wire.CashierRequest(new_req(), "EUR", 100),
    "/api/advice": wire.AdviceRequest("r", 5, 0, 0),
    "/api/training": wire.ReviewRequest("r", 5),
}


async def _described(browser: Browser) -> dict[str, Any]:
    return await browser.get("/api/openapi", dict[str, Any])


async def test_every_route_is_described_and_no_other(pages: HouseProcess) -> None:
    async with Browser(pages.address) as browser:
        paths = (await _described(browser))["paths"]
    assert {(method, path) for path, methods in paths.items() for method in methods} == set(ANSWERS)


@pytest.mark.parametrize(("method", "path"), ANSWERS)
async def test_an_answer_is_the_record_that_is_described(pages: HouseProcess, method: str, path: str) -> None:
    kind = ANSWERS[method, path]
    async with guest_at(pages.address) as browser:
        await browser.join("classic")
        played = await begun(browser, "classic", wire.Stake(0, "main", 1000))
        order = ORDERS.get(path)
        if isinstance(order, wire.AdviceRequest | wire.ReviewRequest):
            order = replace(order, round=played.id, turn=played.turn)
        if isinstance(order, wire.ReviewRequest) and method == "post":
            await browser.decide("classic", played, played.view.turns[0].options[-1].action)
        response = await browser.http.request(
            method,
            pages.address + path.format(table="classic", round_id=played.id),
            content=msgspec.json.encode(order) if order else None,
        )
        described = (await _described(browser))["paths"][path][method]["responses"]["200"]
    answer = msgspec.json.decode(response.content, type=kind)
    assert msgspec.json.decode(msgspec.json.encode(answer)) == response.json(), "the record isn't all of it"
    assert _named(described) == (get_args(kind) or (kind,))[0].__name__


def _named(described: dict[str, Any]) -> str:
    """The record that OpenAPI refers to."""
    schema = described["content"]["application/json"]["schema"]
    return str(schema.get("items", schema)["$ref"].rpartition("/")[2])


@pytest.mark.parametrize("path", ["/api/guest", *ORDERS])
@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1.evil.example"])
async def test_another_sites_page_changes_nothing(pages: HouseProcess, path: str, origin: str) -> None:
    async with guest_at(pages.address) as browser:
        before, _ = await browser.hello()
        answer = await browser.http.post(
            pages.address + path,
            content=msgspec.json.encode(ORDERS.get(path, {})),
            headers={"Origin": origin},
        )
        assert answer.status_code == 403
        assert (await browser.hello())[0].balances == before.balances


@pytest.mark.parametrize(
    "order",
    [
        {},
        {"req": "x", "currency": "EUR", "amount_minor": 0},
        {"req": "x", "currency": "EUR", "amount_minor": -5},
        {"req": "x", "currency": "EUR", "amount_minor": 1.5},
        {"req": "x", "currency": "EUR", "amount_minor": True},
        {"req": "x", "currency": "EUR", "amount_minor": "100"},
        {"req": "x", "currency": "EUR", "amount_minor": None},
        {"req": "x", "currency": "EUR", "amount_minor": 2**53},
        {"req": "", "currency": "EUR", "amount_minor": 100},
        {"req": "x", "currency": "EUR", "amount_minor": 100, "player": "p_0"},
        [],
        None,
    ],
)
@pytest.mark.parametrize("path", ["deposit", "withdraw"])
async def test_a_malformed_order_moves_nothing(pages: HouseProcess, path: str, order: object) -> None:
    async with guest_at(pages.address) as browser:
        before, _ = await browser.hello()
        answer = await browser.http.post(f"{pages.address}/api/cashier/{path}", json=order)
        assert answer.status_code == 400
        assert (await browser.hello())[0].balances == before.balances


async def test_a_deposit_lifts_no_balance_beyond_counting(pages: HouseProcess) -> None:
    async with guest_at(pages.address) as browser:
        order = wire.CashierRequest(new_req(), "EUR", 10**15)
        with pytest.raises(AssertionError, match=r"409 .*over_maximum"):
            await browser.post("/api/cashier/deposit", wire.Balance, order)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/tables/nowhere/rules", 404),
        ("/api/nowhere", 404),
        ("/api/history?limit=0", 400),
        ("/api/history?limit=101", 400),
        ("/api/history?limit=x", 400),
        ("/api/history?from_ms=-1", 400),
        ("/api/history?to_ms=x", 400),
        (f"/api/history?to_ms={2**64}", 400),
        ("/api/statement?before=x", 400),
        ("/api/rounds/nowhere", 404),
        ("/../pyproject.toml", 404),
        ("/%2e%2e/%2e%2e/etc/passwd.txt", 404),
        ("/assets/nowhere.js", 404),
    ],
)
async def test_what_there_is_not_isnt_found(pages: HouseProcess, path: str, status: int) -> None:
    async with guest_at(pages.address) as browser:
        assert (await browser.http.get(pages.address + path)).status_code == status


async def test_the_session_is_for_this_house_and_no_script(pages: HouseProcess) -> None:
    async with Browser(pages.address) as browser:
        answer = await browser.http.post(f"{pages.address}/api/guest")
    cookie = {part.strip().partition("=")[0].lower() for part in answer.headers["set-cookie"].split(";")}
    assert {"httponly", "samesite", "max-age"} <= cookie
    assert "samesite=strict" in answer.headers["set-cookie"].lower()


async def test_pages_may_run_nothing_of_others(pages: HouseProcess) -> None:
    async with Browser(pages.address) as browser:
        headers = (await browser.http.get(pages.address + "/")).headers
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "'unsafe-inline'" not in policy.partition("style-src")[0]
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("path", "status"), [("/", 200), ("/tables/classic", 200), ("/api/tables", 200), ("/api/nowhere", 404)]
)
async def test_head_is_get_without_the_body(pages: HouseProcess, path: str, status: int) -> None:
    async with Browser(pages.address) as browser:
        whole = await browser.http.get(pages.address + path)
        head = await browser.http.head(pages.address + path)
        after = await browser.http.get(pages.address + path)
    assert (head.status_code, head.content) == (whole.status_code, b"") == (status, b"")
    same = ("content-type", "content-length", "cache-control", "content-security-policy")
    assert [head.headers.get(name) for name in same] == [whole.headers.get(name) for name in same]
    assert after.content == whole.content


async def test_what_is_only_posted_has_no_head(pages: HouseProcess) -> None:
    async with Browser(pages.address) as browser:
        assert (await browser.http.head(f"{pages.address}/api/guest")).status_code == 405


async def test_history_of_a_time_is_of_that_time(pages: HouseProcess) -> None:
    async with guest_at(pages.address) as browser:
        await browser.join("classic")
        await begun(browser, "classic", wire.Stake(0, "main", 1000))
        lines = (await browser.get("/api/history", wire.History)).lines
        at_ms = lines[0].started_ms
        older = tuple(line for line in lines if line.started_ms < at_ms)
        for period, expected in (
            ({"from_ms": at_ms, "to_ms": at_ms + 1}, lines[: len(lines) - len(older)]),
            ({"to_ms": at_ms}, older),
            ({"from_ms": at_ms + 1}, ()),
        ):
            assert (await browser.get("/api/history", wire.History, **period)).lines == expected
