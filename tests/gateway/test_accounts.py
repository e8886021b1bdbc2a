"""Accounts over the network: creation, sign-in on other devices, sign-out."""

import httpx
import msgspec
import pytest

from croupier.players.accounts import ATTEMPT_WINDOW_MS, ATTEMPTS_MAX
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
from tests.support.browser_connection import Browser, connect_guest, deal_open_round, fetch_balances
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio
STAKE = wire.Stake(0, "main", 1000)


async def test_a_guest_becomes_an_account_and_keeps_everything(server: ServerProcess) -> None:
    async with connect_guest(server.address) as browser:
        before = await browser.get("/api/me", wire.Me)
        await browser.join("classic")
        played = await deal_open_round(browser, "classic", STAKE)
        balances, name = await fetch_balances(browser), new_name()
        after = await browser.post("/api/account", wire.Me, wire.NewAccount(name, PASSWORD))
        assert (after.player, after.account, before.account) == (before.player, name, "")
        assert (before.has_password, after.has_password) == (False, True)
        assert await closed_soon(browser) == [], "the client reconnects by itself"
        await browser.connect()
        welcome, _ = await browser.hello()
        assert welcome.balances == balances
        assert welcome.open_tables == ("classic",)
        lines = (await browser.get("/api/history", wire.History)).lines
        assert lines[0].round == played.id


async def test_a_second_device_has_the_same_balance_settings_and_round(server: ServerProcess) -> None:
    name = new_name()
    async with account_at(server.address, name) as first:
        await first.join("classic")
        played = await deal_open_round(first, "classic", STAKE)
        settings = msgspec.structs.replace((await first.hello())[0].settings, cloth="claret")
        await first.ask(wire.SaveSettings("s", settings))
        here, _ = await first.hello()
        async with device_at(server.address, name.upper()) as second:
            there, messages = await second.hello([wire.ResumedTable("classic")])
            assert (there.player, there.balances, there.settings) == (here.player, here.balances, settings)
            assert there.session_started_ms == here.session_started_ms, "the visit goes on"
            (snapshot,) = (one for one in messages if isinstance(one, wire.TableSnapshot))
            assert snapshot.state.round == played
            assert (await second.get("/api/history", wire.History)).lines[0].round == played.id


async def test_signing_in_replaces_the_guest_of_the_browser(server: ServerProcess) -> None:
    name = new_name()
    async with account_at(server.address, name) as first, connect_guest(server.address) as other:
        player, cookies = await first.get("/api/me", wire.Me), httpx.Cookies(other.http.cookies)
        assert (await sign_in(other, name)).json()["player"] == player.player
        assert await closed_soon(other) == [wire.No("", "signed_out", {"why": "signed_in"})]
        other.http.cookies = cookies
        assert (await other.http.get(f"{other.address}/api/me")).status_code == 401, "its token is invalid"
        assert (await first.http.get(f"{first.address}/api/me")).status_code == 200


async def test_the_token_changes_and_the_old_one_is_refused(server: ServerProcess) -> None:
    async with Browser(server.address) as browser:
        await browser.guest()
        old = httpx.Cookies(browser.http.cookies)
        await browser.post("/api/account", wire.Me, wire.NewAccount(new_name(), PASSWORD))
        assert dict(old) != dict(browser.http.cookies)
        browser.http.cookies = old
        assert (await browser.http.get(f"{server.address}/api/me")).status_code == 401
        await browser.connect()
        await browser.send(wire.Hello(wire.PROTOCOL))
        assert await browser.next() == wire.No("", "not_signed_in", {})


async def test_signing_out_closes_the_sockets_of_this_device_alone(server: ServerProcess) -> None:
    name = new_name()
    async with account_at(server.address, name) as first, device_at(server.address, name) as second:
        cookies = httpx.Cookies(first.http.cookies)
        answer = await sent(first, "/api/sign-out")
        assert answer.status_code == 204
        assert "max-age=0" in answer.headers["set-cookie"].lower()
        assert await closed_soon(first) == [wire.No("", "signed_out", {"why": "signed_out"})]
        first.http.cookies = cookies
        assert (await first.http.get(f"{first.address}/api/me")).status_code == 401
        await second.drain()


async def test_exclusion_on_one_device_closes_the_other_and_is_known_at_the_next_sign_in(
    server: ServerProcess,
) -> None:
    name = new_name()
    async with account_at(server.address, name) as first, device_at(server.address, name) as second:
        await first.join("classic")
        await deal_open_round(first, "classic", STAKE)
        care = await second.post(
            "/api/responsible-gaming/break", wire.ResponsibleGaming, wire.BreakRequest("exclusion", 180)
        )
        assert care.barred is not None
        args: dict[str, str | int] = {"why": "exclusion", "until_ms": care.barred.until_ms}
        for device in (first, second):
            assert wire.No("", "barred", args) in await closed_soon(device)
        async with Browser(server.address) as third:
            assert code_of(await sign_in(third, name, "wrong password")) == "wrong_sign_in"
            me = msgspec.json.decode((await sign_in(third, name)).content, type=wire.Me)
            assert me.barred == care.barred
        lines = (await first.get("/api/history", wire.History)).lines
        assert {line.status for line in lines} == {"settled"}, "the open round was played to its end"


async def test_unknown_names_and_wrong_passwords_have_the_same_answer(http_server: ServerProcess) -> None:
    name = new_name()
    async with account_at(http_server.address, name), Browser(http_server.address) as browser:
        wrong = await sign_in(browser, name, "wrong password")
        unknown = await sign_in(browser, new_name(), "wrong password")
    same = [
        (one.status_code, one.content, sorted(one.headers), one.headers["content-length"])
        for one in (wrong, unknown)
    ]
    assert same[0] == same[1]
    assert (wrong.status_code, wrong.json()) == (401, {"code": "wrong_sign_in", "args": {}})


async def test_failed_sign_ins_are_logged_without_the_typed_text(http_server: ServerProcess) -> None:
    name, typed = new_name(), "typed-in-the-wrong-field"
    async with account_at(http_server.address, name) as ada, Browser(http_server.address) as browser:
        player = (await ada.get("/api/me", wire.Me)).player
        await sign_in(browser, name, "wrong password")
        await sign_in(browser, typed, "wrong password")
    log = http_server.log.read_text()
    assert f"a sign-in from 127.0.0.1 is refused: {player}" in log
    assert "a sign-in from 127.0.0.1 is refused: unknown name" in log
    assert typed not in log
    assert name not in log
    written = b"".join(file.read_bytes() for file in http_server.data.iterdir() if file.is_file())
    assert b"player_sign_in_refused" in written
    for secret in (typed, PASSWORD, "wrong password"):
        assert secret.encode() not in written


async def test_too_many_failed_sign_ins_answer_429_with_the_wait(http_server: ServerProcess) -> None:
    name = new_name()
    for known in (name, new_name()):
        async with Browser(http_server.address) as browser:
            if known == name:
                await browser.guest()
                await browser.post("/api/account", wire.Me, wire.NewAccount(name, PASSWORD))
            for _ in range(ATTEMPTS_MAX):
                assert code_of(await sign_in(browser, known, "wrong password")) == "wrong_sign_in"
            answer = await sign_in(browser, known)
            assert (answer.status_code, code_of(answer)) == (429, "too_many_tries")
            assert 0 < int(answer.headers["retry-after"]) <= ATTEMPT_WINDOW_MS // 1000


@pytest.mark.parametrize(
    ("name", "password", "code"),
    [
        ("ab", PASSWORD, "login_name"),
        ("a b c", PASSWORD, "login_name"),
        ("a@b", PASSWORD, "login_name"),
        ("ada\u202e", PASSWORD, "login_name"),
        ("ada-lovelace", "short", "weak_password"),
        ("ada-lovelace", "x" * 129, "weak_password"),
        ("ada-lovelace", "Ada-Lovelace", "weak_password"),
        ("x" * 1025, PASSWORD, "malformed"),
    ],
)
async def test_an_unusable_name_or_password_is_refused(
    http_server: ServerProcess, name: str, password: str, code: str
) -> None:
    async with Browser(http_server.address) as browser:
        await browser.guest()
        assert code_of(await sent(browser, "/api/account", wire.NewAccount(name, password))) == code
        assert (await browser.get("/api/me", wire.Me)).account == ""


async def test_a_name_is_taken_once_and_a_player_has_one_account(http_server: ServerProcess) -> None:
    name = new_name()
    async with account_at(http_server.address, name) as ada, Browser(http_server.address) as other:
        await other.guest()
        taken = await sent(other, "/api/account", wire.NewAccount(f" {name.upper()} ", PASSWORD))
        assert code_of(taken) == "name_taken"
        assert (await other.get("/api/me", wire.Me)).account == ""
        again = await sent(ada, "/api/account", wire.NewAccount(new_name(), PASSWORD))
        assert code_of(again) == "account_exists"


async def test_another_sites_page_can_neither_sign_in_nor_out(http_server: ServerProcess) -> None:
    evil = {"Origin": "http://evil.example"}
    async with account_at(http_server.address, name := new_name()) as browser:
        for path, body in (("sign-in", wire.PlayerSignIn(name, PASSWORD)), ("sign-out", None)):
            content = msgspec.json.encode(body) if body else b""
            answer = await browser.http.post(
                f"{http_server.address}/api/{path}", content=content, headers=evil
            )
            assert answer.status_code == 403
        await browser.get("/api/me", wire.Me)


async def test_the_cookie_is_hidden_from_scripts(http_server: ServerProcess) -> None:
    async with account_at(http_server.address, name := new_name()), Browser(http_server.address) as browser:
        cookie = (await sign_in(browser, name)).headers["set-cookie"].lower()
    assert cookie.startswith("croupier_session=")
    assert {"httponly", "samesite=strict"} <= {part.strip() for part in cookie.split(";")}
