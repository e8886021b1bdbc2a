"""A live table from the bet to the result: results, seats, chat, voids and pauses."""

from typing import Any

import pytest

from croupier.protocol import wire
from croupier.tables.live import inputs
from tests.dealing.live.in_process import (
    MAIN_BET,
    START_MINOR,
    ManualServer,
    finish_round,
    join_table,
)
from tests.dealing.live.player import INFINITE, SEVEN, req

pytestmark = pytest.mark.anyio


async def test_a_result_is_in_the_ledger_before_it_is_sent(manual: ManualServer) -> None:
    _, player = await join_table(manual)
    await player.bet(MAIN_BET)
    await finish_round(manual, player)
    mine = player.mine[INFINITE]
    result = mine.result
    assert result is not None
    assert (result.void, result.staked_minor, result.number[0]) == (False, 1_000, "#")
    assert mine.balance_minor == START_MINOR - result.staked_minor + result.returned_minor
    assert sum(line.returned_minor for line in result.lines) == result.returned_minor
    assert mine.last_stakes == (wire.Stake(*MAIN_BET),)
    assert manual.server.ledger.open_rounds() == ()
    await player.until(lambda: any(isinstance(one, wire.BalanceUpdate) for one in player.messages))
    await manual.advance_to("betting")
    await player.until(lambda: player.mine[INFINITE].stakes == ())
    assert player.mine[INFINITE].last_stakes == (wire.Stake(*MAIN_BET),)


async def test_seats_have_names_and_show_stakes_after_the_close(manual: ManualServer) -> None:
    _, one = await join_table(manual, SEVEN)
    _, other = await join_table(manual, SEVEN)
    assert one.welcome is not None
    assert await one.ask(wire.Sit(req(), SEVEN, 2)) == ""
    assert await other.ask(wire.Sit(req(), SEVEN, 2)) == "seat_taken"
    await other.until(lambda: other.states[SEVEN].seats)
    assert other.states[SEVEN].seats == (wire.OccupiedSeat(2, one.welcome.name),)
    assert other.events("seat_taken", SEVEN)[0].name == one.welcome.name
    assert await one.bet((2, "main", 700), table=SEVEN) == ""
    assert await other.bet((2, "main", 700), table=SEVEN) == "not_your_seat"
    assert all(b'_minor":700' not in frame for frame in other.frames), "no stake is sent before the close"
    await finish_round(manual, one, other, table=SEVEN)
    round_ = other.states[SEVEN].round
    assert round_ is not None
    assert [(box.box, box.stake_minor) for box in round_.boxes] == [(2, 700)]
    assert other.states[SEVEN].unit_minor == 0
    assert await one.ask(wire.StandUp(req(), SEVEN, 2)) == ""
    await other.until(lambda: not other.states[SEVEN].seats)


REFUSED_COMMANDS: list[tuple[Any, str]] = [
    (wire.PlaceBet("b1", INFINITE, "r1", (wire.Stake(*MAIN_BET),)), "round_ended"),
    (wire.Undo("u1", INFINITE, "r1"), "round_ended"),
    (wire.Decide("d1", INFINITE, "r1", 0, 0, 0, "hit"), "round_ended"),
    (wire.Sit("s1", INFINITE, 0), "no_such_seat"),
    (wire.StandUp("s2", INFINITE, 0), "not_your_seat"),
    (wire.PlaceBet("b2", SEVEN, "r1", (wire.Stake(*MAIN_BET),)), "not_joined"),
    (wire.DealRound("x1", INFINITE, (wire.Stake(*MAIN_BET),)), "not_joined"),
    (wire.Join("j1", INFINITE, "GC"), "no_such_currency"),
    (wire.ReportChatLine("p1", INFINITE, 9), "no_such_line"),
    (wire.PostChat("c1", INFINITE, "   "), "chat_empty"),
]


@pytest.mark.parametrize(
    ("command", "code"),
    REFUSED_COMMANDS,
    ids=[f"{type(command).__name__} {code}" for command, code in REFUSED_COMMANDS],
)
async def test_a_refused_command_changes_nothing(manual: ManualServer, command: Any, code: str) -> None:
    _, player = await join_table(manual)
    assert await player.ask(command) == code
    assert player.mine[INFINITE].balance_minor == START_MINOR
    assert manual.server.ledger.open_rounds() == ()


async def test_chat_is_sent_to_every_player_as_plain_text(manual: ManualServer) -> None:
    _, one = await join_table(manual)
    _, other = await join_table(manual)
    assert await one.ask(wire.PostChat(req(), INFINITE, "good <b>luck</b>")) == ""
    await other.until(lambda: other.chat[INFINITE])
    line = other.chat[INFINITE][-1]
    assert one.welcome is not None
    assert (line.text, line.who, line.role) == ("good <b>luck</b>", one.welcome.name, "player")
    assert await other.ask(wire.ReportChatLine(req(), INFINITE, line.line)) == ""
    _, late = await join_table(manual)
    assert late.chat[INFINITE] == [line]


async def test_a_void_returns_every_stake_with_the_reason(manual: ManualServer) -> None:
    _, player = await join_table(manual)
    await player.bet(MAIN_BET, (0, "bust_it", 500))
    await manual.advance_to("decisions")
    await manual.execute(inputs.Voided("a card fell"))
    await player.until_phase("pause")
    mine = player.mine[INFINITE]
    assert (mine.balance_minor, mine.stakes, mine.held_minor) == (START_MINOR, (), 0)
    assert mine.result is not None
    assert (mine.result.void, mine.result.reason, mine.result.returned_minor) == (True, "a card fell", 1_500)
    assert player.events("voided")[-1].reason == "a card fell"
    assert player.events("ended") == []
    assert player.chat[INFINITE][-1].code == "voided"
    assert manual.server.ledger.open_rounds() == ()
    await manual.advance_to("betting")
    await player.until_phase("betting")
    assert await player.bet(MAIN_BET) == ""


async def test_a_pause_keeps_the_round(manual: ManualServer) -> None:
    _, player = await join_table(manual)
    await player.bet(MAIN_BET)
    await manual.execute(inputs.Paused("a spill"))
    await player.until(lambda: player.states[INFINITE].clock.paused)
    assert await player.bet() == "paused"
    assert player.chat[INFINITE][-1].args == {
        "number": player.states[INFINITE].clock.number,
        "reason": "a spill",
    }
    await manual.execute(inputs.Resumed())
    await player.until(lambda: not player.states[INFINITE].clock.paused)
    assert player.events("opened") == [], "a round that continues isn't opened again"
    assert await player.bet() == ""
