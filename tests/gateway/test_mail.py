"""E-mail addresses and recovery over the network, with messages in a folder."""

from statistics import median
from time import perf_counter

import httpx
import msgspec
import pytest

from croupier.players.accounts import ATTEMPTS_MAX
from croupier.players.recovery import MESSAGES_MAX
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
from tests.support.browser_connection import Browser, connect_guest
from tests.support.mail import Mailbox, link_of, text_of, token_of
from tests.support.mailing import SITE
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio
NEW = "battery staple"


@pytest.fixture
def mailbox(mailing: ServerProcess) -> Mailbox:
    found = Mailbox(mailing.data.parent / "mails")
    found.new()
    return found


async def change_address(browser: Browser, address: str, password: str = PASSWORD) -> httpx.Response:
    return await sent(browser, "/api/account/mail", wire.MailAddressChange(address, password=password))


async def verify(browser: Browser, token: str) -> httpx.Response:
    return await sent(browser, "/api/account/mail/verify", wire.MailLink(token))


async def with_address(browser: Browser, mailbox: Mailbox, address: str) -> None:
    """Give an account a verified address."""
    await change_address(browser, address)
    await browser.post(
        "/api/account/mail/verify",
        wire.VerifiedAddress,
        wire.MailLink(token_of(await mailbox.next(address))),
    )
    assert "was confirmed" in text_of(await mailbox.next(address))


async def recover(browser: Browser, name: str) -> httpx.Response:
    return await sent(browser, "/api/recovery", wire.RecoveryRequest(name))


async def reset(browser: Browser, token: str, password: str = NEW) -> httpx.Response:
    return await sent(browser, "/api/recovery/password", wire.PasswordReset(token, password))


async def mail_of(browser: Browser) -> wire.AccountMail:
    return await browser.get("/api/account/mail", wire.AccountMail)


async def test_an_address_is_the_accounts_once_its_link_is_opened(
    mailing: ServerProcess, mailbox: Mailbox
) -> None:
    name, address = "ada-" + new_name()[4:10], new_name()
    async with account_at(mailing.address, name) as ada, Browser(mailing.address) as stranger:
        assert await mail_of(ada) == wire.AccountMail("", "")
        assert (await change_address(ada, f" {address.upper()} ")).json() == {
            "address": "",
            "pending": address,
        }
        message = await mailbox.next(address)
        assert link_of(message).startswith(f"{SITE}/verify-address#")
        assert name in text_of(message)
        assert (await verify(stranger, token_of(message))).json() == {"address": address, "account": name}
        assert await mail_of(ada) == wire.AccountMail(address, "")
        assert code_of(await verify(stranger, token_of(message))) == "link_expired", "a link works once"


async def test_a_newer_link_replaces_an_older_one(mailing: ServerProcess, mailbox: Mailbox) -> None:
    async with account_at(mailing.address, new_name()) as ada:
        first, second = new_name(), new_name()
        await change_address(ada, first)
        await change_address(ada, second)
        tokens = [token_of(await mailbox.next(address)) for address in (first, second)]
        assert code_of(await verify(ada, tokens[0])) == "link_expired"
        assert (await verify(ada, tokens[1])).status_code == 200


async def test_an_address_belongs_to_one_account(mailing: ServerProcess, mailbox: Mailbox) -> None:
    address = new_name()
    async with account_at(mailing.address, new_name()) as ada, account_at(mailing.address, new_name()) as ben:
        await with_address(ada, mailbox, address)
        assert (await change_address(ben, address)).status_code == 200, "it doesn't tell who has an address"
        answer = await verify(ben, token_of(await mailbox.next(address)))
        assert (answer.status_code, code_of(answer)) == (409, "address_taken")
        assert (await mail_of(ada)).address == address
        assert (await mail_of(ben)).address == ""


@pytest.mark.parametrize(
    "address", ["ada", "ada@example", "a,b@example.org", "ada@exämple.org", "a\nb@example.org"]
)
async def test_an_unusable_address_is_refused(mailing: ServerProcess, mailbox: Mailbox, address: str) -> None:
    async with account_at(mailing.address, new_name()) as ada:
        assert code_of(await change_address(ada, address)) == "mail_address"
        assert await mail_of(ada) == wire.AccountMail("", "")
    assert mailbox.new() == []


async def test_an_address_changes_with_the_password_only(mailing: ServerProcess, mailbox: Mailbox) -> None:
    address = new_name()
    async with account_at(mailing.address, new_name()) as ada, connect_guest(mailing.address) as guest:
        await with_address(ada, mailbox, address)
        assert code_of(await change_address(ada, new_name(), "wrong password")) == "wrong_password"
        removal = wire.MailAddressRemoval(password="wrong password")
        assert code_of(await sent(ada, "/api/account/mail/remove", removal)) == "wrong_password"
        assert await mail_of(ada) == wire.AccountMail(address, "")
        assert code_of(await change_address(guest, new_name())) == "no_account"
        assert mailbox.new() == []
        removal = wire.MailAddressRemoval(password=PASSWORD)
        assert (await sent(ada, "/api/account/mail/remove", removal)).json() == {"address": "", "pending": ""}


async def test_wrong_passwords_are_limited_over_all_changes(mailing: ServerProcess) -> None:
    async with account_at(mailing.address, new_name()) as ada:
        for _ in range(ATTEMPTS_MAX - 1):
            assert code_of(await change_address(ada, new_name(), "wrong password")) == "wrong_password"
        change = wire.PasswordChange(NEW, password="wrong password")
        assert code_of(await sent(ada, "/api/account/password", change)) == "wrong_password"
        answer = await change_address(ada, new_name())
        assert (answer.status_code, code_of(answer)) == (429, "too_many_tries")


@pytest.mark.parametrize("by", ["name", "address"])
async def test_a_link_sets_a_new_password_and_ends_all_sessions(
    mailing: ServerProcess, mailbox: Mailbox, by: str
) -> None:
    name, address = new_name(), new_name()
    async with (
        account_at(mailing.address, name) as first,
        device_at(mailing.address, name) as second,
        Browser(mailing.address) as stranger,
    ):
        await with_address(first, mailbox, address)
        answer = await recover(stranger, {"name": name, "address": address}[by].upper())
        assert (answer.status_code, answer.content) == (204, b"")
        message = await mailbox.next(address)
        assert link_of(message).startswith(f"{SITE}/reset-password#")
        assert code_of(await reset(stranger, token_of(message), "short")) == "weak_password"
        assert (await reset(stranger, token_of(message))).status_code == 204
        for device in (first, second):
            assert await closed_soon(device) == [wire.No("", "signed_out", {"why": "password"})]
            assert code_of(await sent(device, "/api/guest")) == "signed_out"
        assert code_of(await reset(stranger, token_of(message), PASSWORD)) == "link_expired", "it works once"
        assert code_of(await sign_in(stranger, name)) == "wrong_sign_in"
        assert (await sign_in(stranger, name, NEW)).status_code == 200
        assert "was changed" in text_of(await mailbox.next(address))


async def test_a_changed_password_ends_links_and_is_reported(
    mailing: ServerProcess, mailbox: Mailbox
) -> None:
    name, address = new_name(), new_name()
    async with account_at(mailing.address, name) as ada:
        await with_address(ada, mailbox, address)
        await recover(ada, name)
        token = token_of(await mailbox.next(address))
        await sent(ada, "/api/account/password", wire.PasswordChange(NEW, password=PASSWORD))
        assert "was changed" in text_of(await mailbox.next(address))
        assert code_of(await reset(ada, token, PASSWORD)) == "link_expired"


async def test_nobody_learns_who_has_an_account_or_an_address(
    mailing: ServerProcess, mailbox: Mailbox
) -> None:
    known, unverified, address = new_name(), new_name(), new_name()
    async with account_at(mailing.address, known) as ada, account_at(mailing.address, unverified):
        await with_address(ada, mailbox, address)
        answers = [await recover(ada, name) for name in (known, address, unverified, new_name(), "")]
        assert len({(one.status_code, one.content, *sorted(one.headers)) for one in answers}) == 1
        for _ in range(2):
            assert link_of(await mailbox.next(address))
        assert mailbox.new() == [], "an address that isn't verified gets no mail"


async def test_known_and_unknown_names_are_answered_in_the_same_time(
    mailing: ServerProcess, mailbox: Mailbox
) -> None:
    known: list[str] = []
    async with Browser(mailing.address) as stranger:
        for _ in range(2):
            async with account_at(mailing.address, name := new_name()) as ada:
                await with_address(ada, mailbox, name)
                known.append(name)
        times: dict[bool, list[float]] = {True: [], False: []}
        for _ in range(MESSAGES_MAX):
            for name, is_known in (
                (known[0], True),
                (new_name(), False),
                (known[1], True),
                (new_name(), False),
            ):
                began = perf_counter()
                await recover(stranger, name)
                times[is_known].append(perf_counter() - began)
    assert median(times[True]) < 3 * median(times[False]) + 0.05
    assert median(times[False]) < 3 * median(times[True]) + 0.05


async def test_a_name_that_is_typed_too_often_is_refused_known_or_not(
    mailing: ServerProcess, mailbox: Mailbox
) -> None:
    name = new_name()
    async with account_at(mailing.address, name) as ada:
        await with_address(ada, mailbox, name)
        for typed in (name, new_name()):
            for _ in range(MESSAGES_MAX):
                assert (await recover(ada, typed)).status_code == 204
            answer = await recover(ada, typed)
            assert (answer.status_code, code_of(answer)) == (429, "too_many_tries")


async def test_the_database_and_the_logs_have_no_token_and_no_password(
    mailing: ServerProcess, mailbox: Mailbox
) -> None:
    name = new_name()
    async with account_at(mailing.address, name) as ada:
        await change_address(ada, name)
        secrets = [token_of(await mailbox.next(name))]
        await verify(ada, secrets[0])
        await mailbox.next(name)
        await recover(ada, name)
        secrets.append(token_of(await mailbox.next(name)))
        written = b"".join(file.read_bytes() for file in mailing.data.iterdir() if file.is_file())
        await reset(ada, secrets[1])
    written += b"".join(file.read_bytes() for file in mailing.data.iterdir() if file.is_file())
    for secret in (*secrets, NEW):
        assert secret.encode() not in written
        assert secret not in mailing.log.read_text()
    for event in ("player_recovery_request", "player_password_reset", "player_mail_address"):
        assert event.encode() in written


@pytest.mark.parametrize("token", ["", "x", "a" * 43, "%00", "' OR 1=1 --"])
async def test_an_invented_token_changes_nothing(mailing: ServerProcess, token: str) -> None:
    async with Browser(mailing.address) as stranger:
        assert code_of(await verify(stranger, token)) == "link_expired"
        assert code_of(await reset(stranger, token)) == "link_expired"


async def test_a_token_serves_its_own_purpose_only(mailing: ServerProcess, mailbox: Mailbox) -> None:
    name = new_name()
    async with account_at(mailing.address, name) as ada:
        await change_address(ada, name)
        token = token_of(await mailbox.next(name))
        assert code_of(await reset(ada, token)) == "link_expired"
        assert (await verify(ada, token)).status_code == 200


async def test_the_links_never_lead_to_the_host_of_a_request(
    mailing: ServerProcess, mailbox: Mailbox
) -> None:
    name = new_name()
    async with account_at(mailing.address, name) as ada:
        await with_address(ada, mailbox, name)
        answer = await ada.http.post(
            f"{mailing.address}/api/recovery",
            content=msgspec.json.encode(wire.RecoveryRequest(name)),
            headers={"Host": "evil.example", "X-Forwarded-Host": "evil.example"},
        )
        assert answer.status_code == 204
        assert link_of(await mailbox.next(name)).startswith(SITE)


async def test_a_server_without_mail_says_so(http_server: ServerProcess) -> None:
    async with account_at(http_server.address, new_name()) as ada:
        assert not (await ada.get("/api/server", wire.ServerInfo)).mail
        for answer in (await recover(ada, new_name()), await change_address(ada, new_name())):
            assert (answer.status_code, code_of(answer)) == (409, "mail_not_offered")


async def test_a_server_with_mail_says_so(mailing: ServerProcess) -> None:
    async with Browser(mailing.address) as browser:
        assert (await browser.get("/api/server", wire.ServerInfo)).mail
