"""A player has one state at an own table, whichever of their browsers connect and disconnect."""

from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from croupier import clock
from croupier.action_log import ASKED
from croupier.config import DEFAULT_CONFIG
from croupier.equipment.cards import DECK
from croupier.games import published_tables
from croupier.money.bonus.service import Bonuses
from croupier.protocol import wire
from tests.support.in_process import DECODER, InProcessClient, server_dealing

pytestmark = pytest.mark.anyio

JOIN = wire.Join("join", "double_exposure", "GC")
DEAL = wire.DealRound("deal", "double_exposure", (wire.Stake(0, "main", 1000),))


async def test_a_disconnected_browser_opens_no_table(tmp_path: Path) -> None:
    """Its commands are executed late, when another browser has the table."""
    cards = DECK * published_tables()["double_exposure"].rules.decks
    with server_dealing(tmp_path, cards) as server:
        leaving = await InProcessClient.connect(server)
        staying = leaving.another_client(server)
        await staying.request(wire.Hello(wire.PROTOCOL), wire.Ping())
        leaving.send(wire.SaveSettings("save", wire.Settings()), replace(JOIN, currency="EUR"), DEAL)
        leaving.disconnect()
        await staying.request(JOIN)
        await leaving.wait_until_finished()
        await staying.request(replace(DEAL, req="mine"))
        assert staying.answer == wire.Ok("mine")
        assert staying.state.currency == "GC"
        assert [one.currency for one in server.ledger.open_rounds()] == ["GC"]


async def test_a_deal_requested_before_a_disconnection_is_dealt(tmp_path: Path) -> None:
    cards = DECK * published_tables()["double_exposure"].rules.decks
    with server_dealing(tmp_path, cards) as server:
        leaving = await InProcessClient.connect(server)
        await leaving.request(JOIN)
        leaving.send(wire.SaveSettings("save", wire.Settings()), DEAL)
        leaving.disconnect()
        await leaving.wait_until_finished()
        (record,) = server.ledger.open_rounds()
        staying = leaving.another_client(server)
        await staying.request(wire.Hello(wire.PROTOCOL, (wire.ResumedTable("double_exposure"),)), wire.Ping())
        assert staying.round_id == record.id
        await staying.request(replace(DEAL, req="another"))
        assert staying.answer == wire.No("another", "round_open", {})


async def test_a_round_starts_no_sooner_than_the_jurisdiction_allows(tmp_path: Path) -> None:
    """This includes a player who has left the table meanwhile."""
    cards = DECK * published_tables()["double_exposure"].rules.decks
    profile = replace(DEFAULT_CONFIG.profile, round_min_ms=5_000)
    with server_dealing(tmp_path, cards, DEFAULT_CONFIG._replace(profile=profile)) as server:
        player = await InProcessClient.connect(server)
        await player.request(JOIN)
        await player.request(DEAL)
        assert player.state.round is not None
        again_ms = player.state.round.started_ms + 5_000
        assert player.state.next_deal_ms == again_ms
        await player.request(
            wire.Decide("stand", "double_exposure", player.round_id, player.turn, 0, 0, "stand")
        )
        await player.request(replace(DEAL, req="soon"))
        assert player.answer == wire.No("soon", "too_soon", {"again_ms": again_ms})
        await player.request(wire.Leave("leave", "double_exposure"))
        await player.request(replace(JOIN, req="join-again"))
        assert player.state.next_deal_ms == again_ms
        with patch.object(clock, "now_ms", lambda: again_ms):
            await player.request(replace(DEAL, req="then"))
        assert isinstance(player.answer, wire.Ok)


async def test_the_time_played_counts_from_the_first_bet_of_the_session(tmp_path: Path) -> None:
    """It doesn't count from the connection, since browsing the lobby isn't play."""
    cards = DECK * published_tables()["double_exposure"].rules.decks
    with server_dealing(tmp_path, cards) as server:
        player = await InProcessClient.connect(server)
        assert played_from_ms(player) == 0
        await player.request(JOIN)
        await player.request(DEAL)
        assert player.state.round is not None
        again = player.another_client(server)
        await again.request(wire.Hello(wire.PROTOCOL), wire.Ping())
        assert played_from_ms(again) == player.state.round.started_ms


def played_from_ms(player: InProcessClient) -> int:
    welcome = next(
        one for one in map(DECODER.decode, player.connection.frames) if isinstance(one, wire.Welcome)
    )
    return welcome.played_from_ms


async def test_a_round_that_cannot_be_settled_stays_open_and_raises_the_alarm(tmp_path: Path) -> None:
    cards = DECK * published_tables()["double_exposure"].rules.decks
    with server_dealing(tmp_path, cards) as server:
        player = await InProcessClient.connect(server)
        await player.request(JOIN)
        await player.request(DEAL)
        stand = wire.Decide("stand", "double_exposure", player.round_id, player.turn, 0, 0, "stand")
        with patch.object(Bonuses, "post", side_effect=ValueError("planted")):
            await player.request(stand)
        assert repr(player.answer) == repr(wire.No("stand", "malfunction", {}))
        assert player.state.round is not None
        assert player.turn == stand.turn
        assert len(server.ledger.open_rounds()) == 1
        assert server.table_services.measurements.unsettled == {"double_exposure": 1}
        (note,) = server.ledger.notes(ASKED)
        assert note.body["what"] == "unsettled"
        await player.request(replace(stand, req="again"))
        assert player.answer == wire.Ok("again")
        assert server.ledger.open_rounds() == ()
