"""Players' own limits at live tables: stakes stay within them, and a barred player is disconnected."""

import asyncio

import pytest

from croupier.accounts.responsible_gaming import Measure
from croupier.protocol import wire
from croupier.tables.live.inputs import Ticked
from tests.dealing.live.in_process import MAIN_BET, Guest, ManualServer, join_table, new_guest
from tests.dealing.live.player import BACCARAT, INFINITE, ROULETTE, Player, req

pytestmark = pytest.mark.anyio

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
LOSS, WAGER = Measure("loss", "day", "EUR"), Measure("wager", "week", "EUR")


def id_of(player: Player) -> str:
    assert player.welcome is not None
    return player.welcome.player


async def join_with_limit(manual: ManualServer, measure: Measure, maximum: int) -> tuple[Guest, Player]:
    left_of_day_ms = DAY_MS - manual.now_ms() % DAY_MS
    if left_of_day_ms < HOUR_MS:  # else a round could end on the next day, for which the limit starts anew
        manual.advance_clock(left_of_day_ms)
    guest, player = await join_table(manual)
    await manual.server.restrictions.set_limit(id_of(player), measure, maximum)
    return guest, player


def staked(player: Player) -> int:
    return sum(stake.stake_minor for stake in player.mine[INFINITE].stakes)


async def test_a_bet_over_the_limit_is_refused_and_the_previous_bet_stands(manual: ManualServer) -> None:
    _, player = await join_with_limit(manual, LOSS, 2_500)
    assert await player.bet((0, "main", 2_000)) == ""
    answer = await player.submit(player.bet_command((0, "main", 3_000)))
    assert isinstance(answer, wire.No)
    assert (answer.code, answer.args) == (
        "over_own_limit",
        {"what": "loss", "period": "day", "most_minor": 2_500, "left_minor": 500},
    )
    assert staked(player) == 2_000
    assert await player.bet((0, "main", 2_500)) == ""
    assert await player.bet((0, "main", 1_000)) == ""
    assert await player.bet((0, "main", 2_500)) == ""


async def test_other_players_bets_in_the_same_batch_are_accepted(manual: ManualServer) -> None:
    _, player = await join_with_limit(manual, LOSS, 1_000)
    other = await (await new_guest(manual.server)).connect()
    assert await other.join() == ""
    first, second = await asyncio.gather(
        player.submit(player.bet_command((0, "main", 2_000))),
        other.submit(other.bet_command((0, "main", 2_000))),
    )
    assert isinstance(first, wire.No)
    assert isinstance(second, wire.Ok)


async def test_simultaneous_bets_at_two_tables_share_the_limit(manual: ManualServer) -> None:
    _, player = await join_with_limit(manual, WAGER, 3_000)
    assert await player.join(ROULETTE) == ""
    await player.until_phase("betting", table=ROULETTE)
    answers = await asyncio.gather(
        player.submit(player.bet_command((0, "main", 2_000))),
        player.submit(player.bet_command((0, "red", 2_000), table=ROULETTE)),
    )
    assert sorted(type(answer).__name__ for answer in answers) == ["No", "Ok"]


async def test_a_double_over_the_limit_is_refused_and_the_hand_continues(manual: ManualServer) -> None:
    _, player = await join_with_limit(manual, LOSS, 1_500)
    assert await player.bet((0, "main", 1_000)) == ""
    await manual.advance_to("decisions")
    turn = (await player.until_phase("decisions")).turn
    assert await player.decide("double") == "over_own_limit"
    assert player.mine[INFINITE].made[-1].by == "low_balance", "the table hits instead"
    await player.until(lambda: player.states[INFINITE].turn > turn + 1)
    assert await player.decide("hit") == ""


async def test_losses_and_wins_count_towards_the_limit(manual: ManualServer) -> None:
    _, player = await join_with_limit(manual, LOSS, 1_000)
    assert await player.bet((0, "main", 1_000)) == ""
    await manual.advance_to("pause")
    await player.until_phase("pause")
    assert player.mine[INFINITE].result is not None
    balance = manual.server.queries.balances(id_of(player), 0)[2]
    lost = balance.session_staked_minor - balance.session_returned_minor
    assert manual.server.limits.used(id_of(player), LOSS, manual.now_ms()) == lost
    await manual.advance_to("betting")
    await player.until_phase("betting")
    assert await player.bet((0, "main", 1_000)) == ("over_own_limit" if lost > 0 else "")


async def test_self_exclusion_ends_the_session_and_returns_open_bets(manual: ManualServer) -> None:
    guest, player = await join_table(manual)
    assert await player.bet(MAIN_BET) == ""
    await manual.server.restrictions.bar(id_of(player), "exclusion", manual.now_ms() + 1_000_000)
    assert guest.connection.close_code == 1000
    last = player.messages[-1]
    assert isinstance(last, wire.No)
    assert (last.req, last.code, last.args["why"]) == ("", "barred", "exclusion")
    await manual.execute(Ticked())  # all earlier inputs have been processed
    assert manual.server.queries.balances(id_of(player), 0)[2].in_play_minor == 0
    again = await guest.connect(wire.ResumedTable(INFINITE, 1))
    assert await again.join() == "barred"
    assert await again.join(BACCARAT) == "barred"
    assert await again.ask(wire.PostChat(req(), INFINITE, "let me in")) == "barred"


async def test_closed_bets_of_an_excluded_player_are_played(manual: ManualServer) -> None:
    _, player = await join_table(manual)
    assert await player.bet(MAIN_BET) == ""
    await manual.advance_to("decisions")
    await manual.server.restrictions.bar(id_of(player), "exclusion", manual.now_ms() + 1_000_000)
    await manual.advance_to("pause")
    balance = manual.server.queries.balances(id_of(player), 0)[2]
    assert (balance.in_play_minor, balance.session_staked_minor) == (0, MAIN_BET[2])
