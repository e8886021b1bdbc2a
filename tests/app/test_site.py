"""The HTTP API: its OpenAPI document is right, other sites are refused, and every answer is a wire type."""

from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from croupier.protocol import wire
from tests.support.accounts import PASSWORD, new_name
from tests.support.browser_connection import Browser, connect_guest, deal_open_round, new_req
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

NAME = new_name()
ANSWERS: dict[tuple[str, str], Any] = {
    ("get", "/api/server"): wire.ServerInfo,
    ("get", "/api/help"): wire.PlayerHelp,
    ("get", "/api/tables"): list[wire.LobbyTable],
    ("get", "/api/recent"): wire.RecentTables,
    ("get", "/api/live-tables"): list[wire.LiveTableStatus],
    ("get", "/api/tables/{table}"): wire.TableData,
    ("get", "/api/tables/{table}/rules"): wire.RulesPage,
    ("post", "/api/guest"): wire.Me,
    ("get", "/api/tables/{table}/results"): list[wire.PastResult],
    ("post", "/api/account"): wire.Me,
    ("post", "/api/sign-in"): wire.Me,
    ("post", "/api/sign-out"): None,
    ("post", "/api/account/password"): wire.Me,
    ("get", "/api/account/mail"): wire.AccountMail,
    ("post", "/api/account/mail"): wire.AccountMail,
    ("post", "/api/account/mail/remove"): wire.AccountMail,
    ("post", "/api/account/mail/verify"): wire.VerifiedAddress,
    ("post", "/api/recovery"): None,
    ("post", "/api/recovery/account"): None,
    ("post", "/api/recovery/password"): None,
    ("post", "/api/account/confirmation"): None,
    ("get", "/api/account/devices"): list[wire.SignedInDevice],
    ("post", "/api/account/devices/end"): list[wire.SignedInDevice],
    ("post", "/api/account/devices/end-others"): list[wire.SignedInDevice],
    ("get", "/api/me"): wire.Me,
    ("get", "/api/passkeys"): list[wire.PasskeyView],
    ("post", "/api/passkeys"): None,
    ("post", "/api/passkeys/creation"): None,
    ("post", "/api/passkeys/removal"): None,
    ("post", "/api/account/passkey"): None,
    ("post", "/api/account/passkey/creation"): None,
    ("post", "/api/sign-in/challenge"): None,
    ("post", "/api/sign-in/passkey"): None,
    ("get", "/api/documents"): wire.DocumentList,
    ("get", "/api/documents/{document}"): wire.DocumentPage,
    ("get", "/api/documents/due"): list[wire.DueDocument],
    ("post", "/api/documents/accept"): list[wire.DueDocument],
    ("get", "/api/history"): wire.History,
    ("get", "/api/history.csv"): None,
    ("get", "/api/rounds/{round_id}"): wire.HistoryRound,
    ("post", "/api/rounds/{round_id}/share"): None,
    ("post", "/api/rounds/{round_id}/unshare"): None,
    ("get", "/api/replays/{token}"): None,
    ("get", "/api/statement"): list[wire.StatementEntry],
    ("get", "/api/statement.csv"): None,
    ("get", "/api/totals"): list[wire.GameTotals],
    ("get", "/api/responsible-gaming"): wire.ResponsibleGaming,
    ("post", "/api/responsible-gaming/limit"): wire.ResponsibleGaming,
    ("post", "/api/responsible-gaming/break"): wire.ResponsibleGaming,
    ("post", "/api/responsible-gaming/deposit-limit"): wire.ResponsibleGaming,
    ("get", "/api/bonuses"): list[wire.PlayerBonus],
    ("get", "/api/bonuses/offers"): list[wire.OfferedBonus],
    ("post", "/api/bonuses/accept"): None,
    ("post", "/api/bonuses/cancel"): None,
    ("post", "/api/cashier/deposit"): wire.Balance,
    ("post", "/api/cashier/withdraw"): wire.Balance,
    ("get", "/api/payments"): wire.PaymentList,
    ("post", "/api/payments/deposit"): wire.PaymentLine,
    ("post", "/api/payments/withdraw"): wire.PaymentLine,
    ("post", "/api/payments/notify"): None,
    ("post", "/api/operator/sessions"): None,
    ("post", "/api/launch"): None,
    ("post", "/api/oidc/start"): None,
    ("post", "/api/oidc/finish"): None,
    ("post", "/api/advice"): wire.DecisionAdvice,
    ("post", "/api/camera/watch"): None,
    ("post", "/api/camera/answer"): None,
    ("post", "/api/camera/layer"): None,
    ("post", "/api/camera/shown"): None,
    ("post", "/api/camera/stop"): None,
    ("post", "/api/camera/stream"): None,
    ("post", "/api/training"): wire.DecisionReview,
    ("get", "/api/training"): wire.TrainingRecord,
}
"""None: no content, or an answer that other tests read, such as `tests/gateway/test_oidc.py`."""
ORDERS: dict[str, msgspec.Struct] = {
    "/api/responsible-gaming/limit": wire.LimitRequest("loss", "week", "EUR", 100),
    "/api/responsible-gaming/break": wire.BreakRequest("time_out", 1),
    "/api/responsible-gaming/deposit-limit": wire.DepositLimitAnswer("none"),
    "/api/bonuses/accept": wire.BonusAcceptance("0123456789abcdef"),
    "/api/bonuses/cancel": wire.BonusCancellation("b1", 0),
    "/api/cashier/deposit": wire.CashierRequest(new_req(), "EUR", 100),
    "/api/cashier/withdraw": wire.CashierRequest(new_req(), "EUR", 100),
    "/api/payments/deposit": wire.CashierRequest(new_req(), "SC", 100),
    "/api/payments/withdraw": wire.CashierRequest(new_req(), "SC", 100),
    "/api/account": wire.NewAccount(new_name(), PASSWORD),
    "/api/account/password": wire.PasswordChange("another horse", password=PASSWORD),
    "/api/account/mail": wire.MailAddressChange("ada@example.org", password=PASSWORD),
    "/api/account/mail/remove": wire.MailAddressRemoval(password=PASSWORD),
    "/api/account/mail/verify": wire.MailLink("a-token"),
    "/api/recovery": wire.RecoveryRequest("ada@example.org"),
    "/api/recovery/account": wire.RecoveryLink("a-token"),
    "/api/recovery/password": wire.PasswordReset("a-token", PASSWORD),
    "/api/account/devices/end": wire.EndDevice("0123456789abcdef"),
    "/api/launch": wire.LaunchToken("token"),
    "/api/oidc/finish": wire.IdentityServerAnswer("state", "code"),
    "/api/sign-in": wire.PlayerSignIn(NAME, PASSWORD),
    "/api/documents/accept": wire.AcceptRequest("privacy", "1.0"),
    "/api/advice": wire.AdviceRequest("r", 5, 0, 0),
    "/api/training": wire.ReviewRequest("r", 5),
    "/api/camera/watch": wire.WatchCamera("live_infinite"),
    "/api/camera/answer": wire.AnswerCamera("w", "v=0", "low"),
    "/api/camera/layer": wire.ChooseLayer("w", "low"),
    "/api/camera/shown": wire.ReportFirstPicture("w", 300),
    "/api/camera/stop": wire.StopCamera("w"),
    "/api/camera/stream": wire.WatchStream("live_infinite"),
}
NEED_MAIL = {("post", "/api/account/mail"), ("post", "/api/account/mail/verify")}
"""Routes whose answers are tested on a server that sends mail."""


async def _openapi(browser: Browser) -> dict[str, Any]:
    return await browser.get("/api/openapi", dict[str, Any])


async def test_every_route_is_described_and_no_other(http_server: ServerProcess) -> None:
    async with Browser(http_server.address) as browser:
        paths = (await _openapi(browser))["paths"]
    assert {(method, path) for path, methods in paths.items() for method in methods} == set(ANSWERS)


@pytest.mark.parametrize(
    ("method", "path"), [route for route, kind in ANSWERS.items() if kind and route not in NEED_MAIL]
)
async def test_an_answer_has_the_documented_type(http_server: ServerProcess, method: str, path: str) -> None:
    kind = ANSWERS[method, path]
    async with connect_guest(http_server.address) as browser:
        await browser.join("classic")
        played = await deal_open_round(browser, "classic", wire.Stake(0, "main", 1000))
        order = ORDERS.get(path)
        if isinstance(order, wire.PlayerSignIn):
            await browser.post("/api/account", wire.Me, wire.NewAccount(NAME, PASSWORD))
        if isinstance(order, wire.PasswordChange | wire.MailAddressRemoval):
            await browser.post("/api/account", wire.Me, wire.NewAccount(new_name(), PASSWORD))
        if isinstance(order, wire.AdviceRequest | wire.ReviewRequest):
            order = replace(order, round=played.id, turn=played.turn)
        if isinstance(order, wire.EndDevice):
            (device,) = await browser.get("/api/account/devices", list[wire.SignedInDevice])
            order = replace(order, device=device.id)
        if isinstance(order, wire.ReviewRequest) and method == "post":
            await browser.decide("classic", played, played.view.turns[0].options[-1].action)
        response = await browser.http.request(
            method,
            http_server.address + path.format(table="classic", document="privacy", round_id=played.id),
            content=msgspec.json.encode(order) if order else None,
            params={"bounds": [0, 2**53]} if path == "/api/totals" else None,
        )
        described = (await _openapi(browser))["paths"][path][method]["responses"]["200"]
    answer = msgspec.json.decode(response.content, type=kind)
    assert msgspec.json.decode(msgspec.json.encode(answer)) == response.json(), "the answer has other fields"
    assert _record_name(described) == (get_args(kind) or (kind,))[0].__name__


def _record_name(described: dict[str, Any]) -> str:
    """Return the name of the record that OpenAPI refers to."""
    schema = described["content"]["application/json"]["schema"]
    return str(schema.get("items", schema)["$ref"].rpartition("/")[2])


@pytest.mark.parametrize("path", ["/api/guest", *ORDERS])
@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1.evil.example"])
async def test_another_sites_page_changes_nothing(http_server: ServerProcess, path: str, origin: str) -> None:
    async with connect_guest(http_server.address) as browser:
        before, _ = await browser.hello()
        answer = await browser.http.post(
            http_server.address + path,
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
async def test_a_malformed_order_changes_nothing(
    http_server: ServerProcess, path: str, order: object
) -> None:
    async with connect_guest(http_server.address) as browser:
        before, _ = await browser.hello()
        answer = await browser.http.post(f"{http_server.address}/api/cashier/{path}", json=order)
        assert answer.status_code == 400
        assert (await browser.hello())[0].balances == before.balances


async def test_a_deposit_beyond_the_maximum_balance_is_refused(http_server: ServerProcess) -> None:
    async with connect_guest(http_server.address) as browser:
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
        ("/api/statement?from_ms=-1", 400),
        ("/api/history.csv?to_ms=x", 400),
        ("/api/totals", 400),
        ("/api/rounds/nowhere", 404),
        ("/../pyproject.toml", 404),
        ("/%2e%2e/%2e%2e/etc/passwd.txt", 404),
        ("/assets/nowhere.js", 404),
    ],
)
async def test_unknown_paths_and_parameters_are_refused(
    http_server: ServerProcess, path: str, status: int
) -> None:
    async with connect_guest(http_server.address) as browser:
        assert (await browser.http.get(http_server.address + path)).status_code == status


async def test_the_session_cookie_is_hidden_from_scripts_and_other_sites(http_server: ServerProcess) -> None:
    async with Browser(http_server.address) as browser:
        answer = await browser.http.post(f"{http_server.address}/api/guest")
    cookie = {part.strip().partition("=")[0].lower() for part in answer.headers["set-cookie"].split(";")}
    assert {"httponly", "samesite", "max-age"} <= cookie
    assert "samesite=strict" in answer.headers["set-cookie"].lower()


async def test_pages_run_no_foreign_scripts(http_server: ServerProcess) -> None:
    async with Browser(http_server.address) as browser:
        headers = (await browser.http.get(http_server.address + "/")).headers
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "'unsafe-inline'" not in policy.partition("style-src")[0]
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("path", "status"), [("/", 200), ("/table/classic", 200), ("/api/tables", 200), ("/api/nowhere", 404)]
)
async def test_head_is_get_without_the_body(http_server: ServerProcess, path: str, status: int) -> None:
    async with Browser(http_server.address) as browser:
        whole = await browser.http.get(http_server.address + path)
        head = await browser.http.head(http_server.address + path)
        after = await browser.http.get(http_server.address + path)
    assert (head.status_code, head.content) == (whole.status_code, b"") == (status, b"")
    same = ("content-type", "content-length", "cache-control", "content-security-policy")
    assert [head.headers.get(name) for name in same] == [whole.headers.get(name) for name in same]
    assert after.content == whole.content


async def test_a_post_route_has_no_head(http_server: ServerProcess) -> None:
    async with Browser(http_server.address) as browser:
        assert (await browser.http.head(f"{http_server.address}/api/guest")).status_code == 405


async def test_history_is_filtered_by_time(http_server: ServerProcess) -> None:
    async with connect_guest(http_server.address) as browser:
        await browser.join("classic")
        await deal_open_round(browser, "classic", wire.Stake(0, "main", 1000))
        lines = (await browser.get("/api/history", wire.History)).lines
        at_ms = lines[0].started_ms
        older = tuple(line for line in lines if line.started_ms < at_ms)
        for period, expected in (
            ({"from_ms": at_ms, "to_ms": at_ms + 1}, lines[: len(lines) - len(older)]),
            ({"to_ms": at_ms}, older),
            ({"from_ms": at_ms + 1}, ()),
        ):
            assert (await browser.get("/api/history", wire.History, **period)).lines == expected
