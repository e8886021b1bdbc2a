"""A session alone takes over no account: credentials change only if one of them confirms it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from croupier.protocol import wire
from tests.support.accounts import PASSWORD, code_of, new_name, sent, sign_in
from tests.support.browser_connection import Browser
from tests.support.mail import Mailbox, text_of, token_of
from tests.support.mailing import SITE
from tests.support.passkeys import Device, passkey_account
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio
NEW = "battery staple"


@pytest.fixture
def mailbox(mailing: ServerProcess) -> Mailbox:
    found = Mailbox(mailing.data.parent / "mails")
    found.new()
    return found


async def passkeys_of(device: Browser) -> list[wire.PasskeyView]:
    return await device.get("/api/passkeys", list[wire.PasskeyView])


@asynccontextmanager
async def stolen(device: Device, mailing: ServerProcess) -> AsyncIterator[Device]:
    """Yield the browser of a thief who has the cookie of this device, and an authenticator of their own."""
    async with Device(mailing) as thief:
        thief.http.cookies = device.http.cookies
        yield thief


async def with_address(device: Device, mailbox: Mailbox, order: wire.MailAddressChange) -> None:
    """Give an account a verified address, and read the message about it."""
    answer = await device.sent("/api/account/mail", order)
    assert answer.status_code == 200, answer.text
    token = token_of(await mailbox.next(order.address))
    assert (await device.sent("/api/account/mail/verify", wire.MailLink(token))).status_code == 200
    assert "Another e-mail address was confirmed" in text_of(await mailbox.next(order.address))


@pytest.mark.parametrize("has_password", [True, False])
async def test_a_session_alone_changes_no_credential(mailing: ServerProcess, has_password: bool) -> None:
    name = new_name()
    async with Device(mailing) as device:
        if has_password:
            await device.post("/api/account", wire.Me, wire.NewAccount(name, PASSWORD))
            await device.add(password=PASSWORD)
        else:
            assert (await device.create_account(name)).status_code == 200
        known = await passkeys_of(device)
        async with stolen(device, mailing) as thief:
            wanted = await thief.post("/api/passkeys/creation", wire.PasskeyCreation)
            new = thief.authenticator.create(wanted)
            own = thief.authenticator.sign(await thief.challenge())
            challenge = await thief.post("/api/account/confirmation", wire.PasskeyChallenge)
            forged = thief.authenticator.sign(challenge)
            proofs: list[dict[str, Any]] = [
                {},
                {"password": "a guess"},
                {"passkey": own},
                {"passkey": forged},
            ]
            for proof in proofs:
                orders = {
                    "/api/passkeys": wire.PasskeyAddition(new, **proof),
                    "/api/passkeys/removal": wire.PasskeyRemoval(known[0].id, **proof),
                    "/api/account/mail": wire.MailAddressChange(new_name(), **proof),
                    "/api/account/mail/remove": wire.MailAddressRemoval(**proof),
                    "/api/account/password": wire.PasswordChange(NEW, **proof),
                }
                for path, order in orders.items():
                    refused = code_of(await thief.sent(path, order))
                    assert refused in ("not_confirmed", "wrong_password", "passkey_failed", "too_many_tries")
        assert await passkeys_of(device) == known
        assert await device.get("/api/account/mail", wire.AccountMail) == wire.AccountMail("", "")
        assert (await device.sign_in()).status_code == 200


async def test_a_sign_in_with_a_passkey_confirms_nothing(mailing: ServerProcess) -> None:
    """Whoever records a sign-in can't use it for a change, nor a confirmation for another one."""
    async with passkey_account(mailing, new_name()) as device:
        (known,) = await passkeys_of(device)
        signed_in = device.authenticator.sign(await device.challenge())
        order = wire.PasskeyRemoval(known.id, passkey=signed_in)
        assert code_of(await device.sent("/api/passkeys/removal", order)) == "passkey_failed"
        confirmed = await device.confirmed()
        assert (await device.sent("/api/account/mail", _address(confirmed))).status_code == 200
        assert code_of(await device.sent("/api/account/mail", _address(confirmed))) == "passkey_failed"


def _address(signed: wire.PasskeySignIn) -> wire.MailAddressChange:
    return wire.MailAddressChange(new_name(), passkey=signed)


async def test_every_change_is_told_to_the_address(mailing: ServerProcess, mailbox: Mailbox) -> None:
    name, address, other = new_name(), new_name(), new_name()
    async with Device(mailing) as device:
        await device.post("/api/account", wire.Me, wire.NewAccount(name, PASSWORD))
        await with_address(device, mailbox, wire.MailAddressChange(address, password=PASSWORD))
        assert (await device.add(password=PASSWORD)).status_code == 200
        said = text_of(await mailbox.next(address))
        assert "A passkey was added" in said
        for told in (
            f"Account: {name} at {SITE}",
            "Time: 20",
            "For 24 hours, withdrawals",
            "take the account back",
        ):
            assert told in said
        (passkey,) = await passkeys_of(device)
        assert (await device.remove(passkey.id, PASSWORD)).status_code == 200
        assert "A passkey was removed" in text_of(await mailbox.next(address))
        order = wire.MailAddressChange(other, password=PASSWORD)
        await with_address(device, mailbox, order)
        said = text_of(await mailbox.next(address))
        assert "Another e-mail address was confirmed" in said, "the former address is told too"
        assert "can no longer recover" in said
        removal = wire.MailAddressRemoval(password=PASSWORD)
        assert (await device.sent("/api/account/mail/remove", removal)).status_code == 200
        assert "was removed" in text_of(await mailbox.next(other))


async def test_a_passkey_alone_confirms_an_address_and_recovers_by_it(
    mailing: ServerProcess, mailbox: Mailbox
) -> None:
    name, address = new_name(), new_name()
    async with passkey_account(mailing, name) as device:
        signed = await device.confirmed()
        await with_address(device, mailbox, wire.MailAddressChange(address, passkey=signed))
        assert (await device.sent("/api/recovery", wire.RecoveryRequest(name))).status_code == 204
        token = token_of(await mailbox.next(address))
        assert (
            await device.sent("/api/recovery/password", wire.PasswordReset(token, NEW))
        ).status_code == 204
        assert code_of(await device.sign_in()) == "wrong_sign_in", "the passkey is gone"
        assert (await sign_in(device, name, NEW)).status_code == 200


async def test_recovery_lists_passkeys_and_devices_and_drops_all_that_are_not_kept(
    mailing: ServerProcess, mailbox: Mailbox
) -> None:
    """A passkey that a thief added with a stolen password doesn't survive."""
    name, address = new_name(), new_name()
    async with Device(mailing) as device, Browser(mailing.address) as stranger:
        await device.post("/api/account", wire.Me, wire.NewAccount(name, PASSWORD))
        await with_address(device, mailbox, wire.MailAddressChange(address, password=PASSWORD))
        await device.add("Own", PASSWORD)
        async with stolen(device, mailing) as thief:
            await thief.add("Stolen", PASSWORD)
        for _ in range(2):
            await mailbox.next(address)
        await sent(stranger, "/api/recovery", wire.RecoveryRequest(name))
        link = wire.RecoveryLink(token_of(await mailbox.next(address)))
        shown = await stranger.post("/api/recovery/account", wire.RecoveredAccount, link)
        assert (shown.account, [each.name for each in shown.passkeys]) == (name, ["Stolen", "Own"])
        assert len(shown.devices) == 1
        own = shown.passkeys[1]
        order = wire.PasswordReset(link.token, NEW, (own.id,))
        assert (await device.sent("/api/recovery/password", order)).status_code == 204
        said = text_of(await mailbox.next(address))
        assert "all devices were signed out" in said
        assert code_of(await device.sign_in(thief.authenticator)) == "wrong_sign_in"
        assert (await device.sign_in()).status_code == 200
        assert [each.name for each in await passkeys_of(device)] == ["Own"]
        assert code_of(await sent(stranger, "/api/recovery/account", link)) == "link_expired"


async def test_a_changed_password_ends_the_links_of_a_thief(mailing: ServerProcess, mailbox: Mailbox) -> None:
    """An address that waits for its link would recover the account for whoever asked for it."""
    thiefs = new_name()
    async with Device(mailing) as device:
        await device.post("/api/account", wire.Me, wire.NewAccount(new_name(), PASSWORD))
        await device.sent("/api/account/mail", wire.MailAddressChange(thiefs, password=PASSWORD))
        token = token_of(await mailbox.next(thiefs))
        change = wire.PasswordChange(NEW, password=PASSWORD)
        assert (await device.sent("/api/account/password", change)).status_code == 200
        assert code_of(await device.sent("/api/account/mail/verify", wire.MailLink(token))) == "link_expired"
