"""A command is executed once: sent again, it gets the same answer and changes nothing."""

import asyncio

import pytest

from croupier.protocol import wire
from tests.support.browser_connection import (
    Answer,
    Browser,
    Request,
    another_browser,
    connect_guest,
    deal_open_round,
    fetch_balances,
    new_req,
)
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

STAKE = wire.Stake(0, "main", 1000)


async def _play(browser: Browser) -> list[Request]:
    """Deal a round with two boxes and decide once; return the commands."""
    await browser.join("multihand", "GC")
    while True:
        deal = wire.DealRound(new_req(), "multihand", (STAKE, wire.Stake(1, "main", 2000)))
        played = (await browser.ask(deal)).state().round
        assert played is not None
        if not played.view.ended:
            break
    turn, actions = played.view.turns[0], [option.action for option in played.view.turns[0].options]
    action = next(one for one in ("stand", "decline_insurance", "decline_even_money") if one in actions)
    decide = wire.Decide(new_req(), "multihand", played.id, played.turn, turn.box, turn.hand, action)
    assert (await browser.ask(decide)).code == ""
    return [deal, decide]


async def _send_again(browser: Browser, commands: list[Request]) -> list[Answer]:
    return [await browser.ask(command) for command in commands]


async def _check_unchanged(browser: Browser, commands: list[Request], sender: Browser) -> None:
    """Check that all commands sent again by `sender` are answered `ok` and change nothing for `browser`."""
    before = (await fetch_balances(browser), await browser.get("/api/statement", list[wire.StatementEntry]))
    answers = await _send_again(sender, commands)
    assert [answer.reply for answer in answers] == [wire.Ok(command.req) for command in commands]
    assert [message for answer in answers for message in answer.messages] == []
    assert (
        await fetch_balances(browser),
        await browser.get("/api/statement", list[wire.StatementEntry]),
    ) == before


async def test_commands_sent_again_on_the_same_connection(browser: Browser) -> None:
    await _check_unchanged(browser, await _play(browser), browser)


async def test_commands_sent_again_on_a_new_connection(browser: Browser) -> None:
    commands = await _play(browser)
    async with another_browser(browser) as again:
        await again.join("multihand", "GC")
        await _check_unchanged(again, commands, again)


async def test_commands_sent_again_after_a_kill(fresh_server: ServerProcess) -> None:
    async with Browser(fresh_server.address) as browser:
        await browser.guest()
        await browser.connect()
        await browser.hello()
        commands = await _play(browser)
        fresh_server.kill()
        fresh_server.start()
        async with another_browser(browser, fresh_server.address) as again:
            await again.join("multihand", "GC")
            await _check_unchanged(again, commands, again)


async def test_a_refused_command_sent_again_is_refused_equally(browser: Browser) -> None:
    await browser.join("classic")
    refused = wire.DealRound(new_req(), "classic", (wire.Stake(0, "main", 1),))
    first, second = await _send_again(browser, [refused, refused])
    assert first.reply == second.reply
    assert first.code == "under_minimum"


async def test_the_same_command_on_two_connections_at_once_is_executed_once(browser: Browser) -> None:
    await browser.join("classic")
    async with another_browser(browser) as other:
        deal = wire.DealRound(new_req(), "classic", (STAKE,))
        await other.join("classic")
        await browser.join("classic")
        first, second = await asyncio.gather(browser.ask(deal), other.ask(deal))
        assert first.code == ""
        assert second.code in ("", "not_joined")
    assert len((await browser.get("/api/history", wire.History)).lines) == 1


async def test_another_player_may_use_the_same_id(browser: Browser) -> None:
    async with Browser(browser.address) as other:
        await other.guest()
        await other.connect()
        await other.hello()
        for one in (browser, other):
            await one.join("classic")
            assert (await one.deal("classic", STAKE, req="same")).code == ""
            assert len((await one.get("/api/history", wire.History)).lines) == 1


async def _check_refused_as_reused(browser: Browser, *commands: Request) -> None:
    """Check that each command is refused for its id and changes nothing."""
    before = await fetch_balances(browser)
    for command in commands:
        answer = await browser.ask(command)
        assert answer.reply == wire.No(command.req, "key_reused", {"req": command.req})
        assert answer.messages == ()
    assert await fetch_balances(browser) == before


async def test_an_id_with_other_content_is_refused(browser: Browser) -> None:
    await browser.join("classic")
    await browser.join("multihand")
    played = await deal_open_round(browser, "classic", STAKE)
    deal = wire.DealRound(new_req(), "multihand", (STAKE,))
    assert (await browser.ask(deal)).code == ""
    await _check_refused_as_reused(
        browser,
        wire.DealRound(deal.req, "multihand", (wire.Stake(0, "main", 2000),)),
        wire.DealRound(deal.req, "classic", (STAKE,)),
        wire.Decide(deal.req, "classic", played.id, played.turn, 0, 0, "stand"),
        wire.Leave(deal.req, "multihand"),
        wire.SaveSettings(deal.req, wire.Settings()),
        wire.Join(deal.req, "premium", "GC"),
    )


@pytest.mark.parametrize("first", ["deal", "leave", "settings", "cashier"])
async def test_an_id_with_other_content_is_refused_on_another_connection(
    browser: Browser, first: str
) -> None:
    await browser.join("classic")
    req = new_req()
    match first:
        case "deal":
            await browser.deal("classic", STAKE, req=req)
        case "leave":
            await browser.ask(wire.Leave(req, "multihand"))
        case "settings":
            await browser.ask(wire.SaveSettings(req, wire.Settings(shortcuts=False)))
        case _:
            await browser.post("/api/cashier/deposit", wire.Balance, wire.CashierRequest(req, "GC", 1))
    async with another_browser(browser) as other:
        await other.join("multihand")
        await _check_refused_as_reused(
            other,
            wire.DealRound(req, "multihand", (STAKE,)),
            wire.SaveSettings(req, wire.Settings()),
            wire.Leave(req, "multihand" if first != "leave" else "classic"),
        )
        with pytest.raises(AssertionError, match=r"409 .*key_reused"):
            await other.post("/api/cashier/withdraw", wire.Balance, wire.CashierRequest(req, "GC", 2))


async def test_an_id_with_other_content_is_refused_after_a_kill(fresh_server: ServerProcess) -> None:
    async with connect_guest(fresh_server.address) as browser:
        await browser.join("classic")
        deal, deposit = (
            wire.DealRound(new_req(), "classic", (STAKE,)),
            wire.CashierRequest(new_req(), "GC", 5),
        )
        assert (await browser.ask(deal)).code == ""
        await browser.post("/api/cashier/deposit", wire.Balance, deposit)
        fresh_server.kill()
        fresh_server.start()
        async with another_browser(browser, fresh_server.address) as again:
            await again.join("multihand")
            await _check_refused_as_reused(
                again,
                wire.DealRound(deal.req, "multihand", (STAKE,)),
                wire.DealRound(deposit.req, "multihand", (STAKE,)),
            )
            with pytest.raises(AssertionError, match=r"409 .*key_reused"):
                await again.post("/api/cashier/deposit", wire.Balance, wire.CashierRequest(deal.req, "GC", 5))


@pytest.mark.parametrize("req", ["X/settle", "p_1:x", "a b", "a\n", "é", "x" * 41, ""])
async def test_an_id_of_other_characters_is_malformed(browser: Browser, req: str) -> None:
    with pytest.raises(AssertionError, match=" 400 "):
        await browser.post("/api/cashier/withdraw", wire.Balance, wire.CashierRequest(req, "GC", 1))
    await browser.send(wire.Leave(req, "classic"))
    (answer,) = await browser.drain()
    assert isinstance(answer, wire.No)
    assert answer.code == "malformed"


async def test_a_repeated_cashier_order_is_executed_once(browser: Browser) -> None:
    order = wire.CashierRequest(new_req(), "EUR", 12_345)
    first = await browser.post("/api/cashier/deposit", wire.Balance, order)
    assert first == wire.Balance("EUR", 112_345, 0, 0, 0)
    assert await browser.post("/api/cashier/deposit", wire.Balance, order) == first
    withdrawn = wire.CashierRequest(new_req(), "EUR", 112_345)
    for _ in range(2):
        assert await browser.post("/api/cashier/withdraw", wire.Balance, withdrawn) == wire.Balance(
            "EUR", 0, 0, 0, 0
        )


async def test_an_id_used_at_the_cashier_is_refused_for_another_order(browser: Browser) -> None:
    order = wire.CashierRequest(new_req(), "EUR", 100)
    await browser.post("/api/cashier/deposit", wire.Balance, order)
    for path, body in (
        ("withdraw", order),
        ("deposit", wire.CashierRequest(order.req, "EUR", 101)),
        ("deposit", wire.CashierRequest(order.req, "SC", 100)),
    ):
        with pytest.raises(AssertionError, match=r"409 .*key_reused"):
            await browser.post(f"/api/cashier/{path}", wire.Balance, body)
    assert (await fetch_balances(browser))[2] == wire.Balance("EUR", 100_100, 0, 0, 0)


async def test_an_overdraft_is_refused(browser: Browser) -> None:
    with pytest.raises(AssertionError, match=r'409 .*not_covered.*"balance_minor":100000'):
        await browser.post("/api/cashier/withdraw", wire.Balance, wire.CashierRequest("w", "EUR", 100_001))
    with pytest.raises(AssertionError, match=r"404 .*no_such_currency"):
        await browser.post("/api/cashier/deposit", wire.Balance, wire.CashierRequest("d", "GBP", 1))
    assert (await fetch_balances(browser))[2] == wire.Balance("EUR", 100_000, 0, 0, 0)
