"""Every call of every outside system: what a player does to make it, and how it must end."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

from croupier.integration.payment_provider.provider import ProviderDecision
from croupier.protocol import wire
from croupier.protocol.signatures import Secret
from tests.faults.outside.run import START_MINOR, Run
from tests.support.accounts import PASSWORD, account_at, code_of, new_name, sent
from tests.support.browser_connection import Browser, another_browser, connect_guest, deal_open_round
from tests.support.identity_server import answer_for, finish, sign_in_elsewhere, start
from tests.support.operator import link_of, new_launch
from tests.support.payments import AMOUNT, begin, euros, listed, paid_in, reaches
from tests.support.reference_process import KEY

TABLE, STAKE = "classic", wire.Stake(0, "main", 100)
DISCOVERY = "/.well-known/openid-configuration"


# --- the operator's wallet


@asynccontextmanager
async def launched(run: Run) -> AsyncIterator[tuple[Browser, wire.Welcome]]:
    """Let the operator's player arrive."""
    run.fund()
    link = await asyncio.to_thread(
        link_of, run.site.server.address, new_launch(run.name, currency="SC"), Secret(KEY)
    )
    async with Browser(run.site.server.address) as browser:
        await sent(browser, "/api/launch", wire.LaunchToken(link.token))
        await browser.connect()
        welcome, _ = await browser.hello()
        yield browser, welcome


def of_wallet(balances: tuple[wire.Balance, ...]) -> wire.Balance:
    return next(balance for balance in balances if balance.currency == "SC")


async def balance(run: Run) -> None:
    await run.begin()

    async def arrive() -> str:
        async with launched(run) as (browser, welcome):
            first = of_wallet(welcome.balances)
            if run.fails:
                assert first.unknown, "no answer is taken for a balance"
            await run.end()
            while first.unknown:
                message = await browser.next()
                if isinstance(message, wire.BalanceUpdate) and message.balance.currency == "SC":
                    first = message.balance
            assert first.balance_minor == START_MINOR
            return "unknown" if run.fails else "balance"

    run.note(await arrive())


async def deal(browser: Browser) -> str:
    return (await browser.deal(TABLE, STAKE)).code or "accepted"


async def debit(run: Run) -> None:
    async with launched(run) as (browser, welcome):
        await browser.join(TABLE, "SC")
        await run.begin()
        told = await run.attempt(deal(browser))
        assert told in ("killed", "wallet_no_answer" if run.fails else "accepted")
        await run.end()
    if told == "accepted":
        await finish_round(run)
    await run.settle(welcome.player)


async def finish_round(run: Run) -> None:
    """Stand in the round that is open, if it is."""
    async with launched_again(run) as browser:
        played = (await browser.join(TABLE, "SC")).state().round
        while played and not played.view.ended:
            played = await stand(browser, played)


@asynccontextmanager
async def launched_again(run: Run) -> AsyncIterator[Browser]:
    address = run.site.server.address
    link = await asyncio.to_thread(link_of, address, new_launch(run.name, currency="SC"), Secret(KEY))
    async with Browser(address) as browser:
        await sent(browser, "/api/launch", wire.LaunchToken(link.token))
        await browser.connect()
        await browser.hello()
        yield browser


async def stand(browser: Browser, played: wire.PlayedRound) -> wire.PlayedRound | None:
    offered = [option.action for option in played.view.turns[0].options]
    action = next(name for name in offered if name == "stand" or name.startswith("decline"))
    return (await browser.decide(TABLE, played, action)).state().round


async def end_round(browser: Browser, played: wire.PlayedRound) -> str:
    last: wire.PlayedRound | None = played
    while last and not last.view.ended:
        last = await stand(browser, last)
    return "result"


async def owed(run: Run) -> None:
    """Let a round end, whose credit or end meets the fault. A lost round has no credit: play on."""
    async with launched(run) as (browser, welcome):
        await browser.join(TABLE, "SC")
        played = await deal_open_round(browser, TABLE, STAKE)
        await run.begin()
        told = await run.attempt(until_met(run, browser, played))
        assert told in ("killed", "result")
        await run.end()
    await run.settle(welcome.player)


async def until_met(run: Run, browser: Browser, played: wire.PlayedRound) -> str:
    told = await end_round(browser, played)
    while not await met_soon(run):
        told = await end_round(browser, await deal_open_round(browser, TABLE, STAKE))
    return told


async def met_soon(run: Run) -> bool:
    try:
        async with asyncio.timeout(0.4):
            await run.meet()
    except TimeoutError:
        return False
    return True


async def rollback(run: Run) -> None:
    async with launched(run) as (browser, welcome):
        await browser.join(TABLE, "SC")
        await run.begin(debit="contradict")
        told = await run.attempt(deal(browser))
        assert told in ("killed", "wallet_no_answer")
        await run.end()
    await run.settle(welcome.player)


# --- the payment provider, and the identity checks


async def ordered(browser: Browser, kind: str) -> str:
    return (await begin(browser, kind)).state


@asynccontextmanager
async def again(run: Run, browser: Browser) -> AsyncIterator[Browser]:
    """The same player, at the server that may have been started again."""
    async with another_browser(browser, run.site.server.address) as other:
        yield other


async def deposit(run: Run) -> None:
    async with account_at(run.site.server.address, new_name()) as browser:
        others = {"deposit": "drop"} if run.path == "/status" else {}
        await run.begin(**others)  # type: ignore[arg-type]
        told = await run.attempt(ordered(browser, "deposit"))
        # The server asks for the status at once, which may answer already.
        unknown = ("created", "unknown") if run.fails or others else ()
        assert told in ("killed", "pending", *unknown), told
        await run.end()
        async with again(run, browser) as other:
            payment = await only_payment(run, other)
            await reaches(other, payment, "pending")
            run.site.provider.decide(ProviderDecision(payment, "paid"))
            await reaches(other, payment, "confirmed")
            assert await euros(other) == AMOUNT


async def only_payment(run: Run, browser: Browser) -> str:
    """Return the payment; begin it if the server was killed before it was entered."""
    lines = (await listed(browser)).payments
    if not lines:
        assert run.killed
        await begin(browser, "deposit")
        lines = (await listed(browser)).payments
    (line,) = lines
    return line.payment


async def withdrawal(run: Run) -> None:
    async with account_at(run.site.server.address, new_name()) as browser:
        await paid_in(browser, run.site.provider)
        await run.begin()
        told = await run.attempt(ordered(browser, "withdraw"))
        late = "held" if run.system == "kyc" else "unknown"
        assert told in ("killed", "paid", late if run.fails else "paid"), told
        await run.end()
        async with again(run, browser) as other:
            line = next(one for one in (await listed(other)).payments if one.direction == "withdrawal")
            await reaches(other, line.payment, "paid")
            assert await euros(other) == 0
            assert run.site.provider.log.executed.count(("withdrawal", line.payment)) == 1


# --- the identity server, the registry and the mail server


async def identity(run: Run) -> None:
    run.site.identity.subject = run.name
    if run.path != "/token":
        await asyncio.to_thread(run.site.restart)  # forget the discovery document and the keys
    async with Browser(run.site.server.address) as browser:
        await browser.guest()
        answer = await answer_for(browser) if run.path == "/token" else None
        await run.begin()

        async def ask() -> str:
            asked = await (finish(browser, answer) if answer else start(browser))
            return code_of(asked) or "signed in"

        told = await run.attempt(ask())
        failed = "oidc_failed" if run.path == "/token" and run.fault == "contradict" else "oidc_unavailable"
        repeated = run.path == "/token" and run.fault == "duplicate"
        assert told == ("oidc_failed" if repeated else failed if run.fails else "signed in"), told
        await run.end()
        await browser.guest()
        assert (await sign_in_elsewhere(browser)).status_code == 200


async def registry(run: Run) -> None:
    async with connect_guest(run.site.server.address) as browser:
        account = wire.NewAccount(new_name(), PASSWORD)
        await run.begin()

        async def sign_up() -> str:
            return code_of(await sent(browser, "/api/account", account)) or "signed up"

        told = await run.attempt(sign_up())
        assert told == ("registry_unavailable" if run.fails else "signed up"), told
        await run.end()
        if run.fails:
            assert (await sent(browser, "/api/account", account)).status_code == 200


async def mail(run: Run) -> None:
    address = new_name()
    async with account_at(run.site.server.address, new_name()) as browser:
        await run.begin()

        async def ask() -> str:
            change = wire.MailAddressChange(address=address, password=PASSWORD)
            return code_of(await sent(browser, "/api/account/mail", change)) or "sent soon"

        assert await run.attempt(ask()) == "sent soon"
        await run.end()
        while address not in (await asyncio.to_thread(run.site.mail.next)).recipients:
            pass


CALLS: Mapping[tuple[str, str], Callable[[Run], Awaitable[None]]] = {
    ("wallet", "/balance"): balance,
    ("wallet", "/debit"): debit,
    ("wallet", "/credit"): owed,
    ("wallet", "/round-ended"): owed,
    ("wallet", "/rollback"): rollback,
    ("payments", "/deposit"): deposit,
    ("payments", "/status"): deposit,
    ("payments", "/withdraw"): withdrawal,
    ("kyc", "/kyc"): withdrawal,
    ("identity", DISCOVERY): identity,
    ("identity", "/jwks"): identity,
    ("identity", "/token"): identity,
    ("registry", "/check"): registry,
    ("mail", "message"): mail,
}
"""By system and path."""
KILLED = {path for system, path in CALLS if system in ("wallet", "payments", "kyc")} - {"/balance"}
"""Calls about money, during which the server is killed too."""
