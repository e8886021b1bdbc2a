"""A player who withdraws the whole bet, or leaves during its commit: their round ends like the others."""

import pytest

from croupier.gateway.pages.history import HistoryFilter, history
from croupier.protocol import wire
from croupier.tables.live import inputs
from tests.runtime.live.in_process import ManualServer
from tests.runtime.live.player import INFINITE, req
from tests.runtime.live.test_live_round import MAIN, START_MINOR, arrived, played_out

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("goes", [inputs.Left, inputs.Disconnected])
async def test_a_bet_is_given_back_if_its_player_leaves_during_the_commit(
    hands: ManualServer, goes: type
) -> None:
    """The hold that isn't needed is released once the ledger confirms it."""
    _, player = await arrived(hands)
    _, other = await arrived(hands)
    live = hands.house.live[INFINITE]
    assert player.welcome
    assert other.welcome
    me = player.welcome.player
    device = live.state.players[me].device
    bets = player.asked(player.a_bet(MAIN)), other.asked(other.a_bet(MAIN))
    live.submit(goes(me) if goes is inputs.Left else goes(me, device))
    await other.until(bets[1].done)
    staked = {line.player: line.staked_minor for line in hands.house.ledger.open_rounds()}
    assert staked == {me: 0, other.welcome.player: 1_000}
    assert hands.house.queries.cash(me, "EUR") == START_MINOR
    await played_out(hands, other)
    assert hands.house.ledger.open_rounds() == ()
    result = other.mine[INFINITE].result
    assert result is not None
    assert not result.void


async def test_a_player_keeps_the_currency_of_a_withdrawn_bet_for_the_round(hands: ManualServer) -> None:
    _, player = await arrived(hands)
    assert await player.bet(MAIN) == ""
    assert await player.bet() == ""
    assert await player.ask(wire.Leave(req(), INFINITE)) == ""
    assert await player.join(INFINITE, "USD") == ""
    assert player.mine[INFINITE].currency == "EUR"
    assert await player.bet(MAIN) == ""
    await played_out(hands, player)
    assert await player.ask(wire.Leave(req(), INFINITE)) == ""
    assert await player.join(INFINITE, "USD") == ""
    assert player.mine[INFINITE].currency == "USD"


async def test_a_cancelled_round_is_cancelled_for_a_player_without_a_bet_too(hands: ManualServer) -> None:
    """At once, although nothing is staked by then."""
    _, player = await arrived(hands)
    assert await player.bet(MAIN) == ""
    assert await player.bet() == ""
    await hands.feed(inputs.Voided("spilt coffee"))
    assert player.welcome
    (record,) = hands.house.ledger.rounds(player.welcome.player)
    assert (record.status, record.staked_minor, record.returned_minor) == ("void", 0, 0)


async def test_history_shows_a_withdrawn_bet(hands: ManualServer) -> None:
    """In the ledger the round is settled, with nothing staked."""
    _, player = await arrived(hands)
    _, other = await arrived(hands)
    assert await other.bet(MAIN) == ""
    assert await player.bet(MAIN) == ""
    assert await player.bet() == ""
    await played_out(hands, other)
    ledger, tables = hands.house.ledger, hands.house.tables
    for one, status in ((player, "taken_back"), (other, "settled")):
        assert one.welcome
        (line,) = history(ledger, tables, one.welcome.player, HistoryFilter(None, None, 0, None, 10)).lines
        assert line.status == status
