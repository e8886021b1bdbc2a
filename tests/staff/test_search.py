"""One search field finds a round by what its player sees, and payments, wallet calls and players."""

from pathlib import Path

import pytest

from croupier.protocol import wire
from croupier.protocol.staff_players import FoundPlayers, SearchResults
from croupier.staff.service import StaffService
from croupier.tables.game_number import game_number
from tests.dealing.live.in_process import new_guest, running_server
from tests.dealing.live.player import Player, req
from tests.money.wallet.own_table import OwnTable, serving
from tests.staff.office import ADA, BEN, code_of
from tests.support.wallet import LocalOperator, settled

pytestmark = pytest.mark.anyio

PLAY_MONEY = """
[payments.currencies.SC]
provider = "play_money"

[live_baccarat]
pace_ms = 0
betting_ms = 1000
warning_ms = 100
pause_ms = 50
"""
LIVE = "live_baccarat"


async def bet_live(player: Player) -> None:
    assert await player.join(LIVE) == ""
    await player.until_phase("betting", table=LIVE)
    assert await player.bet((0, "player", 1_000), table=LIVE) == ""


async def test_a_live_round_is_found_by_its_number(tmp_path: Path) -> None:
    async with running_server(tmp_path, PLAY_MONEY) as server:
        ann = await (await new_guest(server)).connect()
        await bet_live(ann)
        await ann.until(lambda: ann.results)
        (coup,) = ann.results
        search = StaffService(server).search
        found = await search.find(ADA, f" {game_number(coup).lower()} ")
        (line,) = [each.line for each in found.rounds]
        assert line.number == game_number(coup)
        for name in (line.round, coup):
            assert (await search.find(ADA, name)).rounds == found.rounds


async def test_a_payment_is_found_by_its_id_without_the_page_where_it_is_paid(tmp_path: Path) -> None:
    async with running_server(tmp_path, PLAY_MONEY) as server:
        guest = await new_guest(server)
        known = await server.sessions.signed_in(guest.token)
        assert known is not None
        payment = await server.payments.deposit(known, wire.CashierRequest(req(), "SC", 700))
        (found,) = (await StaffService(server).search.find(ADA, payment.id)).payments
        assert (found.player, found.line.payment, found.line.redirect) == (known.id, payment.id, "")


async def test_the_wallet_calls_of_a_round_are_found_by_round_and_by_transaction(tmp_path: Path) -> None:
    operator = LocalOperator("anna")
    async with serving(tmp_path, operator) as server:
        table = await OwnTable.open(server)
        assert await table.deal() == ""
        assert await table.decide("stand") == ""
        await settled(server)
        search = StaffService(server).search
        found = await search.find(ADA, game_number(table.client.round_id))
        assert [each.line.round for each in found.rounds] == [table.client.round_id]
        assert [(call.what, call.progress) for call in found.wallet_calls] == [
            ("stake", "paid"),
            ("win", "settled"),
        ]
        for call in found.wallet_calls:
            assert (await search.find(ADA, call.transaction)).wallet_calls == (call,)
        players = (await search.find(ADA, table.player[:8])).players.players
        assert table.player in {each.player for each in players}


async def test_dealers_dont_search_and_unknown_texts_find_nothing(tmp_path: Path) -> None:
    async with running_server(tmp_path, PLAY_MONEY) as server:
        search = StaffService(server).search
        assert await code_of(search.find(BEN, "r1")) == "not_allowed"
        for text in ("r1", ".", "#00:00:00-00000-00000", "%", "wallet:", "pay_none"):
            found = await search.find(ADA, text)
            assert found == SearchResults(FoundPlayers((), more=False), (), (), ())
