"""Connections to a live table: joining, leaving, returning, and the order of commands."""

import time

import pytest

from croupier.dealing.live.broadcast.broadcaster import HISTORY_KEPT_MS
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.protocol import wire
from tests.dealing.live.in_process import (
    MAIN_BET,
    START_MINOR,
    ManualServer,
    join_table,
    new_guest,
)
from tests.dealing.live.player import INFINITE, SEVEN, req

pytestmark = pytest.mark.anyio


async def test_a_player_who_joins_gets_a_snapshot(manual: ManualServer) -> None:
    _, player = await join_table(manual)
    snapshot = next(message for message in player.messages if isinstance(message, wire.LiveSnapshot))
    clock = snapshot.state.clock
    assert (clock.phase, clock.light, clock.paused) == ("betting", "green", "")
    assert clock.deadline_ms is not None
    assert clock.bets_close_ms == clock.deadline_ms + 5_000
    assert (snapshot.state.players, snapshot.state.round, snapshot.mine.balance_minor) == (
        1,
        None,
        START_MINOR,
    )
    assert isinstance(player.messages[-1], wire.Ok), "the answer follows the snapshot"


async def test_the_newest_connection_takes_the_table_over(manual: ManualServer) -> None:
    guest, first = await join_table(manual)
    await first.bet(MAIN_BET)
    second = await guest.connect()
    assert await second.join() == ""
    assert wire.TakenOver(INFINITE) in first.messages
    assert second.mine[INFINITE].stakes == (wire.Stake(*MAIN_BET),)
    assert await first.bet() == "not_joined"
    assert await second.bet() == ""


async def test_a_bet_is_returned_if_the_connection_is_lost_before_the_close(manual: ManualServer) -> None:
    guest, player = await join_table(manual)
    await player.bet(MAIN_BET)
    await guest.disconnect()
    again = await guest.connect(wire.ResumedTable(INFINITE, 1))
    await again.until(lambda: INFINITE in again.mine)
    assert again.mine[INFINITE].stakes == ()
    assert again.mine[INFINITE].balance_minor == START_MINOR


async def test_a_player_disconnected_after_the_close_is_sent_the_result_on_return(
    manual: ManualServer,
) -> None:
    guest, player = await join_table(manual)
    await player.bet(MAIN_BET)
    await manual.advance_to("decisions")
    await guest.disconnect()
    await manual.advance_to("betting")
    again = await guest.connect(wire.ResumedTable(INFINITE))
    await again.until(lambda: INFINITE in again.mine)
    result = again.mine[INFINITE].result
    assert result is not None
    assert result.staked_minor == 1_000
    assert again.mine[INFINITE].balance_minor == START_MINOR - 1_000 + result.returned_minor


async def test_a_connection_has_a_maximum_of_open_tables(manual: ManualServer) -> None:
    _, player = await join_table(manual)
    for table in ("classic", "premium", "multihand"):
        assert await player.join(table, "GC") == ""
    assert await player.join("seven_seat") == "too_many_tables"
    assert await player.join("double_exposure", "GC") == "too_many_tables"
    assert await player.ask(wire.Leave(req(), INFINITE)) == ""
    assert await player.join("seven_seat") == ""
    assert await player.join("seven_seat") == "", "joining an open table again doesn't count"


async def test_a_command_sent_again_on_another_connection_is_not_executed_again(manual: ManualServer) -> None:
    guest, player = await join_table(manual)
    await player.bet(MAIN_BET)
    await player.bet((0, "main", 2_000))
    undo = wire.Undo(req(), INFINITE, player.states[INFINITE].clock.round)
    assert await player.ask(undo) == ""
    again = await guest.connect()
    await again.join()
    assert await again.ask(undo) == ""
    assert again.mine[INFINITE].stakes == (wire.Stake(*MAIN_BET),)


async def test_commands_sent_right_after_a_join_are_executed_after_it(manual: ManualServer) -> None:
    await manual.advance_to("betting", table=SEVEN)
    player = await (await new_guest(manual.server)).connect()
    round_ = manual.server.live[SEVEN].state.round
    bet = wire.PlaceBet(req(), SEVEN, round_, (wire.Stake(3, "main", 700),))
    commands = [
        wire.Join(req(), SEVEN, "EUR"),
        wire.Sit(req(), SEVEN, 3),
        bet,
        wire.PostChat(req(), SEVEN, "hello"),
    ]
    answers = [player.submit(command) for command in commands]
    await player.until(lambda: all(answer.done() for answer in answers))
    assert {type(answer.result()) for answer in answers} == {wire.Ok}
    assert player.mine[SEVEN].stakes == (wire.Stake(3, "main", 700),)
    assert player.mine[SEVEN].seats == (3,)


async def test_a_bet_does_not_wait_for_another_table(manual: ManualServer) -> None:
    """A connection's commands are executed one after the other, except those at live tables."""
    _, player = await join_table(manual)
    assert await player.join("double_exposure", "GC") == ""
    deal = wire.DealRound(req(), "double_exposure", (wire.Stake(0, "main", 1_000),))
    save = [wire.SaveSettings(req(), wire.Settings()) for _ in range(10)]
    ledger = manual.server.ledger
    assert isinstance(ledger, SqliteLedger)
    blocking = ledger.run(lambda _: time.sleep(0.3))  # the writer is busy
    others = [player.submit(command) for command in (deal, *save)]
    chat = player.submit(wire.PostChat(req(), INFINITE, "still here"))
    await player.until(chat.done)
    assert not any(other.done() for other in others)
    assert not blocking.done()
    await player.until(lambda: all(other.done() for other in others))


async def test_a_player_who_stays_away_is_removed_from_memory(manual: ManualServer) -> None:
    guest, player = await join_table(manual)
    players = manual.server.live[INFINITE].broadcaster.players
    assert player.welcome is not None
    await guest.disconnect()
    for known in (True, False):
        await manual.advance_to("warning")
        await manual.advance_to("betting")
        assert (player.welcome.player in players) is known
        manual.advance_clock(HISTORY_KEPT_MS)
