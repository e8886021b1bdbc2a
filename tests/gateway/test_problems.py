"""Every error over HTTP is a `Problem` with a registered code."""

import msgspec
import pytest

from croupier.gateway.problems import http_problem, malfunction
from croupier.protocol import wire
from croupier.protocol.refusals import refusal_codes
from tests.support.browser_connection import Browser, connect_guest
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

OF_STRANGERS = [
    ("GET", "/api/me", 401, "not_signed_in"),
    ("GET", "/api/history", 401, "not_signed_in"),
    ("GET", "/api/staff/me", 401, "not_signed_in"),
    ("GET", "/api/tables/classic/results", 401, "not_signed_in"),
]
REFUSED = [
    ("GET", "/api/nowhere", 404, "not_found"),
    ("GET", "/assets/nowhere.js", 404, "not_found"),
    ("GET", "/api/tables/nowhere/rules", 404, "no_such_table"),
    ("GET", "/api/rounds/nowhere", 404, "no_such_round"),
    ("DELETE", "/api/me", 405, "method_not_allowed"),
    ("GET", "/api/cashier/deposit", 405, "method_not_allowed"),
    ("GET", "/api/history?limit=0", 400, "malformed"),
    ("GET", "/api/statement?before=x", 400, "malformed"),
    ("GET", "/api/tables/classic/results?n=no", 400, "malformed"),
    ("POST", "/api/cashier/deposit", 400, "malformed"),
    ("POST", "/api/responsible-gaming/limit", 400, "malformed"),
    ("POST", "/api/staff/sign-in", 400, "malformed"),
]


def _problem(content: bytes) -> wire.Problem:
    """Decode a body that must be a Problem and nothing else."""
    problem = msgspec.json.decode(content, type=wire.Problem)
    assert msgspec.json.decode(content).keys() == {"code", "args"}
    known = refusal_codes()[problem.code]
    assert set(known.required) <= set(problem.args) <= set(known.args)
    return problem


@pytest.mark.parametrize(("method", "path", "status", "code"), OF_STRANGERS)
async def test_a_request_without_a_session_is_a_problem(
    http_server: ServerProcess, method: str, path: str, status: int, code: str
) -> None:
    async with Browser(http_server.address) as browser:
        answer = await browser.http.request(method, http_server.address + path)
    assert (answer.status_code, _problem(answer.content).code) == (status, code)


@pytest.mark.parametrize(("method", "path", "status", "code"), REFUSED)
async def test_every_error_is_a_problem(
    http_server: ServerProcess, method: str, path: str, status: int, code: str
) -> None:
    body = b"{" if method == "POST" else b""
    async with connect_guest(http_server.address) as browser:
        answer = await browser.http.request(method, http_server.address + path, content=body)
    assert (answer.status_code, _problem(answer.content).code) == (status, code)
    assert status != 405 or answer.headers["Allow"]


async def test_a_wrong_parameter_is_named(http_server: ServerProcess) -> None:
    async with connect_guest(http_server.address) as browser:
        answer = await browser.http.get(f"{http_server.address}/api/history?limit=0")
    assert str(_problem(answer.content).args["why"]).startswith("limit: ")


async def test_a_body_that_is_too_large_is_a_problem(http_server: ServerProcess) -> None:
    async with connect_guest(http_server.address) as browser:
        answer = await browser.http.post(
            f"{http_server.address}/api/responsible-gaming/limit", content=b" " * 11_000_000
        )
    assert (answer.status_code, _problem(answer.content).code) == (413, "too_large")


def test_an_internal_error_hides_its_cause() -> None:
    answer = malfunction(None, RuntimeError("the secret"))  # type: ignore[arg-type]
    assert (answer.status_code, answer.content) == (500, wire.Problem("malfunction", {}))


def test_the_body_has_the_seconds_to_wait() -> None:
    from litestar.exceptions import TooManyRequestsException

    answer = http_problem(None, TooManyRequestsException(headers={"Retry-After": "7"}))  # type: ignore[arg-type]
    assert answer.content == wire.Problem("too_many_requests", {"seconds": 7})
    assert answer.headers["Retry-After"] == "7"
