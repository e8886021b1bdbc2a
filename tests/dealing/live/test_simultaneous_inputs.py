"""Simultaneous inputs at every live table are processed together, and no money is lost.

The inputs come from players, managers and human dealers, whose cards are right, wrong or unrequested.
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

from croupier.dealing.live import table
from croupier.dealing.live.speculation.round_end import speculating
from croupier.dealing.live.table import LiveTable
from croupier.games import published_tables
from croupier.play.contract.amounts import StakeLimits
from croupier.play.contract.bets import Wager
from croupier.play.contract.wants import At, DealFaceDown, Peek, RollDice, SpinWheel, Want
from croupier.refusal import Refused
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
from tests.dealing.live import in_process
from tests.dealing.live.in_process import START_MINOR, ManualServer, manual_server, new_guest
from tests.dealing.live.player import INFINITE, TIMEOUT_S

EUR = "EUR"
HIGHER_LIMITS = LimitsSet({EUR: StakeLimits(500, 5_000), "USD": StakeLimits(500, 5_000)}, {})
CLOCK_AND_MANAGER: tuple[AnyInput, ...] = (
    Ticked(),
    Ticked(),
    Ticked(),
    Paused("x"),
    Resumed(),
    Voided("x"),
    TableClosed(),
    TableOpened(),
    HIGHER_LIMITS,
)
PLAYER_ACTIONS = (
    "bet 0", "bet 100", "bet 1000", "bet 30000", "bet 1000000000",
    "undo", "bar", "allow", "leave", "disconnect", "reconnect", "second device", "sit", "stand up",
    "stand", "hit", "double", "split",
)  # fmt: skip
RESULTS = ("AS", "5H", "TD", "down", "yes", "0", "17", "1-3-6")
Action = tuple[int | str, str]
"""The number of a player, `dealer` or `manager`, and what they do."""
Moment = list[Action | AnyInput]
"""Inputs that arrive at the same time."""

NOW, CAMPAIGN = 10, 200
"""Examples at each table in `make test` and in the campaign."""

player_actions = st.tuples(st.integers(0, 2), st.sampled_from(PLAYER_ACTIONS))
clock_and_manager = st.sampled_from(CLOCK_AND_MANAGER)
next_step = st.tuples(st.just("dealer"), st.integers(0, 999).map(str))
dealer_actions = st.one_of(
    next_step,
    st.builds(Dealt, st.sampled_from(RESULTS)),
    st.builds(Shuffled, st.integers(0, 1)),
    st.just(SpinInvalid()),
    st.just(CutCard()),
    st.tuples(st.just("manager"), st.sampled_from(RESULTS)),
)


def some_moments(actions: st.SearchStrategy[Action | AnyInput]) -> st.SearchStrategy[list[Moment]]:
    """A third of the moments is arbitrary; in a third the round continues; in a third every player bets."""
    round_continues: st.SearchStrategy[Moment] = st.lists(next_step, min_size=1, max_size=1)
    all_bet: Moment = [(0, "bet 1000"), (1, "bet 500"), (2, "bet 1200")]
    arbitrary = st.lists(actions, min_size=1, max_size=6)
    return st.lists(arbitrary | round_continues | st.just(all_bet), min_size=2, max_size=24)


PLAYER_INPUTS: dict[str, Callable[[str, int], AnyInput]] = {
    "undo": lambda player, _: Undone(player),
    "bar": lambda player, _: Restricted(player, "x"),
    "allow": lambda player, _: Restricted(player, ""),
    "leave": lambda player, _: Left(player),
    "disconnect": lambda player, _: Disconnected(player, "one"),
    "reconnect": lambda player, _: Joined(player, "one", EUR),
    "second device": lambda player, _: Joined(player, "two", EUR),
    "sit": SatDown,
    "stand up": StoodUp,
}


def player_input(live: LiveTable, player: str, box: int, what: str) -> AnyInput:
    if what in PLAYER_INPUTS:
        return PLAYER_INPUTS[what](player, box)
    if not what.startswith("bet"):
        return Decided(player, At(box), what)
    minor, (bet, *_) = int(what.removeprefix("bet ")), live.table.limits_in[EUR]
    return Placed(player, (Wager(box, bet, minor),) if minor else ())


def possible_result(want: Want, rng: Random) -> Dealt:
    """Return a result of the wanted kind; a card may be one that is no longer in the shoe."""
    match want:
        case SpinWheel():
            return Dealt(str(rng.randrange(37)))
        case RollDice():
            return Dealt("-".join(str(rng.randint(1, 6)) for _ in range(3)))
        case DealFaceDown():
            return Dealt("down")
        case Peek():
            return Dealt("no")
    return Dealt(rng.choice("23456789TJQKA") + rng.choice("CDHS"))


def next_input(live: LiveTable, seed: str) -> AnyInput:
    """Return the input that the round waits for, from the dealer or the clock."""
    if live.dealer == "person" and live.state.phase == "shuffling" and not live.state.wanted:
        return Shuffled(live.state.shoe)
    if live.dealer == "person" and live.state.want is not None:
        return possible_result(live.state.want, Random(seed))
    return Ticked()


def correction(live: LiveTable, what: str) -> Corrected:
    dealt = live.state.checkpoint.dealt if live.state.checkpoint else ()
    return Corrected(max(0, len(dealt) - 1), dealt[-1] if dealt else "2C", what, "x")


def input_of(live: LiveTable, players: list[str], action: Action | AnyInput) -> AnyInput:
    """Return the input; at a table with seats each player acts at their own seat."""
    match action:
        case (int() as number, what):
            return player_input(live, players[number], number + 1 if live.state.setup.seats else 0, what)
        case ("dealer", seed):
            return next_input(live, seed)
        case ("manager", what):
            return correction(live, what)
    assert not isinstance(action, tuple)
    return action


async def submit_together(live: LiveTable, players: list[str], moment: Moment) -> list[Refused | None]:
    """Submit all before the table processes any. Each is answered once: a second answer would raise."""
    loop = asyncio.get_running_loop()
    answers: list[asyncio.Future[Refused | None]] = [loop.create_future() for _ in moment]
    for action, answer in zip(moment, answers, strict=True):
        given = input_of(live, players, action)
        if isinstance(given, Joined):  # as a session does, since the table forgets absent players
            await live.register(given.player, "Guest", EUR)
        live.submit(given, answer.set_result)
    async with asyncio.timeout(TIMEOUT_S):
        return [await answer for answer in answers]


async def join(manual: ManualServer, live: LiveTable) -> str:
    welcome = (await (await new_guest(manual.server)).connect()).welcome
    assert welcome
    await live.register(welcome.player, welcome.name, EUR)
    await live.execute(Joined(welcome.player, "one", EUR))
    return welcome.player


async def change_to_human_dealer(manual: ManualServer, name: str) -> None:
    live = manual.server.live[name]
    await live.execute(TableClosed())
    await manual.advance_to("closed", table=name)
    live.set_dealer("person")
    await live.execute(TableOpened())
    for shoe in range(live.state.setup.cards.shoes):
        await live.execute(Shuffled(shoe))


def advance_to_deadline(manual: ManualServer, live: LiveTable, moment: Moment) -> None:
    """Advance the clock to the deadline if the moment has a tick."""
    ticks = any(isinstance(input_of(live, ["", "", ""], action), Ticked) for action in moment)
    if ticks and live.state.deadline_ms is not None:
        manual.advance_clock(max(0, live.state.deadline_ms - manual.now_ms()))


async def play(manual: ManualServer, name: str, moments: list[Moment], dealer: str) -> None:
    live, ledger = manual.server.live[name], manual.server.ledger
    if dealer == "person":
        await change_to_human_dealer(manual, name)
    else:
        await manual.advance_to("betting", table=name)
    players = [await join(manual, live) for _ in range(3)]
    if live.state.setup.seats:
        await submit_together(live, players, [(number, "sit") for number in range(3)])
    for moment in moments:
        advance_to_deadline(manual, live, moment)
        answers = await submit_together(live, players, moment)
        assert "malfunction" not in {refused.code for refused in answers if refused}
    await manual.server.stop()
    assert ledger.open_rounds() == ()
    for player in players:
        won = sum(line.returned_minor - line.staked_minor for line in ledger.rounds(player))
        assert ledger.balances(player)[EUR] in (
            {"cash": START_MINOR + won, "in_play": 0},
            {"cash": START_MINOR},
        )
        assert manual.server.balances.cash(player, EUR) == START_MINOR + won


LIVE_TABLES = [name for name, table in published_tables().items() if table.dealing == "live"]
LIKE_BACCARAT = ("live_dragon_tiger", "live_football_studio")
"""Their rounds are like those of baccarat, with fewer cards."""
each_kind = pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.campaign] * (name in LIKE_BACCARAT)) for name in LIVE_TABLES],
)


def slow_config(name: str, dealer: str) -> str:
    """Return a configuration with timers so long that only inputs advance the round or end a correction."""
    fields = ("betting_ms", "warning_ms", "offer_ms", "decision_ms", "pause_ms")
    timers = dict.fromkeys(fields, 600_000)
    timers |= {"check_ms": 600_000} if dealer == "person" else {"pace_ms": 0, "spin_ms": 0, "roll_ms": 0}
    return "\n".join([f"[{name}]", *[f"{field} = {ms}" for field, ms in timers.items()]])


async def run_server(name: str, moments: list[Moment], dealer: str = "automatic") -> None:
    with TemporaryDirectory() as folder, patch.object(table.log, "exception") as logged:
        async with manual_server(Path(folder), slow_config(name, dealer), name) as manual:
            await play(manual, name, moments, dealer)
    assert not logged.called, logged.call_args


@each_kind
@example(moments=[[(0, "bet 1000"), (1, "bet 1000"), (0, "leave")], [(1, "bet 500")]])
@example(
    moments=[
        [(0, "bet 1000"), (1, "bet 500"), (0, "disconnect"), (0, "reconnect"), (0, "bet 500")],
        [Ticked()],
        [Ticked()],
    ]
)
@example(moments=[[(0, "bet 1000")], [(0, "bet 0")]])
@example(moments=[[(0, "bet 1000")], [(0, "bet 0")], [TableClosed()], [Ticked()], [Ticked()]])
@given(moments=some_moments(st.one_of(player_actions, clock_and_manager)))
@settings(max_examples=NOW)
def test_simultaneous_inputs_lose_no_money(name: str, moments: list[Moment]) -> None:
    asyncio.run(run_server(name, moments))


@given(moments=some_moments(st.one_of(player_actions, clock_and_manager)))
@settings(max_examples=NOW)
def test_simultaneous_inputs_without_speculation_lose_no_money(moments: list[Moment]) -> None:
    with patch.object(in_process, "speculate", speculating(())):
        asyncio.run(run_server(INFINITE, moments))


@each_kind
@example(moments=[[(0, "bet 1000")], [Dealt("5H"), Ticked()], [Dealt("5H"), Ticked()]])
@given(moments=some_moments(st.one_of(player_actions, clock_and_manager, dealer_actions)))
@settings(max_examples=NOW)
def test_simultaneous_inputs_with_a_human_dealer_lose_no_money(name: str, moments: list[Moment]) -> None:
    asyncio.run(run_server(name, moments, "person"))


@pytest.mark.campaign
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("dealer", ["automatic", "person"])
@pytest.mark.parametrize("name", LIVE_TABLES)
@given(moments=some_moments(st.one_of(player_actions, clock_and_manager, dealer_actions)))
@settings(max_examples=CAMPAIGN)
def test_many_simultaneous_inputs_lose_no_money(name: str, dealer: str, moments: list[Moment]) -> None:
    asyncio.run(run_server(name, moments, dealer))
