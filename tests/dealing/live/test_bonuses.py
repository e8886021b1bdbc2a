"""Bonuses at live tables: settled stakes of cash count, bonus money isn't staked, the terms restrict bets."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from croupier.protocol import wire
from tests.dealing.live.in_process import MAIN_BET, SLOW, ManualServer, join_table, manual_server
from tests.dealing.live.player import INFINITE, ROULETTE, Player
from tests.dealing.live.test_player_limits import id_of

pytestmark = pytest.mark.anyio

BONUS = """
[bonuses.small]
title = "Small bonus"
currency = "EUR"
amount = "3.00"
multiple = 1
max_bet = "20.00"
excluded = ["live_roulette"]
"""
ALL_MINOR = 100_000


@pytest.fixture
async def manual(tmp_path: Path, speculate: None) -> AsyncIterator[ManualServer]:
    async with manual_server(tmp_path, SLOW + BONUS) as manual:
        yield manual


async def join_with_bonus(manual: ManualServer) -> Player:
    _, player = await join_table(manual)
    await manual.server.bonuses.grant(id_of(player), "small", "because")
    return player


def bonus_of(manual: ManualServer, player: Player) -> wire.PlayerBonus:
    return manual.server.bonuses.history(id_of(player))[0]


async def test_a_settled_stake_counts_fifteen_per_cent(manual: ManualServer) -> None:
    player = await join_with_bonus(manual)
    assert await player.bet(MAIN_BET) == ""
    await manual.advance_to("decisions")
    assert bonus_of(manual, player).left_minor == 300
    await manual.advance_to("pause")
    assert bonus_of(manual, player).left_minor == 300 - MAIN_BET[2] * 15 // 100
    manual.server.bonuses._of.clear()
    await manual.server.bonuses.load()
    (active,) = manual.server.bonuses.views(id_of(player))
    assert active == bonus_of(manual, player), "after a restart it is the same"


async def test_the_bonus_becomes_cash_when_the_requirement_is_met(manual: ManualServer) -> None:
    player = await join_with_bonus(manual)
    assert await player.bet((0, "main", 2_000)) == ""
    await manual.advance_to("pause")
    bonus = bonus_of(manual, player)
    assert (bonus.status, bonus.left_minor) == ("converted", 0)
    balance = manual.server.queries.balances(id_of(player), 0)[2]
    net = balance.session_returned_minor - balance.session_staked_minor
    assert balance.balance_minor == ALL_MINOR + net + 300


async def test_a_void_round_counts_nothing(manual: ManualServer) -> None:
    player = await join_with_bonus(manual)
    assert await player.bet(MAIN_BET) == ""
    await manual.advance_to("decisions")
    await manual.server.live[INFINITE].close("a fault")
    assert bonus_of(manual, player).left_minor == 300


async def test_the_terms_restrict_live_bets(manual: ManualServer) -> None:
    player = await join_with_bonus(manual)
    assert await player.bet((0, "main", 2_001)) == "over_bonus_bet"
    assert await player.bet((0, "main", 2_000)) == ""
    assert await player.bet() == "", "a bet may always be taken back"
    assert await player.join(ROULETTE) == ""
    await player.until_phase("betting", table=ROULETTE)
    command = player.bet_command((0, "red", 100), table=ROULETTE)
    assert isinstance(answer := await player.submit(command), wire.No)
    assert (answer.code, answer.args) == ("bonus_table", {"table": ROULETTE})
