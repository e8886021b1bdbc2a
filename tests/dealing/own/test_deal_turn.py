"""A deal carries the turn it answers: of two clicks with an id each, one deals."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier.gateway.server import Server
from croupier.play.contract.bets import Wager
from croupier.protocol import wire
from croupier.refusal import Refused
from croupier.rounds.requests import request_key
from tests.support.in_process import InProcessClient, server_dealing

pytestmark = pytest.mark.anyio

TABLE = "roulette"
JOIN = wire.Join("join", TABLE, "GC")
DEAL = wire.DealRound("one", TABLE, (wire.Stake(0, "red", 1000),), after="")


def answer_of(player: InProcessClient) -> object:
    return player.answer


def id_of(server: Server) -> str:
    """Return the only player's id."""
    (connected,) = server.players
    return connected.id


async def test_a_double_click_with_two_ids_deals_once(tmp_path: Path) -> None:
    with server_dealing(tmp_path, ()) as server:
        player = await InProcessClient.connect(server)
        await player.request(JOIN)
        assert player.state.after == ""
        await player.request(DEAL, replace(DEAL, req="two"))
        await player.connection.answered()
        assert answer_of(player) == wire.No("two", "dealt_already", {"table": TABLE})
        (line,) = server.ledger.rounds(id_of(server))
        assert player.state.after == line.id
        await player.request(replace(DEAL, req="three", after=player.state.after))
        assert answer_of(player) == wire.Ok("three")
        assert len(server.ledger.rounds(id_of(server))) == 2


async def test_a_deal_is_found_again_when_memory_is_empty(tmp_path: Path) -> None:
    with server_dealing(tmp_path, ()) as server:
        await InProcessClient.connect(server)
        table = await server.player_tables.open(id_of(server), TABLE)
        request = request_key(id_of(server), DEAL.req, DEAL)
        wagers = [Wager(0, "red", 1000)]
        await table.deal(request, wagers, "")
        dealt = table.snapshot()
        await table.deal(request, wagers, "")
        assert table.snapshot() == dealt
        with pytest.raises(Refused, match="key_reused"):
            await table.deal(request._replace(digest="other"), wagers, dealt.state.after)
        assert table.snapshot() == dealt


async def test_the_turn_stays_after_the_table_was_closed(tmp_path: Path) -> None:
    with server_dealing(tmp_path, ()) as server:
        player = await InProcessClient.connect(server)
        await player.request(JOIN)
        await player.request(DEAL)
        after = player.state.after
        await player.request(wire.Leave("leave", TABLE))
        await player.request(replace(JOIN, req="again"))
        assert (player.state.round, player.state.after) == (None, after)


async def test_earlier_clients_deal_without_a_turn(tmp_path: Path) -> None:
    with server_dealing(tmp_path, ()) as server:
        player = await InProcessClient.connect(server)
        await player.request(JOIN)
        for req in ("one", "two"):
            await player.request(wire.DealRound(req, TABLE, DEAL.stakes))
            assert answer_of(player) == wire.Ok(req)
        assert len(server.ledger.rounds(id_of(server))) == 2
