"""Refusals have a code and arguments, and change nothing."""

import asyncio
from typing import Any

import pytest
from msgspec.json import encode

from croupier.protocol import wire
from tests.support.browser_connection import Browser, Request, deal_open_round, fetch_balances, new_req

pytestmark = pytest.mark.anyio


def deal(table: str, *stakes: tuple[int, str, int]) -> wire.DealRound:
    return wire.DealRound(new_req(), table, tuple(wire.Stake(*stake) for stake in stakes))


REFUSED: list[tuple[Request, str, dict[str, Any]]] = [
    (
        deal("classic", (0, "main", 999)),
        "under_minimum",
        {"bet": "main", "title": "Main bet", "min_minor": 1000},
    ),
    (
        deal("classic", (0, "main", 100_001)),
        "over_maximum",
        {"bet": "main", "title": "Main bet", "max_minor": 100_000},
    ),
    (deal("classic", (1, "main", 1000)), "no_such_box", {"rule": "boxes", "box": 1, "boxes": 1}),
    (deal("classic", (0, "bust_it", 1000)), "no_such_bet", {"bet": "bust_it"}),
    (deal("classic", (0, "main", 1000), (0, "main", 1000)), "placed_twice", {"bet": "main", "box": 0}),
    (
        deal("premium", (0, "main", 6_000_000)),
        "not_covered",
        {"needed_minor": 6_000_000, "balance_minor": 5_000_000},
    ),
    (
        deal("multihand", (0, "main", 1000), (3, "main", 1000)),
        "no_such_box",
        {"rule": "boxes", "box": 3, "boxes": 3},
    ),
    (deal("double_exposure", (0, "main", 1000)), "not_joined", {"table": "double_exposure"}),
    (deal("infinite", (0, "main", 1000)), "not_joined", {"table": "infinite"}),
    (wire.Join("j1", "infinite", "GC"), "no_such_currency", {"currency": "GC", "allowed": "EUR, USD"}),
    (wire.Join("j3", "nowhere", "GC"), "no_such_table", {"table": "nowhere"}),
    (wire.Join("j4", "classic", "EUR"), "no_such_currency", {"currency": "EUR", "allowed": "GC, SC"}),
    (wire.Join("j5", "classic", "gc"), "no_such_currency", {"currency": "gc", "allowed": "GC, SC"}),
    (wire.Decide("d1", "classic", "r1", 0, 0, 0, "hit"), "round_ended", {"round": "r1"}),
    (wire.Decide("d2", "double_exposure", "r1", 0, 0, 0, "hit"), "not_joined", {"table": "double_exposure"}),
]


@pytest.mark.parametrize(
    ("command", "code", "args"), REFUSED, ids=lambda value: value if isinstance(value, str) else ""
)
async def test_a_refusal_has_its_reason_and_moves_nothing(
    browser: Browser, command: Request, code: str, args: dict[str, Any]
) -> None:
    for table in ("classic", "premium", "multihand"):
        await browser.join(table, "GC")
    before = await fetch_balances(browser)
    answer = await browser.ask(command)
    assert answer.reply == wire.No(command.req, code, args)
    assert answer.messages == ()
    assert await fetch_balances(browser) == before
    assert (await browser.get("/api/history", wire.History)).lines == ()


async def test_a_round_must_end_before_the_next(browser: Browser) -> None:
    await browser.join("classic")
    await deal_open_round(browser, "classic", wire.Stake(0, "main", 1000))
    before = await fetch_balances(browser)
    assert (await browser.deal("classic", wire.Stake(0, "main", 1000))).code == "round_open"
    assert await fetch_balances(browser) == before


async def test_a_currency_stays_until_the_round_has_ended(browser: Browser) -> None:
    await browser.join("classic", "SC")
    played = await deal_open_round(browser, "classic", wire.Stake(0, "main", 50))
    state = (await browser.join("classic", "GC")).state()
    assert state.currency == "SC"
    assert state.round is not None
    assert state.round.id == played.id


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"box": 2}, "not_your_turn"),
        ({"hand": 1}, "not_your_turn"),
        ({"turn": 1}, "not_your_turn"),
        ({"round": "r0"}, "round_ended"),
        ({"action": "surrender"}, "not_offered"),
        ({"action": "insure"}, "not_offered"),
        ({"action": "stand", "stake_minor": 5}, "stake_outside"),
    ],
)
async def test_only_offered_actions_are_accepted(browser: Browser, change: dict[str, Any], code: str) -> None:
    await browser.join("double_exposure")
    played = await deal_open_round(browser, "double_exposure", wire.Stake(0, "main", 1000))
    turn = played.view.turns[0]
    fields: dict[str, Any] = {
        "round": played.id,
        "turn": played.turn,
        "box": turn.box,
        "hand": turn.hand,
        "action": "stand",
    } | change
    before = await fetch_balances(browser)
    answer = await browser.ask(wire.Decide(new_req(), "double_exposure", **fields))
    assert answer.code == code
    assert await fetch_balances(browser) == before
    assert (await browser.join("double_exposure")).state().round == played


async def test_a_double_clicked_hit_takes_one_card(browser: Browser) -> None:
    """Even with another id, since the decision answers an earlier turn."""
    await browser.join("double_exposure")
    while True:
        played = await deal_open_round(browser, "double_exposure", wire.Stake(0, "main", 1000))
        at = played.view.turns[0]
        hit = ("double_exposure", played.id, played.turn, at.box, at.hand, "hit")
        after = (await browser.ask(wire.Decide(new_req(), *hit))).state().round
        assert after is not None
        if not after.view.ended:
            break
    again = await browser.ask(wire.Decide(new_req(), *hit))
    assert again.reply == wire.No(again.reply.req, "not_your_turn", {"box": at.box, "hand": at.hand})
    assert (await browser.join("double_exposure")).state().round == after


async def test_an_ended_round_accepts_no_decision(browser: Browser) -> None:
    await browser.join("double_exposure")
    played = await deal_open_round(browser, "double_exposure", wire.Stake(0, "main", 1000))
    ended = (await browser.decide("double_exposure", played, "stand")).state().round
    assert ended is not None
    assert ended.view.ended
    before = await fetch_balances(browser)
    answer = await browser.decide("double_exposure", played, "stand")
    assert answer.reply == wire.No(answer.reply.req, "round_ended", {"round": played.id})
    assert await fetch_balances(browser) == before


async def test_a_table_that_was_left_is_not_played(browser: Browser) -> None:
    await browser.join("classic")
    assert (await browser.ask(wire.Leave("away", "classic"))).code == ""
    assert (await browser.deal("classic", wire.Stake(0, "main", 1000))).code == "not_joined"


async def test_of_simultaneous_deals_one_is_executed(browser: Browser) -> None:
    """One connection executes them in order until one leaves its round open."""
    await browser.join("multihand", "GC")
    commands = [deal("multihand", (0, "main", 1000), (1, "main", 1000)) for _ in range(20)]
    for command in commands:
        await browser.send(command)
    messages = await browser.drain()
    refused = [one.code for one in messages if isinstance(one, wire.No)]
    dealt = [one for one in messages if isinstance(one, wire.TableUpdate)]
    assert len(refused) + len(dealt) == len(commands)
    assert set(refused) <= {"round_open"}
    lines = (await browser.get("/api/history", wire.History, limit=100)).lines
    assert len(lines) == len(dealt)
    assert sum(line.status == "open" for line in lines) <= 1


async def test_concurrent_requests_spend_money_once(browser: Browser) -> None:
    """Three tables and ten withdrawals each try to spend half of the balance at once."""
    await browser.join("multihand", "EUR")
    await browser.join("double_exposure", "EUR")
    order = [wire.CashierRequest(new_req(), "EUR", 50_000) for _ in range(10)]
    await browser.send(deal("multihand", (0, "main", 25_000), (1, "main", 25_000)))
    await browser.send(deal("double_exposure", *((box, "main", 10_000) for box in range(5))))
    answers = await asyncio.gather(
        *(browser.http.post(f"{browser.address}/api/cashier/withdraw", content=encode(one)) for one in order)
    )
    messages = await browser.drain()
    codes = [answer.json()["code"] for answer in answers if answer.status_code != 200]
    codes += [one.code for one in messages if isinstance(one, wire.No)]
    assert set(codes) == {"not_covered"}
    euro = next(one for one in await fetch_balances(browser) if one.currency == "EUR")
    history = await browser.get("/api/history", wire.History)
    net = history.returned_minor.get("EUR", 0) - history.staked_minor.get("EUR", 0)
    taken = sum(answer.status_code == 200 for answer in answers)
    assert euro.balance_minor == 100_000 - 50_000 * taken - euro.in_play_minor + net >= 0


async def test_a_whole_bet_over_the_tables_maximum_is_refused(browser: Browser) -> None:
    """Each of the stakes is within its own limits."""
    await browser.join("roulette", "GC")
    command = deal("roulette", *((0, bet, 2_000_000) for bet in ("red", "odd", "low")))
    answer = await browser.ask(command)
    args: dict[str, str | int] = {"staked_minor": 6_000_000, "max_minor": 5_000_000}
    assert answer.reply == wire.No(command.req, "over_table_maximum", args)
