"""At a live table no stake exceeds a player's own limit, and a barred player is disconnected."""

import asyncio

import pytest

from croupier.accounts.responsible_gaming import Measure
from croupier.protocol import wire
from croupier.tables.live.inputs import Ticked
from tests.runtime.live.in_process import Guest, ManualServer, guest_of
from tests.runtime.live.player import BACCARAT, INFINITE, ROULETTE, Player, req
from tests.runtime.live.test_live_round import MAIN, arrived

pytestmark = pytest.mark.anyio

LOSS, WAGER = Measure("loss", "day", "EUR"), Measure("wager", "week", "EUR")


def name(player: Player) -> str:
    assert player.welcome is not None
    return player.welcome.player


async def limited(hands: ManualServer, measure: Measure, most: int) -> tuple[Guest, Player]:
    guest, player = await arrived(hands)
    await hands.house.restrictions.set_limit(name(player), measure, most)
    return guest, player


def staked(player: Player) -> int:
    return sum(stake.stake_minor for stake in player.mine[INFINITE].stakes)


async def test_a_bet_over_the_limit_is_refused_and_the_previous_bet_stands(hands: ManualServer) -> None:
    _, player = await limited(hands, LOSS, 2_500)
    assert await player.bet((0, "main", 2_000)) == ""
    said = await player.asked(player.a_bet((0, "main", 3_000)))
    assert isinstance(said, wire.No)
    assert (said.code, said.args) == (
        "over_own_limit",
        {"what": "loss", "period": "day", "most_minor": 2_500, "left_minor": 500},
    )
    assert staked(player) == 2_000
    assert await player.bet((0, "main", 2_500)) == ""
    assert await player.bet((0, "main", 1_000)) == ""
    assert await player.bet((0, "main", 2_500)) == ""


async def test_other_players_bets_in_the_same_batch_are_accepted(hands: ManualServer) -> None:
    _, player = await limited(hands, LOSS, 1_000)
    other = await (await guest_of(hands.house)).dial()
    assert await other.join() == ""
    one, two = player.asked(player.a_bet((0, "main", 2_000))), other.asked(other.a_bet((0, "main", 2_000)))
    first, second = await asyncio.gather(one, two)
    assert isinstance(first, wire.No)
    assert isinstance(second, wire.Ok)


async def test_two_tables_at_once_share_the_limit(hands: ManualServer) -> None:
    _, player = await limited(hands, WAGER, 3_000)
    assert await player.join(ROULETTE) == ""
    await player.phase("betting", table=ROULETTE)
    answers = await asyncio.gather(
        player.asked(player.a_bet((0, "main", 2_000))),
        player.asked(player.a_bet((0, "red", 2_000), table=ROULETTE)),
    )
    assert sorted(type(answer).__name__ for answer in answers) == ["No", "Ok"]


async def test_a_double_over_the_limit_is_refused_and_the_hand_goes_on(hands: ManualServer) -> None:
    _, player = await limited(hands, LOSS, 1_500)
    assert await player.bet((0, "main", 1_000)) == ""
    await hands.until("decisions")
    turn = (await player.phase("decisions")).turn
    assert await player.decide("double") == "over_own_limit"
    assert player.mine[INFINITE].made[-1].by == "low_balance", "the table hits instead"
    await player.until(lambda: player.states[INFINITE].turn > turn + 1)
    assert await player.decide("hit") == ""


async def test_losses_and_wins_count_towards_the_limit(hands: ManualServer) -> None:
    _, player = await limited(hands, LOSS, 1_000)
    assert await player.bet((0, "main", 1_000)) == ""
    await hands.until("pause")
    await player.phase("pause")
    assert player.mine[INFINITE].result is not None
    balance = hands.house.queries.balances(name(player), 0)[2]
    lost = balance.session_staked_minor - balance.session_returned_minor
    assert hands.house.limits.used(name(player), LOSS, hands.now_ms()) == lost
    await hands.until("betting")
    await player.phase("betting")
    assert await player.bet((0, "main", 1_000)) == ("over_own_limit" if lost > 0 else "")


async def test_self_exclusion_ends_the_session_and_gives_open_bets_back(hands: ManualServer) -> None:
    guest, player = await arrived(hands)
    assert await player.bet(MAIN) == ""
    await hands.house.restrictions.bar(name(player), "exclusion", hands.now_ms() + 1_000_000)
    assert guest.line.closed_with == 1000
    last = player.told[-1]
    assert isinstance(last, wire.No)
    assert (last.req, last.code, last.args["why"]) == ("", "barred", "exclusion")
    await hands.feed(Ticked())  # whatever was asked before it is done
    assert hands.house.queries.balances(name(player), 0)[2].in_play_minor == 0
    again = await guest.dial(wire.ResumedTable(INFINITE, 1))
    assert await again.join() == "barred"
    assert await again.join(BACCARAT) == "barred"
    assert await again.ask(wire.PostChat(req(), INFINITE, "let me in")) == "not_joined"


async def test_closed_bets_of_an_excluded_player_are_played(hands: ManualServer) -> None:
    _, player = await arrived(hands)
    assert await player.bet(MAIN) == ""
    await hands.until("decisions")
    await hands.house.restrictions.bar(name(player), "exclusion", hands.now_ms() + 1_000_000)
    await hands.until("pause")
    balance = hands.house.queries.balances(name(player), 0)[2]
    assert (balance.in_play_minor, balance.session_staked_minor) == (0, MAIN[2])
