"""A11: `X-Forwarded-*` headers are trusted from configured proxies only."""

from collections.abc import Iterator

import httpx
import msgspec
import pytest

from croupier.protocol import wire
from tests.support.browser_connection import new_req
from tests.support.server_process import ServerProcess
from tests.support.servers import assert_clean_stop

pytestmark = pytest.mark.anyio
DEPOSIT = "/api/cashier/deposit"
PUBLIC = {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "tables.example"}


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server behind a proxy on the same machine."""
    folder = tmp_path_factory.mktemp("behind")
    server = ServerProcess(folder / "data", options=("--proxy", "127.0.0.0/8", "--proxy", "::1")).start()
    yield server
    assert_clean_stop(server)


async def changed(http: httpx.AsyncClient, **headers: str) -> int:
    """Return the status of a deposit."""
    order = msgspec.json.encode(wire.CashierRequest(new_req(), "EUR", 100))
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return (await http.post(DEPOSIT, content=order, headers=sent)).status_code


async def test_a_proxy_that_rewrites_the_host_forwards_the_origin(behind: ServerProcess) -> None:
    async with httpx.AsyncClient(base_url=behind.address, headers=PUBLIC) as http:
        made = await http.post("/api/guest", headers={"Origin": "https://tables.example"})
        assert made.status_code == 200
        cookie = made.headers["set-cookie"]
        assert cookie.startswith("__Host-croupier_session=")
        assert {"Secure", "HttpOnly", "Path=/"} <= {part.strip() for part in cookie.split(";")}
        assert "domain=" not in cookie.lower()
        http.headers["Cookie"] = cookie.partition(";")[0]
        assert await changed(http, Origin="https://tables.example") == 200
        assert await changed(http, Origin="https://tables.example:443") == 200
        assert await changed(http, Origin="http://tables.example") == 403
        assert await changed(http, Origin=behind.address) == 403
        moved = {"X_Forwarded_Port": "8443"}
        assert await changed(http, Origin="https://tables.example:8443", **moved) == 200
        assert await changed(http, Origin="https://tables.example", **moved) == 403


async def test_a_session_from_before_https_stays_valid(behind: ServerProcess) -> None:
    """The old cookie stays valid; the next sign-in sets the new one."""
    async with httpx.AsyncClient(base_url=behind.address) as http:
        me = (await http.post("/api/guest")).json()
        token = http.cookies["croupier_session"]
    sent = {**PUBLIC, "Cookie": f"croupier_session={token}"}
    async with httpx.AsyncClient(base_url=behind.address, headers=sent) as http:
        assert (await http.get("/api/me")).json() == me
        again = await http.post("/api/guest")
    assert again.json() == me
    assert again.headers["set-cookie"].startswith(f"__Host-croupier_session={token};")


async def test_the_last_value_is_the_proxys(behind: ServerProcess) -> None:
    async with httpx.AsyncClient(base_url=behind.address, headers=PUBLIC) as http:
        forged = {"X-Forwarded-Host": "evil.example, tables.example", "Origin": "https://evil.example"}
        assert (await http.post("/api/guest", headers=forged)).status_code == 403
        forged["Origin"] = "https://tables.example"
        assert (await http.post("/api/guest", headers=forged)).status_code == 200


@pytest.mark.parametrize("value", ["[bad", "a b", "\xff", "http://x", "a:99999", "," * 500])
async def test_malformed_headers_of_a_proxy_cause_no_error(behind: ServerProcess, value: str) -> None:
    for name in ("X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-Port"):
        sent = httpx.Headers([(name.encode(), value.encode("latin-1"))])
        async with httpx.AsyncClient(base_url=behind.address) as http:
            answer = await http.post("/api/guest", headers=sent)
            assert answer.status_code < 500


async def test_other_peers_are_not_trusted(fresh_server: ServerProcess) -> None:
    async with httpx.AsyncClient(base_url=fresh_server.address, headers=PUBLIC) as http:
        for _ in range(3):
            answer = await http.post("/api/guest", headers={"Origin": "https://tables.example"})
            assert answer.status_code == 403
        made = await http.post("/api/guest", headers={"Origin": fresh_server.address})
        assert made.headers["set-cookie"].startswith("croupier_session=")
    assert fresh_server.log.read_text().count("X-Forwarded-For from 127.0.0.1 is ignored") == 1
