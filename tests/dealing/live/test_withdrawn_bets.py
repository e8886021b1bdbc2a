"""A player who withdraws the whole bet, or leaves while it is committed: their round ends like any other."""

import pytest

from croupier.gateway.pages.history import Selection, history
from croupier.protocol import wire
from croupier.tables.live import inputs
from tests.dealing.live.in_process import MAIN_BET, START_MINOR, ManualServer, finish_round, join_table
from tests.dealing.live.player import INFINITE, req

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("departure", [inputs.Left, inputs.Disconnected])
async def test_a_bet_is_returned_if_its_player_leaves_during_the_commit(
    manual: ManualServer, departure: type
) -> None:
    """The hold is released as soon as the ledger confirms it."""
    _, player = await join_table(manual)
    _, other = await join_table(manual)
    live = manual.server.live[INFINITE]
    assert player.welcome
    assert other.welcome
    me = player.welcome.player
    device = live.state.players[me].device
    bets = player.submit(player.bet_command(MAIN_BET)), other.submit(other.bet_command(MAIN_BET))
    live.submit(departure(me) if departure is inputs.Left else departure(me, device))
    await other.until(bets[1].done)
    staked = {line.player: line.staked_minor for line in manual.server.ledger.open_rounds()}
    assert staked == {me: 0, other.welcome.player: 1_000}
    assert manual.server.queries.cash(me, "EUR") == START_MINOR
    await finish_round(manual, other)
    assert manual.server.ledger.open_rounds() == ()
    result = other.mine[INFINITE].result
    assert result is not None
    assert not result.void


async def test_a_player_keeps_the_currency_of_a_withdrawn_bet_for_the_round(manual: ManualServer) -> None:
    _, player = await join_table(manual)
    assert await player.bet(MAIN_BET) == ""
    assert await player.bet() == ""
    assert await player.ask(wire.Leave(req(), INFINITE)) == ""
    assert await player.join(INFINITE, "USD") == ""
    assert player.mine[INFINITE].currency == "EUR"
    assert await player.bet(MAIN_BET) == ""
    await finish_round(manual, player)
    assert await player.ask(wire.Leave(req(), INFINITE)) == ""
    assert await player.join(INFINITE, "USD") == ""
    assert player.mine[INFINITE].currency == "USD"


async def test_a_cancelled_round_is_cancelled_for_a_player_without_a_bet_too(manual: ManualServer) -> None:
    """The player's round is void at once, although nothing is staked any more."""
    _, player = await join_table(manual)
    assert await player.bet(MAIN_BET) == ""
    assert await player.bet() == ""
    await manual.execute(inputs.Voided("spilt coffee"))
    assert player.welcome
    (record,) = manual.server.ledger.rounds(player.welcome.player)
    assert (record.status, record.staked_minor, record.returned_minor) == ("void", 0, 0)


async def test_history_shows_a_withdrawn_bet(manual: ManualServer) -> None:
    """The ledger has a settled round without a stake."""
    _, player = await join_table(manual)
    _, other = await join_table(manual)
    assert await other.bet(MAIN_BET) == ""
    assert await player.bet(MAIN_BET) == ""
    assert await player.bet() == ""
    await finish_round(manual, other)
    ledger, tables = manual.server.ledger, manual.server.tables
    for one, status in ((player, "taken_back"), (other, "settled")):
        assert one.welcome
        selection = Selection(None, 0, None)
        (line,) = history(ledger, tables, one.welcome.player, selection, None, 10).lines
        assert line.status == status
