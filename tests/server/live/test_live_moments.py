"""Whatever several players ask for in one moment: it is taken together, and no unit of money is lost."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from croupier.play.amounts import Limits
from croupier.play.bets import Wager
from croupier.play.wants import At
from croupier.refusal import Refused
from croupier.server.live import table
from croupier.server.live.table import LiveTable
from croupier.tables.live.inputs import (
    AnyInput,
    Closed,
    Decided,
    Disconnected,
    Joined,
    Left,
    LimitsSet,
    Opened,
    Paused,
    Placed,
    Restricted,
    Resumed,
    Sat,
    StoodUp,
    Ticked,
    Undone,
    Voided,
)
from tests.server.live.inside import Hands, guest_of, hands_on
from tests.server.live.player import INFINITE, SEVEN, WITHIN_S
from tests.server.live.test_live_round import START_MINOR

EUR = "EUR"
DEARER = LimitsSet({EUR: Limits(500, 5_000), "USD": Limits(500, 5_000)}, {})
FLOOR: tuple[AnyInput, ...] = (
    Ticked(),
    Ticked(),
    Ticked(),
    Paused("x"),
    Resumed(),
    Voided("x"),
    Closed(),
    Opened(),
    DEARER,
)
OWN = (
    "bet 0", "bet 100", "bet 1000", "bet 30000", "bet 1000000000",
    "undo", "barred", "allowed", "left", "gone", "back", "elsewhere", "sit", "rise",
    "stand", "hit", "double", "split",
)  # fmt: skip
moments = st.lists(
    st.lists(
        st.tuples(st.integers(0, 2), st.sampled_from(OWN)) | st.sampled_from(FLOOR), min_size=1, max_size=6
    ),
    min_size=2,
    max_size=12,
)
Moment = list[tuple[int, str] | AnyInput]


OF_A_PLAYER: dict[str, Callable[[str, int], AnyInput]] = {
    "undo": lambda player, _: Undone(player),
    "barred": lambda player, _: Restricted(player, "x"),
    "allowed": lambda player, _: Restricted(player, ""),
    "left": lambda player, _: Left(player),
    "gone": lambda player, _: Disconnected(player, "one"),
    "back": lambda player, _: Joined(player, "one", EUR),
    "elsewhere": lambda player, _: Joined(player, "two", EUR),
    "sit": Sat,
    "rise": StoodUp,
}


def asked_for(player: str, box: int, what: str) -> AnyInput:
    if what in OF_A_PLAYER:
        return OF_A_PLAYER[what](player, box)
    if not what.startswith("bet"):
        return Decided(player, At(box), what)
    minor = int(what.removeprefix("bet "))
    return Placed(player, (Wager(box, "main", minor),) if minor else ())


def given_by(live: LiveTable, names: list[str], one: tuple[int, str] | AnyInput) -> AnyInput:
    """Where players sit, each plays at a seat of his own."""
    if not isinstance(one, tuple):
        return one
    who, what = one
    return asked_for(names[who], who + 1 if live.state.setup.seats else 0, what)


async def together(live: LiveTable, names: list[str], moment: Moment) -> list[Refused | None]:
    """Asked for before the table can take any of it; each is answered once, or its future would complain."""
    loop = asyncio.get_running_loop()
    answers: list[asyncio.Future[Refused | None]] = [loop.create_future() for _ in moment]
    for one, answer in zip(moment, answers, strict=True):
        live.ask(given_by(live, names, one), answer.set_result)
    async with asyncio.timeout(WITHIN_S):
        return [await answer for answer in answers]


async def arrived(hands: Hands, at: LiveTable) -> str:
    welcome = (await (await guest_of(hands.house)).dial()).welcome
    assert welcome
    at.take_place(welcome.player, welcome.name, EUR)
    await at.feed(Joined(welcome.player, "one", EUR))
    return welcome.player


async def play(hands: Hands, at: str, every: list[Moment]) -> None:
    live, ledger = hands.house.live[at], hands.house.bank.ledger
    await hands.until("betting", table=at)
    names = [await arrived(hands, live) for _ in range(3)]
    if live.state.setup.seats:
        await together(live, names, [(who, "sit") for who in range(3)])
    for moment in every:
        if live.state.deadline_ms is not None and any(isinstance(one, Ticked) for one in moment):
            hands.later(max(0, live.state.deadline_ms - hands.now_ms()))
        answers = await together(live, names, moment)
        assert "malfunction" not in {refused.code for refused in answers if refused}
    await hands.house.close()
    assert ledger.open_rounds() == ()
    for name in names:
        won = sum(line.returned_minor - line.staked_minor for line in ledger.rounds(name))
        assert ledger.balances(name)[EUR] in (
            {"cash": START_MINOR + won, "in_play": 0},
            {"cash": START_MINOR},
        )
        assert hands.house.bank.purses.cash(name, EUR) == START_MINOR + won


async def opened(at: str, every: list[Moment]) -> None:
    with TemporaryDirectory() as folder, patch.object(table.log, "exception") as wrong:
        async with hands_on(Path(folder)) as hands:
            await play(hands, at, every)
    assert not wrong.called, wrong.call_args


@pytest.mark.parametrize("at", [INFINITE, SEVEN])
@example(every=[[(0, "bet 100"), (1, "bet 100"), (0, "left")], [(1, "bet 1000")]])
@example(
    every=[
        [(0, "bet 1000"), (1, "bet 100"), (0, "gone"), (0, "back"), (0, "bet 100")],
        [Ticked()],
        [Ticked()],
    ]
)
@example(every=[[(0, "bet 100")], [(0, "bet 0")]])
@example(every=[[(0, "bet 100")], [(0, "bet 0")], [Closed()], [Ticked()], [Ticked()]])
@given(every=moments)
@settings(max_examples=100)
def test_whatever_is_asked_in_one_moment_loses_nothing(at: str, every: list[Moment]) -> None:
    asyncio.run(opened(at, every))
