"""A round at a live table, from the bet to the result: money, messages, and permitted commands."""

import time
from collections import Counter
from typing import Any, cast
from unittest.mock import patch

import pytest

from croupier.ledger.sqlite.store import SqliteLedger
from croupier.play.contract.bets import Wager
from croupier.protocol import wire
from croupier.runtime.ledger_gateway import LedgerGateway
from croupier.runtime.live.broadcast.broadcaster import HISTORY_KEPT_MS
from croupier.runtime.live.money.round_recording import SHARED_COMMIT_LINES, RoundRecording
from croupier.runtime.live.steps import TableStep
from croupier.tables.live import inputs
from croupier.tables.live.record import replay
from tests.runtime.live.in_process import Guest, ManualServer, guest_of
from tests.runtime.live.player import INFINITE, SEVEN, Player, req

pytestmark = pytest.mark.anyio

START_MINOR = 100_000
MAIN = (0, "main", 1_000)


async def arrived(hands: ManualServer, table: str = INFINITE) -> tuple[Guest, Player]:
    """Connect a guest with 1,000.00 EUR to the table while bets are open."""
    await hands.until("betting", table=table)
    guest = await guest_of(hands.house)
    player = await guest.dial()
    assert await player.join(table) == ""
    return guest, player


async def played_out(hands: ManualServer, *players: Player, table: str = INFINITE) -> None:
    """Play to the end of the round; every player stands."""
    await hands.until("pause", table=table)
    for player in players:
        await player.phase("pause", table=table)


async def test_a_player_who_joins_gets_a_snapshot(hands: ManualServer) -> None:
    _, player = await arrived(hands)
    snapshot = next(one for one in player.told if isinstance(one, wire.LiveSnapshot))
    clock = snapshot.state.clock
    assert (clock.phase, clock.light, clock.paused) == ("betting", "green", "")
    assert clock.deadline_ms is not None
    assert clock.bets_close_ms == clock.deadline_ms + 5_000
    assert (snapshot.state.players, snapshot.state.round, snapshot.mine.balance_minor) == (
        1,
        None,
        START_MINOR,
    )
    assert isinstance(player.told[-1], wire.Ok), "the answer comes after the snapshot"


async def test_a_bet_is_answered_once_its_hold_is_in_the_ledger(hands: ManualServer) -> None:
    _, player = await arrived(hands)
    assert await player.bet(MAIN, (0, "any_pair", 200)) == ""
    mine = player.mine[INFINITE]
    assert mine.stakes == (wire.Stake(*MAIN), wire.Stake(0, "any_pair", 200))
    assert (mine.held_minor, mine.balance_minor, mine.can_undo) == (1_200, START_MINOR - 1_200, True)
    (record,) = hands.house.ledger.open_rounds()
    assert record.staked_minor == 1_200


async def test_a_smaller_bet_releases_the_rest_and_undo_reverts_the_last_change(hands: ManualServer) -> None:
    _, player = await arrived(hands)
    for minor, balance in ((3_000, 97_000), (1_000, 99_000)):
        assert await player.bet((0, "main", minor)) == ""
        assert player.mine[INFINITE].balance_minor == balance
    round_ = player.states[INFINITE].clock.round
    for balance in (97_000, 100_000):
        assert await player.ask(wire.Undo(req(), INFINITE, round_)) == ""
        assert player.mine[INFINITE].balance_minor == balance
    assert await player.ask(wire.Undo(req(), INFINITE, round_)) == "nothing_to_undo"


@pytest.mark.parametrize("again", [(MAIN, (0, "any_pair", 200)), ((0, "any_pair", 200), MAIN)])
async def test_the_same_bet_again_is_no_change_to_undo(hands: ManualServer, again: tuple[Any, ...]) -> None:
    _, player = await arrived(hands)
    assert await player.bet((0, "main", 500)) == ""
    for stakes in ((MAIN, (0, "any_pair", 200)), again, again):
        assert await player.bet(*stakes) == ""
    undo = wire.Undo(req(), INFINITE, player.states[INFINITE].clock.round)
    assert await player.ask(undo) == ""
    assert player.mine[INFINITE].stakes == (wire.Stake(0, "main", 500),)


async def test_the_last_of_many_quick_bets_stands_and_all_are_answered(hands: ManualServer) -> None:
    _, player = await arrived(hands)
    answers = [player.asked(player.a_bet((0, "main", 100 * chips))) for chips in range(1, 21)]
    await player.until(lambda: all(answer.done() for answer in answers))
    assert {type(answer.result()) for answer in answers} == {wire.Ok}
    mine = player.mine[INFINITE]
    assert (mine.stakes, mine.balance_minor) == ((wire.Stake(0, "main", 2_000),), START_MINOR - 2_000)
    (record,) = hands.house.ledger.open_rounds()
    assert len(record.keys) < 20, "bets that were overtaken cost no entry"


async def test_a_bet_over_the_maximum_is_reduced_to_it(hands: ManualServer) -> None:
    _, player = await arrived(hands)
    assert await player.bet((0, "main", 10**9)) == "not_covered"
    assert player.mine[INFINITE].balance_minor == START_MINOR
    assert player.mine[INFINITE].stakes == ()


async def test_a_result_is_in_the_ledger_before_it_is_sent(hands: ManualServer) -> None:
    _, player = await arrived(hands)
    await player.bet(MAIN)
    await played_out(hands, player)
    mine = player.mine[INFINITE]
    result = mine.result
    assert result is not None
    assert (result.void, result.staked_minor, result.number[0]) == (False, 1_000, "#")
    assert mine.balance_minor == START_MINOR - result.staked_minor + result.returned_minor
    assert sum(line.returned_minor for line in result.lines) == result.returned_minor
    assert mine.last_stakes == (wire.Stake(*MAIN),)
    assert hands.house.ledger.open_rounds() == ()
    await player.until(lambda: any(isinstance(one, wire.BalanceUpdate) for one in player.told))
    await hands.until("betting")
    await player.until(lambda: player.mine[INFINITE].stakes == ())
    assert player.mine[INFINITE].last_stakes == (wire.Stake(*MAIN),)


async def test_a_player_who_withdrew_a_bet_may_bet_in_the_next_round(hands: ManualServer) -> None:
    _, player = await arrived(hands)
    for _ in range(3):
        await player.phase("betting")
        assert await player.bet(MAIN) == ""
        assert await player.bet() == ""
        assert player.mine[INFINITE].balance_minor == START_MINOR
        await hands.until("warning")
        await hands.until("betting")
    assert hands.house.ledger.open_rounds() == ()


async def test_the_last_device_takes_the_table_over(hands: ManualServer) -> None:
    guest, first = await arrived(hands)
    await first.bet(MAIN)
    second = await guest.dial()
    assert await second.join() == ""
    assert wire.TakenOver(INFINITE) in first.told
    assert second.mine[INFINITE].stakes == (wire.Stake(*MAIN),)
    assert await first.bet() == "not_joined"
    assert await second.bet() == ""


async def test_a_bet_is_given_back_if_the_connection_is_lost_before_the_close(hands: ManualServer) -> None:
    guest, player = await arrived(hands)
    await player.bet(MAIN)
    await guest.hang_up()
    back = await guest.dial(wire.ResumedTable(INFINITE, 1))
    await back.until(lambda: INFINITE in back.mine)
    assert back.mine[INFINITE].stakes == ()
    assert back.mine[INFINITE].balance_minor == START_MINOR


async def test_a_player_disconnected_after_the_close_finds_the_result(hands: ManualServer) -> None:
    guest, player = await arrived(hands)
    await player.bet(MAIN)
    await hands.until("decisions")
    await guest.hang_up()
    await hands.until("betting")
    back = await guest.dial(wire.ResumedTable(INFINITE))
    await back.until(lambda: INFINITE in back.mine)
    result = back.mine[INFINITE].result
    assert result is not None
    assert result.staked_minor == 1_000
    assert back.mine[INFINITE].balance_minor == START_MINOR - 1_000 + result.returned_minor


async def test_seats_have_names_and_show_stakes_after_the_close(hands: ManualServer) -> None:
    _, one = await arrived(hands, SEVEN)
    _, other = await arrived(hands, SEVEN)
    assert one.welcome is not None
    assert await one.ask(wire.Sit(req(), SEVEN, 2)) == ""
    assert await other.ask(wire.Sit(req(), SEVEN, 2)) == "seat_taken"
    await other.until(lambda: other.states[SEVEN].seats)
    assert other.states[SEVEN].seats == (wire.OccupiedSeat(2, one.welcome.name),)
    assert other.heard("seat_taken", SEVEN)[0].name == one.welcome.name
    assert await one.bet((2, "main", 700), table=SEVEN) == ""
    assert await other.bet((2, "main", 700), table=SEVEN) == "not_your_seat"
    assert all(b'_minor":700' not in frame for frame in other.frames), "no stake is seen before the close"
    await played_out(hands, one, other, table=SEVEN)
    round_ = other.states[SEVEN].round
    assert round_ is not None
    assert [(box.box, box.stake_minor) for box in round_.boxes] == [(2, 700)]
    assert other.states[SEVEN].unit_minor == 0
    assert await one.ask(wire.StandUp(req(), SEVEN, 2)) == ""
    await other.until(lambda: not other.states[SEVEN].seats)


BAD: list[tuple[Any, str]] = [
    (wire.PlaceBet("b1", INFINITE, "r1", (wire.Stake(*MAIN),)), "round_ended"),
    (wire.Undo("u1", INFINITE, "r1"), "round_ended"),
    (wire.Decide("d1", INFINITE, "r1", 0, 0, 0, "hit"), "round_ended"),
    (wire.Sit("s1", INFINITE, 0), "no_such_seat"),
    (wire.StandUp("s2", INFINITE, 0), "not_your_seat"),
    (wire.PlaceBet("b2", SEVEN, "r1", (wire.Stake(*MAIN),)), "not_joined"),
    (wire.DealRound("x1", INFINITE, (wire.Stake(*MAIN),)), "not_joined"),
    (wire.Join("j1", INFINITE, "GC"), "no_such_currency"),
    (wire.ReportChatLine("p1", INFINITE, 9), "no_such_line"),
    (wire.PostChat("c1", INFINITE, "   "), "chat_empty"),
]


@pytest.mark.parametrize(("command", "code"), BAD, ids=[f"{type(one).__name__} {code}" for one, code in BAD])
async def test_a_refused_command_changes_nothing(hands: ManualServer, command: Any, code: str) -> None:
    _, player = await arrived(hands)
    assert await player.ask(command) == code
    assert player.mine[INFINITE].balance_minor == START_MINOR
    assert hands.house.ledger.open_rounds() == ()


WRONG_BETS = [
    ([(0, "main", 99)], "under_minimum"),
    ([MAIN, (0, "jackpot", 1_000)], "no_such_bet"),
    ([(1, "main", 1_000)], "no_such_box"),
    ([(0, "main", 1_000), (0, "main", 1_000)], "placed_twice"),
    ([(0, "any_pair", 1_000)], "no_main_bet"),
]


@pytest.mark.parametrize(("stakes", "code"), WRONG_BETS, ids=[code for _, code in WRONG_BETS])
async def test_a_refused_bet_leaves_the_previous_one(
    hands: ManualServer, stakes: list[Any], code: str
) -> None:
    _, player = await arrived(hands)
    await player.bet(MAIN)
    assert await player.bet(*stakes) == code
    assert player.mine[INFINITE].stakes == (wire.Stake(*MAIN),)


async def test_bets_are_refused_while_the_light_is_red(hands: ManualServer) -> None:
    _, player = await arrived(hands)
    await player.bet(MAIN)
    await hands.until("decisions")
    assert await player.bet((0, "main", 2_000)) == "bets_closed"
    assert player.mine[INFINITE].stakes == (wire.Stake(*MAIN),)


async def test_chat_reaches_everyone_as_text(hands: ManualServer) -> None:
    _, one = await arrived(hands)
    _, other = await arrived(hands)
    assert await one.ask(wire.PostChat(req(), INFINITE, "good <b>luck</b>")) == ""
    await other.until(lambda: other.chat[INFINITE])
    line = other.chat[INFINITE][-1]
    assert one.welcome is not None
    assert (line.text, line.who, line.role) == ("good <b>luck</b>", one.welcome.name, "player")
    assert await other.ask(wire.ReportChatLine(req(), INFINITE, line.line)) == ""
    _, late = await arrived(hands)
    assert late.chat[INFINITE] == [line]


async def test_a_void_gives_every_stake_back_with_the_reason(hands: ManualServer) -> None:
    _, player = await arrived(hands)
    await player.bet(MAIN, (0, "bust_it", 500))
    await hands.until("decisions")
    await hands.feed(inputs.Voided("a card fell"))
    await player.phase("pause")
    mine = player.mine[INFINITE]
    assert (mine.balance_minor, mine.stakes, mine.held_minor) == (START_MINOR, (), 0)
    assert mine.result is not None
    assert (mine.result.void, mine.result.reason, mine.result.returned_minor) == (True, "a card fell", 1_500)
    assert player.heard("voided")[-1].reason == "a card fell"
    assert player.heard("ended") == []
    assert player.chat[INFINITE][-1].code == "voided"
    assert hands.house.ledger.open_rounds() == ()
    await hands.until("betting")
    await player.phase("betting")
    assert await player.bet(MAIN) == ""


async def test_a_pause_keeps_the_round(hands: ManualServer) -> None:
    _, player = await arrived(hands)
    await player.bet(MAIN)
    await hands.feed(inputs.Paused("a spill"))
    await player.until(lambda: player.states[INFINITE].clock.paused)
    assert await player.bet() == "paused"
    assert player.chat[INFINITE][-1].args == {
        "number": player.states[INFINITE].clock.number,
        "reason": "a spill",
    }
    await hands.feed(inputs.Resumed())
    await player.until(lambda: not player.states[INFINITE].clock.paused)
    assert player.heard("opened") == [], "a round that goes on doesn't open"
    assert await player.bet() == ""


async def test_a_browser_has_a_maximum_of_open_tables(hands: ManualServer) -> None:
    _, player = await arrived(hands)
    for table in ("classic", "premium", "multihand"):
        assert await player.join(table, "GC") == ""
    assert await player.join("seven_seat") == "too_many_tables"
    assert await player.join("double_exposure", "GC") == "too_many_tables"
    assert await player.ask(wire.Leave(req(), INFINITE)) == ""
    assert await player.join("seven_seat") == ""
    assert await player.join("seven_seat") == "", "a table that is open isn't opened once more"


async def test_a_command_sent_again_on_another_connection_is_not_repeated(hands: ManualServer) -> None:
    guest, player = await arrived(hands)
    await player.bet(MAIN)
    await player.bet((0, "main", 2_000))
    undo = wire.Undo(req(), INFINITE, player.states[INFINITE].clock.round)
    assert await player.ask(undo) == ""
    again = await guest.dial()
    await again.join()
    assert await again.ask(undo) == ""
    assert again.mine[INFINITE].stakes == (wire.Stake(*MAIN),)


async def test_commands_right_after_a_join_are_carried_out_after_it(hands: ManualServer) -> None:
    await hands.until("betting", table=SEVEN)
    player = await (await guest_of(hands.house)).dial()
    round_ = hands.house.live[SEVEN].state.round
    bet = wire.PlaceBet(req(), SEVEN, round_, (wire.Stake(3, "main", 700),))
    asked = [
        wire.Join(req(), SEVEN, "EUR"),
        wire.Sit(req(), SEVEN, 3),
        bet,
        wire.PostChat(req(), SEVEN, "hello"),
    ]
    answers = [player.asked(command) for command in asked]
    await player.until(lambda: all(answer.done() for answer in answers))
    assert {type(answer.result()) for answer in answers} == {wire.Ok}
    assert player.mine[SEVEN].stakes == (wire.Stake(3, "main", 700),)
    assert player.mine[SEVEN].seats == (3,)


async def test_a_bet_does_not_wait_for_another_table(hands: ManualServer) -> None:
    """A connection's commands are carried out in turn, except those at live tables."""
    _, player = await arrived(hands)
    assert await player.join("double_exposure", "GC") == ""
    deal = wire.DealRound(req(), "double_exposure", (wire.Stake(0, "main", 1_000),))
    save = [wire.SaveSettings(req(), wire.Settings()) for _ in range(10)]
    ledger = hands.house.ledger
    assert isinstance(ledger, SqliteLedger)
    held = ledger.run(lambda _: time.sleep(0.3))  # the writer is busy
    others = [player.asked(command) for command in (deal, *save)]
    said = player.asked(wire.PostChat(req(), INFINITE, "still here"))
    await player.until(said.done)
    assert not any(other.done() for other in others)
    assert not held.done()
    await player.until(lambda: all(other.done() for other in others))


async def test_a_player_who_stays_away_is_forgotten(hands: ManualServer) -> None:
    guest, player = await arrived(hands)
    places = hands.house.live[INFINITE].broadcaster.players
    assert player.welcome is not None
    await guest.hang_up()
    for known in (True, False):
        await hands.until("warning")
        await hands.until("betting")
        assert (player.welcome.player in places) is known
        hands.later(HISTORY_KEPT_MS)


async def test_the_recording_of_a_round_replays_to_the_same_state(hands: ManualServer) -> None:
    """Each input counts from its own time, also within a batch."""
    _, player = await arrived(hands)
    assert await player.bet(MAIN) == ""
    await played_out(hands, player)
    live, steps = hands.house.live[INFINITE], list[TableStep]()
    with patch.object(RoundRecording, "add", autospec=True, side_effect=RoundRecording.add) as added:
        await hands.until("betting")
        await hands.until("warning")
        ((name, _),) = live.state.players.items()
        assert live.state.deadline_ms is not None
        hands.later(live.state.deadline_ms - hands.now_ms() - 20)
        live.submit(inputs.Placed(name, (Wager(*MAIN),)))
        hands.later(100)  # past the close
        live.submit(inputs.Left("who isn't here"))
        await played_out(hands, player)
        steps += [call.args[1] for call in added.call_args_list]
    (begun,) = [step for step in steps if isinstance(step.given, inputs.RoundNamed)]
    (ended,) = [step for step in steps if step.settles]
    notes = reversed(hands.house.ledger.notes(f"{ended.before.round}:record:"))
    lines = [str(line) for note in notes for line in cast("list[str]", note.body["record"])]
    assert replay(begun.before, lines) == ended.after


@pytest.mark.parametrize("others", range(3), ids=lambda others: f"after {others} lines more")
async def test_a_long_recording_is_posted_with_the_stakes(hands: ManualServer, others: int) -> None:
    """Otherwise the round's end would wait for all of it, or a bet for one commit more."""
    await arrived(hands)
    live = hands.house.live[INFINITE]
    ((name, _),) = live.state.players.items()
    for other in range(others):
        await live.execute(inputs.Joined(f"p_{other}", "device", "EUR"))
    with patch.object(
        LedgerGateway, "post_each", autospec=True, side_effect=LedgerGateway.post_each
    ) as entered:
        for change in range(SHARED_COMMIT_LINES):
            await live.execute(inputs.Placed(name, (Wager(0, "main", 500 + 100 * (change % 2)),)))
    kinds = Counter(tuple(entry.kind for entry in call.args[1]) for call in entered.call_args_list)
    assert live.state.phase == "betting"
    assert set(kinds) == {("stakes",), ("stakes", "note")}
    assert sum(kinds.values()) == SHARED_COMMIT_LINES
    notes = hands.house.ledger.notes(f"{live.state.round}:record:")
    assert [len(cast("list[str]", note.body["record"])) >= SHARED_COMMIT_LINES for note in notes] == [True]
