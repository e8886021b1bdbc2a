"""Everybody sees the whole round and finds it in History, also where their own part ended early."""

from collections.abc import AsyncIterator
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier.equipment.cards import card
from croupier.games import published_tables
from croupier.server.history import history_round
from croupier.server.wire import HistoryRound
from tests.server.live import inside
from tests.server.live.inside import Hands, hands_on
from tests.server.live.player import INFINITE, Player
from tests.server.live.test_live_round import MAIN, arrived, played_out

pytestmark = pytest.mark.anyio

DEALERS = ["4H", "2D", "6H", "6C"]
CARDS = ("TS", "4H", "6D", "2D", "KS", "6H", "6C")
"""16 against a four; who hits busts, and the dealer draws to 18."""


@pytest.fixture
async def hands(tmp_path: Path) -> AsyncIterator[Hands]:
    with patch.object(inside, "FIRST", tuple(map(card, CARDS))):
        async with hands_on(tmp_path) as hands:
            yield hands


def dealers(player: Player) -> list[str]:
    """The dealer's cards, as the player was told them one by one."""
    return [one.card for one in player.did[INFINITE] if one.what in ("card", "turned") and one.box == -1]


def kept(hands: Hands, player: Player) -> HistoryRound:
    """The player's last round as their History shows it."""
    assert player.welcome
    ledger = hands.house.bank.ledger
    (line,) = ledger.rounds(player.welcome.player)
    record = ledger.round(line.id)
    assert record
    return history_round(ledger, published_tables(), record)


async def test_everybody_sees_the_whole_round(hands: Hands) -> None:
    """A player who busts is told the cards that the dealer then draws for the others (Infinite)."""
    _, busts = await arrived(hands)
    _, stands = await arrived(hands)
    for player in (busts, stands):
        assert await player.bet(MAIN) == ""
    await hands.until("decisions")
    for player, action in ((busts, "hit"), (stands, "stand")):
        await player.phase("decisions")
        assert await player.decide(action) == ""
    await played_out(hands, busts, stands)
    for player in (busts, stands):
        assert dealers(player) == DEALERS
        view = player.states[INFINITE].round
        assert view is not None
        assert list(view.dealer.cards) == DEALERS


async def test_history_keeps_the_whole_round(hands: Hands) -> None:
    """Each step with the view after it, down to the dealer's last card."""
    _, busts = await arrived(hands)
    _, stands = await arrived(hands)
    for player in (busts, stands):
        assert await player.bet(MAIN) == ""
    await hands.until("decisions")
    for player, action in ((busts, "hit"), (stands, "stand")):
        await player.phase("decisions")
        assert await player.decide(action) == ""
    await played_out(hands, busts, stands)
    for player in (busts, stands):
        told = kept(hands, player)
        drawn = [step.did.card for step in told.steps if step.did.what in ("card", "turned")]
        assert drawn[-3:] == ["2D", "6H", "6C"]
        last = told.steps[-1].view
        assert (list(last.dealer.cards), last.ended) == (DEALERS, True)
        assert last.returned_minor == told.line.returned_minor
