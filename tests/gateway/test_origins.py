"""A8: pages of another scheme, host or port are refused; every response has its headers."""

import socket
from pathlib import Path

import httpx
import msgspec
import pytest
from websockets.exceptions import InvalidStatus

from croupier.gateway.cookies import session_cookie, session_token
from croupier.gateway.origins import Origin, PublicOrigins, origin_of_socket, read_host, read_origin
from croupier.protocol import wire
from tests.support.browser_connection import Browser, connect_guest, fetch_balances, new_req
from tests.support.server_process import ServerProcess
from tests.support.servers import assert_clean_stop

pytestmark = pytest.mark.anyio
DEPOSIT = "/api/cashier/deposit"


def others(address: str) -> list[str]:
    """Return origins that differ from the server's in one respect, or look similar."""
    host = address.removeprefix("http://")
    return [
        "http://127.0.0.1:9999",
        "http://127.0.0.1",
        f"https://{host}",
        f"http://evil@{host}",
        f"http://{host}@evil.example",
        f"http://{host}.evil.example",
        f"http://{host}/",
        f"ftp://{host}",
        "http://[bad",
        "null",
        "",
    ]


async def test_a_page_of_another_scheme_host_or_port_changes_nothing(http_server: ServerProcess) -> None:
    async with connect_guest(http_server.address) as browser:
        before = await fetch_balances(browser)
        for origin in others(http_server.address):
            order = msgspec.json.encode(wire.CashierRequest(new_req(), "EUR", 100))
            answer = await browser.http.post(
                http_server.address + DEPOSIT, content=order, headers={"Origin": origin}
            )
            assert (origin, answer.status_code) == (origin, 403)
            assert answer.json()["code"] == "cross_origin"
        assert await fetch_balances(browser) == before


@pytest.mark.parametrize(
    ("site", "status"), [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)]
)
async def test_fetch_metadata_refuses_other_sites_even_without_an_origin(
    http_server: ServerProcess, site: str, status: int
) -> None:
    async with connect_guest(http_server.address) as browser:
        order = msgspec.json.encode(wire.CashierRequest(new_req(), "EUR", 100))
        for own in ({}, {"Origin": http_server.address}):
            answer = await browser.http.post(
                http_server.address + DEPOSIT, content=order, headers={"Sec-Fetch-Site": site, **own}
            )
            assert answer.status_code == status


async def test_a_page_of_another_scheme_host_or_port_gets_no_socket(server: ServerProcess) -> None:
    async with connect_guest(server.address) as browser:
        port = (await browser.get("/api/server", wire.ServerInfo)).socket_port
        for origin in (*others(server.address), f"http://127.0.0.1:{port}"):
            with pytest.raises(InvalidStatus) as refused:
                await browser.connect(headers={"Origin": origin})
            assert (origin, refused.value.response.status_code) == (origin, 403)


async def test_a_configured_origin_may_use_both_ports(tmp_path: Path) -> None:
    words = ("--public-origin", "https://tables.example", "--public-socket", "wss://live.example:8443/ws")
    server = ServerProcess(tmp_path / "data", options=words).start()
    try:
        async with Browser(server.address) as browser:
            port = (await browser.get("/api/server", wire.ServerInfo)).socket_port
            for origin, status in (
                ("https://tables.example", 200),
                ("https://live.example:8443", 200),
                (server.address, 200),
                ("http://tables.example", 403),
                ("https://live.example", 403),
            ):
                answer = await browser.http.post(f"{server.address}/api/guest", headers={"Origin": origin})
                assert (origin, answer.status_code) == (origin, status)
                assert _handshake(port, origin) == (101 if status == 200 else status)
    finally:
        assert_clean_stop(server)


def _handshake(port: int, origin: str) -> int:
    """Return the status of a WebSocket handshake."""
    key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="
    headers = (
        f"Host: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nOrigin: {origin}\r\n{key}"
    )
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        line.sendall(f"GET /ws HTTP/1.1\r\n{headers}\r\n\r\n".encode())
        return int(line.recv(100).split()[1])


def test_default_ports_and_letters_of_any_case_are_the_same_origin() -> None:
    assert read_origin("HTTP://Tables.Example:80") == Origin("http", "tables.example", 80)
    assert read_origin("https://tables.example") == Origin("https", "tables.example", 443)
    assert read_origin("https://[2001:db8::1]:8443") == Origin("https", "[2001:db8::1]", 8443)
    assert read_origin("http://tables.example:65536") is None
    assert read_host("tables.example:x") is None
    assert origin_of_socket("wss://tables.example/ws") == Origin("https", "tables.example", 443)
    own = Origin("http", "tables.example", 80)
    assert PublicOrigins(8000).has("http://tables.example", own)
    assert not PublicOrigins(8000).has("http://tables.example:8000", own)


# --- answers


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/nowhere.js", 404),
        ("GET", "/assets/x", 404),
        ("GET", "/assets/x.js", 404),
        ("GET", "/assets", 404),
        ("GET", "/api", 404),
        ("GET", "/api/nowhere", 404),
        ("GET", "/api/me", 401),
        ("GET", "/api/history", 401),
        ("GET", "/api/tables/nowhere/rules", 404),
        ("DELETE", "/api/me", 405),
        ("POST", "/", 405),
        ("GET", "/api/tables", 200),
    ],
)
async def test_every_answer_has_the_security_headers(
    http_server: ServerProcess, method: str, path: str, status: int
) -> None:
    async with Browser(http_server.address) as browser:
        answer = await browser.http.request(method, http_server.address + path)
    assert answer.status_code == status
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    if status >= 400:
        assert answer.headers["cache-control"] == "no-store"
    assert "immutable" not in answer.headers.get("cache-control", "")


@pytest.mark.parametrize("raw", [b"GET / HTTP/1.1\r\nHost: [bad\r\n\r\n", b"no request\r\n\r\n"])
def test_answers_to_malformed_requests_have_them_too(http_server: ServerProcess, raw: bytes) -> None:
    at = httpx.URL(http_server.address)
    with socket.create_connection((at.host, at.port or 80), timeout=10) as line:
        line.sendall(raw)
        answer = line.recv(4096).decode().lower()
    assert answer.startswith("http/1.1 400")
    assert "x-content-type-options: nosniff" in answer
    assert "content-security-policy: default-src 'none'" in answer


PRIVATE = ("me", "history", "statement", "responsible-gaming", "tables/classic/results")


async def test_players_data_is_not_cached(http_server: ServerProcess) -> None:
    async with connect_guest(http_server.address) as browser:
        for path in PRIVATE:
            answer = await browser.http.get(f"{http_server.address}/api/{path}")
            assert (path, answer.headers["cache-control"]) == (path, "no-store")
        order = msgspec.json.encode(wire.CashierRequest(new_req(), "EUR", 100))
        answer = await browser.http.post(http_server.address + DEPOSIT, content=order)
        assert answer.headers["cache-control"] == "no-store"


# --- cookies


def test_over_https_the_session_cookie_is_host_only() -> None:
    cookie = session_cookie("croupier_session", "token", "https")
    assert (cookie.key, cookie.secure, cookie.path) == ("__Host-croupier_session", True, "/")
    plain = session_cookie("croupier_session", "token", "http")
    assert (plain.key, plain.secure) == ("croupier_session", False)


@pytest.mark.parametrize(
    ("sent", "token"),
    [
        ("croupier_session=old", "old"),
        ("__Host-croupier_session=new", "new"),
        ("croupier_session=old; __Host-croupier_session=new", "new"),
        ('other={"a": "b;c"}; croupier_session=old', "old"),
        ("xcroupier_session=old", ""),
        ("croupier_session=\udcff", ""),
        ("croupier_session=", ""),
        ("", ""),
    ],
)
def test_a_session_from_before_the_upgrade_stays_valid(sent: str, token: str) -> None:
    assert session_token(lambda _: sent, "croupier_session") == token
