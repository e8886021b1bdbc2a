"""Bonus money at live tables: it pays what the cash lacks, and comes back to where it came from."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier import clock
from croupier.dealing.live.money.table_money import TableMoney
from croupier.equipment.cards import card
from croupier.ledger import entries
from croupier.protocol import wire
from croupier.refusal import Refused
from croupier.tables.live import inputs
from tests.dealing.live import in_process
from tests.dealing.live.in_process import SLOW, Guest, ManualServer, join_table, manual_server, stop
from tests.dealing.live.player import INFINITE, Player
from tests.dealing.live.test_player_limits import id_of

pytestmark = pytest.mark.anyio

BONUS = """
[bonuses.small]
title = "Small bonus"
currency = "EUR"
amount = "10.00"
multiple = 30
"""
CASH_MINOR, BONUS_MINOR = 500, 1_000


@pytest.fixture
async def manual(
    tmp_path: Path, speculate: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[ManualServer]:
    monkeypatch.setattr(in_process, "FIRST_CARDS", (*in_process.FIRST_CARDS, card("TS")))
    async with manual_server(tmp_path, SLOW + BONUS) as manual:
        yield manual


async def join_with_bonus(manual: ManualServer) -> tuple[Guest, Player]:
    """Join the table with little cash and a bonus."""
    guest, player = await join_table(manual)
    cash = manual.server.balances.cash(id_of(player), "EUR")
    out = entries.withdrawal(f"out:{id_of(player)}", clock.now_ms(), id_of(player), "EUR", cash - CASH_MINOR)
    await manual.server.gateway.post([out])
    await manual.server.bonuses.grant(id_of(player), "small", "because")
    return guest, player


def money(manual: ManualServer, player: Player) -> tuple[int, int, int]:
    """Return the player's cash, bonus money, and bonus money in play; memory and journal agree on it."""
    bonus = manual.server.bonuses.history(id_of(player))[0]
    held = manual.server.ledger.balances(id_of(player))["EUR"]
    assert held["bonus"] == bonus.balance_minor
    assert held["cash"] == manual.server.balances.cash(id_of(player), "EUR")
    if bonus.status == "active":
        assert manual.server.bonuses.views(id_of(player)) == (bonus,)
    return held["cash"], bonus.balance_minor, bonus.in_play_minor


async def as_sent(player: Player, expected: tuple[int, int, int]) -> tuple[int, int, int]:
    """Wait until the player's browser has the same amounts; they may follow an answer."""

    def amounts() -> tuple[int, int, int]:
        updates = [one.bonus for one in player.messages if isinstance(one, wire.BonusUpdate)]
        return player.mine[INFINITE].balance_minor, updates[-1].balance_minor, updates[-1].in_play_minor

    await player.until(lambda: amounts() == expected)
    return expected


async def test_bonus_money_pays_what_the_cash_lacks_until_it_is_taken_back(manual: ManualServer) -> None:
    _, player = await join_with_bonus(manual)
    _, other = await join_table(manual)
    answers = await asyncio.gather(player.bet((0, "main", 900)), other.bet((0, "main", 5_000)))
    assert set(answers) == {""}
    assert money(manual, player) == await as_sent(player, (0, 600, 400))
    assert await player.bet((0, "main", 1_501)) == "not_covered"
    assert money(manual, player) == (0, 600, 400), "a refused stake moves nothing"
    assert await player.bet((0, "main", 600)) == ""
    assert money(manual, player) == await as_sent(player, (0, 900, 100))
    assert await player.bet((0, "main", 1_500)) == ""
    assert money(manual, player) == (0, 0, 1_000)
    assert await player.bet() == ""
    assert money(manual, player) == await as_sent(player, (CASH_MINOR, BONUS_MINOR, 0))


async def test_a_settlement_divides_the_return_in_proportion(manual: ManualServer) -> None:
    _, player = await join_with_bonus(manual)
    assert await player.bet((0, "main", 700)) == ""
    await manual.advance_to("decisions")
    await player.until_phase("decisions")
    assert await player.decide("double") == ""
    assert money(manual, player) == (0, 100, 900)
    await manual.advance_to("pause")
    await player.until_phase("pause")
    (result,) = player.results.values()
    assert (result.staked_minor, result.returned_minor) == (1_400, 2_800), "a double wins with 21"
    assert money(manual, player) == (1_000, 1_900, 0)
    await as_sent(player, (1_000, 1_900, 0))
    update = next(one for one in reversed(player.messages) if isinstance(one, wire.BonusUpdate))
    ended = next(one for one in reversed(player.messages) if isinstance(one, wire.LiveUpdate))
    assert player.messages.index(ended) < player.messages.index(update), "the result comes first"
    assert update.bonus.left_minor == BONUS_MINOR * 30 - 1_400 * 15 // 100


async def test_bonus_money_comes_back_to_an_ended_bonus_and_is_taken_back(manual: ManualServer) -> None:
    _, player = await join_with_bonus(manual)
    assert await player.bet((0, "main", 900)) == ""
    (bonus,) = manual.server.bonuses.views(id_of(player))
    give_up = partial(manual.server.bonuses.give_up, id_of(player), bonus.bonus)
    with pytest.raises(Refused, match="bonus_forfeit"):
        await give_up(BONUS_MINOR - 400)  # 400 more are in play
    await give_up(BONUS_MINOR)
    with pytest.raises(Refused, match="no_such_bonus"):
        await give_up(0)
    assert await player.bet((0, "main", 700)) == ""
    assert money(manual, player) == (0, 0, 200)
    await manual.server.live[INFINITE].close("a fault")
    assert money(manual, player) == (CASH_MINOR, 0, 0)


async def test_staff_void_an_unsettled_round_with_every_stake_where_it_came_from(
    manual: ManualServer,
) -> None:
    _, player = await join_with_bonus(manual)
    assert await player.bet((0, "main", 900)) == ""
    await manual.advance_to("decisions")
    with patch.object(TableMoney, "end_entries", side_effect=RuntimeError("a fault")):
        playing = asyncio.create_task(manual.advance_to("pause"))
        await player.until(lambda: player.events("paused"))
        await stop(playing)
    await manual.server.live[INFINITE].execute(inputs.Voided("a fault"))
    assert money(manual, player) == await as_sent(player, (CASH_MINOR, BONUS_MINOR, 0))
