"""Sign-in by an operator's identity server: whoever isn't proven to be a player doesn't become one."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import get_args

import pytest
from msgspec.structs import replace

from croupier.protocol import wire
from tests.dealing.waiting_round import assert_ledger_valid
from tests.support.accounts import PASSWORD, closed_soon, code_of, new_name, sent
from tests.support.browser_connection import (
    Browser,
    connect_guest,
    deal_open_round,
    fetch_balances,
    new_req,
)
from tests.support.identity_server import (
    AnswerFault,
    IdentityProvider,
    TokenFault,
    answer_for,
    finish,
    identity_provider,
    oidc_server,
    sign_in_elsewhere,
    start,
)
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

STAKE = wire.Stake(0, "main", 1000)
EXCLUSION = wire.BreakRequest("exclusion", 180)


@pytest.fixture(scope="module")
def provider() -> Iterator[IdentityProvider]:
    with identity_provider() as provider:
        yield provider


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, provider: IdentityProvider) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("oidc")
    with oidc_server(folder, provider, 'jurisdictions = ["GB", "MT"]\n') as server:
        yield server
    assert_ledger_valid(folder / "data")


@pytest.fixture(autouse=True)
def well_behaved(provider: IdentityProvider, request: pytest.FixtureRequest) -> None:
    provider.fault, provider.denial, provider.claims = None, "", {"jurisdiction": "MT"}
    provider.subject = request.node.name


@pytest.fixture
async def browser(site: ServerProcess) -> AsyncIterator[Browser]:
    async with Browser(site.address) as browser:
        await browser.guest()
        yield browser


async def test_a_new_guest_keeps_their_round_and_plays_it_on_another_device(site: ServerProcess) -> None:
    async with connect_guest(site.address) as first, Browser(site.address) as second:
        guest = await first.get("/api/me", wire.Me)
        await first.join("classic")
        played = await deal_open_round(first, "classic", STAKE)
        balances = await fetch_balances(first)
        me = (await sign_in_elsewhere(first)).json()
        assert (me["kind"], me["player"]) == ("oidc", guest.player)
        assert await closed_soon(first) == []
        await second.guest()
        assert (await sign_in_elsewhere(second)).json()["player"] == guest.player
        await second.connect()
        assert (await second.hello())[0].open_tables == ("classic",)
        assert await fetch_balances(second) == balances
        assert (await second.get("/api/history", wire.History)).lines[0].round == played.id


async def test_a_new_identity_on_two_devices_at_once_is_one_player(
    site: ServerProcess, browser: Browser
) -> None:
    async with Browser(site.address) as other:
        await other.guest()
        answers = [await answer_for(browser), await answer_for(other)]
        both = await asyncio.gather(finish(browser, answers[0]), finish(other, answers[1]))
    assert len({answer.json()["player"] for answer in both}) == 1


async def test_an_excluded_guest_is_excluded_under_the_new_identity(
    site: ServerProcess, browser: Browser
) -> None:
    await browser.post("/api/responsible-gaming/break", wire.ResponsibleGaming, EXCLUSION)
    assert (await sign_in_elsewhere(browser)).status_code == 200
    page = await browser.get("/api/responsible-gaming", wire.ResponsibleGaming)
    assert page.barred is not None
    async with connect_guest(site.address) as other:
        assert (await sign_in_elsewhere(other)).status_code == 200
        assert (await other.get("/api/me", wire.Me)).barred == page.barred


async def test_limits_and_settings_follow_to_another_device(site: ServerProcess) -> None:
    async with connect_guest(site.address) as first, Browser(site.address) as second:
        settings = wire.Settings(cloth="claret")
        assert not (await first.ask(wire.SaveSettings(new_req(), settings))).code
        limit = wire.LimitRequest("wager", "day", "GC", 500)
        await first.post("/api/responsible-gaming/limit", wire.ResponsibleGaming, limit)
        await sign_in_elsewhere(first)
        await second.guest()
        await sign_in_elsewhere(second)
        await second.connect()
        assert (await second.hello())[0].settings == settings
        await second.join("classic")
        assert (await second.deal("classic", STAKE)).code == "over_own_limit"


async def test_a_device_that_signs_out_becomes_a_guest_only_then(browser: Browser) -> None:
    player = (await sign_in_elsewhere(browser)).json()["player"]
    assert (await browser.guest()).player == player
    assert (await browser.http.post(f"{browser.address}/api/sign-out")).status_code == 204
    assert (await browser.guest()).kind == "guest"


async def test_a_device_that_was_signed_out_signs_in_again(site: ServerProcess, browser: Browser) -> None:
    player = (await sign_in_elsewhere(browser)).json()["player"]
    async with Browser(site.address) as other:
        await other.guest()
        await sign_in_elsewhere(other)
        await other.post("/api/account/devices/end-others", list[wire.SignedInDevice])
    refused = await browser.http.post(f"{browser.address}/api/guest")
    assert (refused.status_code, code_of(refused)) == (401, "signed_out")
    assert (await sign_in_elsewhere(browser)).json()["player"] == player


async def test_the_identity_servers_player_has_no_password_and_no_passkey(browser: Browser) -> None:
    await sign_in_elsewhere(browser)
    assert (
        code_of(await sent(browser, "/api/account", wire.NewAccount(new_name(), PASSWORD)))
        == "account_exists"
    )
    named = browser.address.replace("127.0.0.1", "localhost")
    page = {"Host": named.removeprefix("http://"), "Origin": named}
    creation = await browser.http.post(f"{browser.address}/api/passkeys/creation", headers=page)
    assert code_of(creation) == "no_account"


async def test_the_guest_of_a_known_players_browser_is_left_behind(
    site: ServerProcess, browser: Browser
) -> None:
    player = (await sign_in_elsewhere(browser)).json()["player"]
    async with connect_guest(site.address) as other:
        assert (await sign_in_elsewhere(other)).json()["player"] == player
        assert await closed_soon(other) == [wire.No("", "signed_out", {"why": "signed_in"})]


@pytest.mark.parametrize("fault", get_args(TokenFault))
async def test_an_unproven_player_is_refused(
    browser: Browser, provider: IdentityProvider, fault: TokenFault
) -> None:
    before = await browser.get("/api/me", wire.Me)
    provider.fault = fault
    assert code_of(await sign_in_elsewhere(browser)) == "oidc_failed"
    assert await browser.get("/api/me", wire.Me) == before


@pytest.mark.parametrize("fault", get_args(AnswerFault))
async def test_an_answer_that_cannot_be_read_is_refused(
    browser: Browser, provider: IdentityProvider, fault: AnswerFault
) -> None:
    before = await browser.get("/api/me", wire.Me)
    provider.fault = fault
    assert code_of(await sign_in_elsewhere(browser)) == "oidc_unavailable"
    assert await browser.get("/api/me", wire.Me) == before


async def test_a_sign_in_is_finished_once(browser: Browser) -> None:
    answer = await answer_for(browser)
    assert (await finish(browser, answer)).status_code == 200
    assert code_of(await finish(browser, answer)) == "oidc_expired"


async def test_a_code_is_accepted_once(browser: Browser) -> None:
    used = await answer_for(browser)
    await finish(browser, used)
    again = await answer_for(browser)
    assert code_of(await finish(browser, replace(again, code=used.code))) == "oidc_failed"


async def test_the_answer_to_another_browser_signs_nobody_in(site: ServerProcess, browser: Browser) -> None:
    """An attacker can't make somebody play, and pay in, as the attacker's player."""
    async with connect_guest(site.address) as victim:
        before = await victim.get("/api/me", wire.Me)
        assert code_of(await finish(victim, await answer_for(browser))) == "oidc_expired"
        assert await victim.get("/api/me", wire.Me) == before


@pytest.mark.parametrize("state", ["", "?", "AAAA", "é"])
async def test_an_unknown_state_is_refused(browser: Browser, state: str) -> None:
    assert code_of(await finish(browser, wire.IdentityServerAnswer(state, "code"))) == "oidc_expired"


@pytest.mark.parametrize(
    ("denial", "code"), [("access_denied", "oidc_denied"), ("server_error", "oidc_failed")]
)
async def test_a_denial_is_refused_and_uses_the_state_up(
    browser: Browser, provider: IdentityProvider, denial: str, code: str
) -> None:
    provider.denial = denial
    answer = await answer_for(browser)
    assert code_of(await finish(browser, answer)) == code
    assert code_of(await finish(browser, replace(answer, error="", code="code"))) == "oidc_expired"


async def test_the_answer_of_another_issuer_is_refused(browser: Browser) -> None:
    """A code of one identity server must not reach another (RFC 9207)."""
    answer = replace(await answer_for(browser), iss="https://another.example")
    assert code_of(await finish(browser, answer)) == "oidc_failed"


async def test_a_new_key_is_fetched_once(browser: Browser, provider: IdentityProvider) -> None:
    await sign_in_elsewhere(browser)
    provider.rotate()
    provider.asked.clear()
    assert (await sign_in_elsewhere(browser)).status_code == 200
    assert provider.asked.count("/jwks") == 1
    provider.asked.clear()
    assert (await sign_in_elsewhere(browser)).status_code == 200
    assert provider.asked.count("/jwks") == 0


@pytest.mark.parametrize("jurisdiction", ["US", "", None])
async def test_a_player_of_another_jurisdiction_is_refused(
    browser: Browser, provider: IdentityProvider, jurisdiction: str | None
) -> None:
    provider.claims = {"jurisdiction": jurisdiction}
    answer = await sign_in_elsewhere(browser)
    assert (code_of(answer), answer.json()["args"]["allowed"]) == ("wrong_jurisdiction", "GB, MT")


async def test_a_new_player_begins_in_the_currency_of_the_claim_and_may_change_it(
    browser: Browser, provider: IdentityProvider
) -> None:
    provider.claims = {"jurisdiction": "MT", "currency": "EUR", "locale": "mt-MT"}
    for chosen in ("EUR", "SC"):
        await sign_in_elsewhere(browser)
        await browser.connect()
        settings = (await browser.hello())[0].settings
        assert settings.currency == chosen
        await browser.ask(wire.SaveSettings(new_req(), replace(settings, currency="SC")))
        await browser.disconnect()


async def test_a_new_player_of_an_unknown_currency_is_refused(
    browser: Browser, provider: IdentityProvider
) -> None:
    provider.claims = {"jurisdiction": "MT", "currency": "ZWL"}
    assert code_of(await sign_in_elsewhere(browser)) == "no_such_currency"


@pytest.mark.parametrize("origin", ["https://evil.example", "null", ""])
async def test_only_a_page_of_the_site_begins_a_sign_in(browser: Browser, origin: str) -> None:
    """The browser comes back to the page's own origin only, so there is no open redirect."""
    assert code_of(await start(browser, Origin=origin)) == "cross_origin"


async def test_a_browser_without_a_cookie_begins_no_sign_in(site: ServerProcess) -> None:
    async with Browser(site.address) as stranger:
        assert code_of(await start(stranger)) == "not_signed_in"


async def test_without_an_identity_server_nobody_signs_in_there(http_server: ServerProcess) -> None:
    async with Browser(http_server.address) as browser:
        await browser.guest()
        assert (await browser.get("/api/server", wire.ServerInfo)).identity_server == ""
        assert code_of(await start(browser)) == "no_identity_server"
        assert code_of(await finish(browser, wire.IdentityServerAnswer("s", "c"))) == "no_identity_server"
