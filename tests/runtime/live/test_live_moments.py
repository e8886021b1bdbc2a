"""Simultaneous inputs at every live table: they are stepped together, and no money is lost.

The inputs are those of players, of managers, and of human dealers with right, wrong and unrequested cards.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from croupier.games import published_tables
from croupier.play.contract.amounts import StakeLimits
from croupier.play.contract.bets import Wager
from croupier.play.contract.wants import At, DealFaceDown, Peek, RollDice, SpinWheel, Want
from croupier.refusal import Refused
from croupier.runtime.live import table
from croupier.runtime.live.speculation.round_end import speculating
from croupier.runtime.live.table import LiveTable
from croupier.tables.live.inputs import (
    AnyInput,
    Corrected,
    CutCard,
    Dealt,
    Decided,
    Disconnected,
    Joined,
    Left,
    LimitsSet,
    Paused,
    Placed,
    Restricted,
    Resumed,
    SatDown,
    Shuffled,
    SpinInvalid,
    StoodUp,
    TableClosed,
    TableOpened,
    Ticked,
    Undone,
    Voided,
)
from tests.runtime.live import in_process
from tests.runtime.live.in_process import ManualServer, guest_of, manual_server
from tests.runtime.live.player import INFINITE, WITHIN_S
from tests.runtime.live.test_live_round import START_MINOR

EUR = "EUR"
DEARER = LimitsSet({EUR: StakeLimits(500, 5_000), "USD": StakeLimits(500, 5_000)}, {})
FLOOR: tuple[AnyInput, ...] = (
    Ticked(),
    Ticked(),
    Ticked(),
    Paused("x"),
    Resumed(),
    Voided("x"),
    TableClosed(),
    TableOpened(),
    DEARER,
)
OWN = (
    "bet 0", "bet 100", "bet 1000", "bet 30000", "bet 1000000000",
    "undo", "barred", "allowed", "left", "gone", "back", "elsewhere", "sit", "rise",
    "stand", "hit", "double", "split",
)  # fmt: skip
CAME = ("AS", "5H", "TD", "down", "yes", "0", "17", "1-3-6")
Asks = tuple[int | str, str]
"""Who (the number of a player, `dealer` or `manager`), and what."""
Moment = list[Asks | AnyInput]

players = st.tuples(st.integers(0, 2), st.sampled_from(OWN))
floor = st.sampled_from(FLOOR)
goes_on = st.tuples(st.just("dealer"), st.integers(0, 999).map(str))
dealers = st.one_of(
    goes_on,
    st.builds(Dealt, st.sampled_from(CAME)),
    st.builds(Shuffled, st.integers(0, 1)),
    st.just(SpinInvalid()),
    st.just(CutCard()),
    st.tuples(st.just("manager"), st.sampled_from(CAME)),
)


def some_moments(asks: st.SearchStrategy[Asks | AnyInput]) -> st.SearchStrategy[list[Moment]]:
    """A third is anything; in a third the round continues; in a third every player bets."""
    on: st.SearchStrategy[Moment] = st.lists(goes_on, min_size=1, max_size=1)
    all_bet: Moment = [(0, "bet 1000"), (1, "bet 500"), (2, "bet 1200")]
    return st.lists(st.lists(asks, min_size=1, max_size=6) | on | st.just(all_bet), min_size=2, max_size=24)


OF_A_PLAYER: dict[str, Callable[[str, int], AnyInput]] = {
    "undo": lambda player, _: Undone(player),
    "barred": lambda player, _: Restricted(player, "x"),
    "allowed": lambda player, _: Restricted(player, ""),
    "left": lambda player, _: Left(player),
    "gone": lambda player, _: Disconnected(player, "one"),
    "back": lambda player, _: Joined(player, "one", EUR),
    "elsewhere": lambda player, _: Joined(player, "two", EUR),
    "sit": SatDown,
    "rise": StoodUp,
}


def asked_for(live: LiveTable, player: str, box: int, what: str) -> AnyInput:
    if what in OF_A_PLAYER:
        return OF_A_PLAYER[what](player, box)
    if not what.startswith("bet"):
        return Decided(player, At(box), what)
    minor, (bet, *_) = int(what.removeprefix("bet ")), live.table.limits_in[EUR]
    return Placed(player, (Wager(box, bet, minor),) if minor else ())


def answered(want: Want, draws: Random) -> Dealt:
    """Return a possible result, mostly: a card may have been dealt too often."""
    match want:
        case SpinWheel():
            return Dealt(str(draws.randrange(37)))
        case RollDice():
            return Dealt("-".join(str(draws.randint(1, 6)) for _ in range(3)))
        case DealFaceDown():
            return Dealt("down")
        case Peek():
            return Dealt("no")
    return Dealt(draws.choice("23456789TJQKA") + draws.choice("CDHS"))


def brought_on(live: LiveTable, number: str) -> AnyInput:
    """Return the input that the round waits for, of the dealer or the clock."""
    if live.dealer == "person" and live.state.phase == "shuffling" and not live.state.wanted:
        return Shuffled(live.state.shoe)
    if live.dealer == "person" and live.state.want is not None:
        return answered(live.state.want, Random(number))
    return Ticked()


def corrected(live: LiveTable, what: str) -> Corrected:
    dealt = live.state.checkpoint.dealt if live.state.checkpoint else ()
    return Corrected(max(0, len(dealt) - 1), dealt[-1] if dealt else "2C", what, "x")


def given_by(live: LiveTable, names: list[str], one: Asks | AnyInput) -> AnyInput:
    """At a table of seats each player has a seat of their own."""
    match one:
        case (int() as who, what):
            return asked_for(live, names[who], who + 1 if live.state.setup.seats else 0, what)
        case ("dealer", number):
            return brought_on(live, number)
        case ("manager", what):
            return corrected(live, what)
    assert not isinstance(one, tuple)
    return one


async def together(live: LiveTable, names: list[str], moment: Moment) -> list[Refused | None]:
    """Submit all before the table can take any; each is answered once, or its future would raise."""
    loop = asyncio.get_running_loop()
    answers: list[asyncio.Future[Refused | None]] = [loop.create_future() for _ in moment]
    for one, answer in zip(moment, answers, strict=True):
        given = given_by(live, names, one)
        if isinstance(given, Joined):  # as a session does; a record is forgotten after a while
            live.register(given.player, "Guest", EUR)
        live.submit(given, answer.set_result)
    async with asyncio.timeout(WITHIN_S):
        return [await answer for answer in answers]


async def arrived(hands: ManualServer, at: LiveTable) -> str:
    welcome = (await (await guest_of(hands.house)).dial()).welcome
    assert welcome
    at.register(welcome.player, welcome.name, EUR)
    await at.execute(Joined(welcome.player, "one", EUR))
    return welcome.player


async def dealt_by_a_person(hands: ManualServer, at: str) -> None:
    live = hands.house.live[at]
    await live.execute(TableClosed())
    await hands.until("closed", table=at)
    live.set_dealer("person")
    await live.execute(TableOpened())
    for shoe in range(live.state.setup.cards.shoes):
        await live.execute(Shuffled(shoe))


def until_due(hands: ManualServer, live: LiveTable, moment: Moment) -> None:
    """Move the clock to the deadline if the moment has a tick."""
    ticks = any(isinstance(given_by(live, ["", "", ""], one), Ticked) for one in moment)
    if ticks and live.state.deadline_ms is not None:
        hands.later(max(0, live.state.deadline_ms - hands.now_ms()))


async def play(hands: ManualServer, at: str, every: list[Moment], by: str) -> None:
    live, ledger = hands.house.live[at], hands.house.ledger
    if by == "person":
        await dealt_by_a_person(hands, at)
    else:
        await hands.until("betting", table=at)
    names = [await arrived(hands, live) for _ in range(3)]
    if live.state.setup.seats:
        await together(live, names, [(who, "sit") for who in range(3)])
    for moment in every:
        until_due(hands, live, moment)
        answers = await together(live, names, moment)
        assert "malfunction" not in {refused.code for refused in answers if refused}
    await hands.house.stop()
    assert ledger.open_rounds() == ()
    for name in names:
        won = sum(line.returned_minor - line.staked_minor for line in ledger.rounds(name))
        assert ledger.balances(name)[EUR] in (
            {"cash": START_MINOR + won, "in_play": 0},
            {"cash": START_MINOR},
        )
        assert hands.house.balances.cash(name, EUR) == START_MINOR + won


LIVE = [name for name, table in published_tables().items() if table.dealing == "live"]


def slow(at: str, by: str) -> str:
    """Return waits so long that only inputs move the round, and cards can be corrected."""
    long = ("betting_ms", "warning_ms", "offer_ms", "decision_ms", "pause_ms")
    waits = dict.fromkeys(long, 600_000)
    waits |= {"check_ms": 600_000} if by == "person" else {"pace_ms": 0, "spin_ms": 0, "roll_ms": 0}
    return "\n".join([f"[{at}]", *[f"{name} = {ms}" for name, ms in waits.items()]])


async def opened(at: str, every: list[Moment], by: str = "automatic") -> None:
    with TemporaryDirectory() as folder, patch.object(table.log, "exception") as wrong:
        async with manual_server(Path(folder), slow(at, by)) as hands:
            await play(hands, at, every, by)
    assert not wrong.called, wrong.call_args


@pytest.mark.parametrize("at", LIVE)
@example(every=[[(0, "bet 1000"), (1, "bet 1000"), (0, "left")], [(1, "bet 500")]])
@example(
    every=[
        [(0, "bet 1000"), (1, "bet 500"), (0, "gone"), (0, "back"), (0, "bet 500")],
        [Ticked()],
        [Ticked()],
    ]
)
@example(every=[[(0, "bet 1000")], [(0, "bet 0")]])
@example(every=[[(0, "bet 1000")], [(0, "bet 0")], [TableClosed()], [Ticked()], [Ticked()]])
@given(every=some_moments(st.one_of(players, floor)))
@settings(max_examples=25)
def test_simultaneous_inputs_lose_no_money(at: str, every: list[Moment]) -> None:
    asyncio.run(opened(at, every))


@given(every=some_moments(st.one_of(players, floor)))
@settings(max_examples=25)
def test_simultaneous_inputs_without_speculation_lose_no_money(every: list[Moment]) -> None:
    with patch.object(in_process, "speculate", speculating(())):
        asyncio.run(opened(INFINITE, every))


@pytest.mark.parametrize("at", LIVE)
@example(every=[[(0, "bet 1000")], [Dealt("5H"), Ticked()], [Dealt("5H"), Ticked()]])
@given(every=some_moments(st.one_of(players, floor, dealers)))
@settings(max_examples=25)
def test_simultaneous_inputs_with_a_human_dealer_lose_no_money(at: str, every: list[Moment]) -> None:
    asyncio.run(opened(at, every, "person"))
