"""An external self-exclusion registry is asked about accounts, over HTTP."""

import asyncio
import hmac
import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple, Self

import msgspec
import pytest

from croupier.accounts.responsible_gaming import DAY_MS, PERMANENT_MS
from croupier.clock import now_ms
from croupier.protocol import wire
from tests.support.accounts import (
    PASSWORD,
    account_at,
    closed_soon,
    code_of,
    device_at,
    new_name,
    sent,
    sign_in,
)
from tests.support.browser_connection import Browser, connect_guest, fetch_balances
from tests.support.identity_server import CLIENT_SECRET, CONFIG, identity_provider, sign_in_elsewhere
from tests.support.passkeys import Device, passkey_account
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

KEY = b"a key of thirty-two bytes or more"
NOT_LISTED = b'{"excluded": false}'
DEPOSIT = wire.CashierRequest("d1", "GC", 1000)


class Registry:
    """A registry on this machine: what it answers, and what it was asked."""

    def __init__(self) -> None:
        self.status = 200
        self.body = NOT_LISTED
        self.delay_s = 0.0
        self.asked: list[dict[str, Any]] = []
        self.raw: list[tuple[str, str, bytes]] = []

    def reset(self) -> Self:
        """Forget what was asked, and list nobody."""
        self.answer_with(200, NOT_LISTED)
        self.asked.clear()
        self.raw.clear()
        return self

    def answer_with(self, status: int, body: bytes, delay_s: float = 0.0) -> None:
        """Answer every question like this from now on."""
        self.status = status
        self.body = body
        self.delay_s = delay_s

    def list_all(self, until_ms: int | None) -> None:
        self.body = json.dumps({"excluded": True, "until_ms": until_ms}).encode()

    @property
    def occasions(self) -> list[str]:
        return [question["occasion"] for question in self.asked]


@contextmanager
def serving(registry: Registry) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            registry.asked.append(json.loads(body))
            stamps = self.headers["Croupier-Timestamp"], self.headers["Croupier-Signature"]
            registry.raw.append((*stamps, body))
            time.sleep(registry.delay_s)
            self.send_response(registry.status)
            self.send_header("Location", "http://127.0.0.1:9/")
            self.end_headers()
            self.wfile.write(registry.body)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=listening.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{listening.server_port}/check"
    listening.shutdown()
    listening.server_close()


@contextmanager
def asking(folder: Path, registry: Registry, more: str = "") -> Iterator[ServerProcess]:
    with serving(registry) as url:
        (folder / "registry.key").write_bytes(KEY)
        config = folder / "croupier.toml"
        config.write_text(
            f'[responsible_gaming]\nregistry_url = "{url}"\nregistry_key_file = "registry.key"\n{more}\n'
        )
        server = ServerProcess(folder / "data", options=("--config", str(config))).start()
        yield server
        server.stop()


BARRED_WITHIN_S = 20
NO_CACHE = "registry_cache_minutes = 0"
PAID_AT_ONCE = '[payments.currencies.SC]\nprovider = "play_money"'


class AskingServer(NamedTuple):
    """A server and the registry that it asks."""

    address: str
    process: ServerProcess
    registry: Registry


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], AskingServer]]:
    """Return the server with a configuration, the same for all tests that use it; it has no listings yet."""
    with ExitStack() as stack:

        @cache
        def server_with(more: str) -> AskingServer:
            registry = Registry()
            process = stack.enter_context(asking(tmp_path_factory.mktemp("asking"), registry, more))
            return AskingServer(process.address, process, registry)

        yield server_with


@pytest.fixture
def strict(servers: Callable[[str], AskingServer]) -> AskingServer:
    """A server that keeps no answer."""
    found = servers(f"{NO_CACHE}\n{PAID_AT_ONCE}")
    found.registry.reset()
    return found


@pytest.fixture
def keeping(servers: Callable[[str], AskingServer]) -> AskingServer:
    """A server that keeps answers."""
    found = servers("")
    found.registry.reset()
    return found


@pytest.fixture
def impatient(servers: Callable[[str], AskingServer]) -> AskingServer:
    """A server that waits half a second for an answer."""
    found = servers(f"registry_timeout_ms = 500\n{NO_CACHE}")
    found.registry.reset()
    return found


@pytest.fixture
def allowing(servers: Callable[[str], AskingServer]) -> AskingServer:
    """A server that lets players in without an answer; the registry has none."""
    found = servers('registry_unanswered = "allow"')
    found.registry.reset().status = 503
    return found


async def test_the_questions_are_signed_and_name_nobody(strict: AskingServer) -> None:
    name = new_name()
    async with account_at(strict.address, name) as browser, device_at(strict.address, name.upper()):
        assert code_of(await sent(browser, "/api/cashier/deposit", DEPOSIT)) == ""
    assert strict.registry.occasions == ["account", "sign_in", "deposit"]
    subject = hmac.new(KEY, b"croupier-subject." + name.encode(), sha256).hexdigest()
    assert {question["subject"] for question in strict.registry.asked} == {subject}
    for stamp, signature, body in strict.registry.raw:
        assert signature == "v1=" + hmac.new(KEY, stamp.encode() + b"." + body, sha256).hexdigest()
        assert abs(int(stamp) - time.time()) < 300
        assert name.encode() not in body


async def test_an_answer_holds_for_the_configured_time(keeping: AskingServer) -> None:
    async with account_at(keeping.address, new_name()) as browser:
        for number in range(3):
            request = wire.CashierRequest(f"d{number}", "GC", 1000)
            assert code_of(await sent(browser, "/api/cashier/deposit", request)) == ""
    assert keeping.registry.occasions == ["account"]


async def test_a_listed_player_gets_no_account(keeping: AskingServer) -> None:
    keeping.registry.list_all(None)
    async with connect_guest(keeping.address) as browser:
        answer = await sent(browser, "/api/account", wire.NewAccount(new_name(), PASSWORD))
        assert (code_of(answer), answer.json()["args"]) == (
            "barred",
            {"why": "registry", "until_ms": PERMANENT_MS},
        )
        assert (await browser.get("/api/me", wire.Me)).account == ""


async def test_a_player_listed_later_is_barred_as_by_self_exclusion(strict: AskingServer) -> None:
    name = new_name()
    until_ms = now_ms() + 400 * DAY_MS
    async with account_at(strict.address, name) as browser:
        before = await browser.get("/api/statement", list[wire.StatementEntry])
        strict.registry.list_all(until_ms)
        answer = await sent(browser, "/api/cashier/deposit", DEPOSIT)
        assert (code_of(answer), answer.json()["args"]["until_ms"]) == ("barred", until_ms)
        assert await closed_soon(browser)
        assert await browser.get("/api/statement", list[wire.StatementEntry]) == before
        page = await browser.get("/api/responsible-gaming", wire.ResponsibleGaming)
        assert page.barred == wire.ActiveBreak("registry", until_ms)
    # What the registry says later shortens nothing.
    strict.registry.body = NOT_LISTED
    async with Browser(strict.address) as other:
        me = msgspec.json.decode((await sign_in(other, name)).content, type=wire.Me)
        assert me.barred == wire.ActiveBreak("registry", until_ms)


async def test_a_listed_player_pays_nothing_in_by_a_payment_provider(strict: AskingServer) -> None:
    async with account_at(strict.address, new_name()) as browser:
        order = wire.CashierRequest("p1", "SC", 1000)
        assert code_of(await sent(browser, "/api/payments/deposit", order)) == ""
        before = await browser.get("/api/payments", wire.PaymentList)
        strict.registry.list_all(None)
        order = wire.CashierRequest("p2", "SC", 1000)
        assert code_of(await sent(browser, "/api/payments/deposit", order)) == "barred"
        assert await browser.get("/api/payments", wire.PaymentList) == before
    assert strict.registry.occasions == ["account", "deposit", "deposit"]


async def test_passkeys_are_asked_about_too(strict: AskingServer) -> None:
    name = new_name()
    async with passkey_account(strict.process, name) as device:
        assert (await device.sign_in()).status_code == 200
        strict.registry.list_all(None)
        me = msgspec.json.decode((await device.sign_in()).content, type=wire.Me)
        assert me.barred == wire.ActiveBreak("registry", PERMANENT_MS)
    async with Device(strict.process) as other:
        assert code_of(await other.create_account(new_name())) == "barred"
    assert strict.registry.occasions == ["account", "sign_in", "sign_in", "account"]
    subject = hmac.new(KEY, b"croupier-subject." + name.encode(), sha256).hexdigest()
    assert [question["subject"] == subject for question in strict.registry.asked] == [True, True, True, False]


async def test_players_of_an_identity_server_are_asked_about_too(tmp_path: Path) -> None:
    registry = Registry()
    (tmp_path / "oidc.secret").write_text(CLIENT_SECRET)
    with identity_provider() as provider:
        more = NO_CACHE + CONFIG.format(issuer=provider.issuer)
        with asking(tmp_path, registry, more) as server:
            provider.allow(server)
            async with connect_guest(server.address) as browser, Browser(server.address) as other:
                assert (await sign_in_elsewhere(browser)).status_code == 200
                assert code_of(await sent(browser, "/api/cashier/deposit", DEPOSIT)) == ""
                registry.list_all(None)
                await other.guest()
                assert (await sign_in_elsewhere(other)).status_code == 200
                assert (await other.get("/api/me", wire.Me)).barred is not None
                await sent(other, "/api/sign-out")
                await other.guest()
                provider.subject = "bob"
                assert code_of(await sign_in_elsewhere(other)) == "barred"
                assert (await other.get("/api/me", wire.Me)).kind == "guest"
    assert registry.occasions == ["account", "deposit", "sign_in", "account"]
    subject = hmac.new(KEY, f"croupier-subject.{provider.issuer} ada".encode(), sha256).hexdigest()
    assert [question["subject"] == subject for question in registry.asked] == [True, True, True, False]


async def test_only_the_right_password_learns_of_a_listing(strict: AskingServer) -> None:
    name = new_name()
    async with account_at(strict.address, name):
        strict.registry.list_all(None)
        async with Browser(strict.address) as other:
            assert code_of(await sign_in(other, name, "another password")) == "wrong_sign_in"
            assert strict.registry.occasions == ["account"]
            assert (await sign_in(other, name)).json()["barred"]["why"] == "registry"


@pytest.mark.parametrize(
    ("status", "body", "delay_s"),
    [
        (500, NOT_LISTED, 0),
        (302, NOT_LISTED, 0),
        (200, b"garbage", 0),
        (200, b'{"excluded": 1}', 0),
        (200, b"\xff\xfe", 0),
        (200, b"[" * 4_000, 0),
        (200, NOT_LISTED + b" " * 300_000, 0),
        (200, NOT_LISTED, 1.5),
    ],
)
async def test_without_an_answer_players_are_refused(
    impatient: AskingServer, status: int, body: bytes, delay_s: float
) -> None:
    async with account_at(impatient.address, new_name()) as browser:
        before = await fetch_balances(browser)
        impatient.registry.answer_with(status, body, delay_s)
        answer = await sent(browser, "/api/cashier/deposit", DEPOSIT)
        assert code_of(answer) == "registry_unavailable"
        assert await fetch_balances(browser) == before
        impatient.registry.answer_with(200, NOT_LISTED)
        assert code_of(await sent(browser, "/api/cashier/deposit", DEPOSIT)) == ""


async def test_without_an_answer_only_excluded_players_sign_in(strict: AskingServer) -> None:
    """They can only withdraw."""
    for name, days, code in ((new_name(), 0, "registry_unavailable"), (new_name(), 180, "")):
        strict.registry.status = 200
        async with account_at(strict.address, name) as browser, Browser(strict.address) as other:
            if days:
                order = wire.BreakRequest("exclusion", days)
                await browser.post("/api/responsible-gaming/break", wire.ResponsibleGaming, order)
            strict.registry.status = 503
            assert code_of(await sign_in(other, name)) == code


async def test_without_an_answer_players_are_admitted_where_so_configured(allowing: AskingServer) -> None:
    async with account_at(allowing.address, new_name()) as browser:
        assert code_of(await sent(browser, "/api/cashier/deposit", DEPOSIT)) == ""
    assert {"account", "deposit"} == {*allowing.registry.occasions}, "no absence of an answer is kept"


async def test_who_is_let_in_without_an_answer_is_barred_once_the_registry_lists_them(
    allowing: AskingServer,
) -> None:
    async with account_at(allowing.address, new_name()) as browser:
        allowing.registry.status = 200
        allowing.registry.list_all(None)
        async with asyncio.timeout(BARRED_WITHIN_S):
            while (await browser.get("/api/me", wire.Me)).barred is None:  # noqa: ASYNC110 - the server brings it about
                await asyncio.sleep(0.1)


async def test_a_guest_has_no_name_to_ask_about(keeping: AskingServer) -> None:
    keeping.registry.list_all(None)
    async with connect_guest(keeping.address) as browser:
        assert code_of(await sent(browser, "/api/cashier/deposit", DEPOSIT)) == ""
    assert keeping.registry.asked == []
