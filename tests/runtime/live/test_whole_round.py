"""Every player sees the whole round, and finds it in History, even if their own hand ended early."""

from collections.abc import AsyncIterator
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier.equipment.cards import card
from croupier.games import published_tables
from croupier.gateway.pages.history import history_round
from croupier.protocol import wire
from tests.runtime.live import in_process
from tests.runtime.live.in_process import ManualServer, manual_server
from tests.runtime.live.player import INFINITE, SEVEN, Player, req
from tests.runtime.live.test_live_round import MAIN, arrived, played_out

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("speculate")]

DEALERS = ["4H", "2D", "6H", "6C"]
CARDS = ("TS", "4H", "6D", "2D", "KS", "6H", "6C")
"""16 against a four: a hit busts, and the dealer draws to 18."""


@pytest.fixture
async def hands(tmp_path: Path) -> AsyncIterator[ManualServer]:
    with patch.object(in_process, "FIRST", tuple(map(card, CARDS))):
        async with manual_server(tmp_path) as hands:
            yield hands


def dealers(player: Player) -> list[str]:
    """Return the dealer's cards in the order in which the player got them."""
    return [one.card for one in player.did[INFINITE] if one.what in ("card", "turned") and one.box == -1]


def kept(hands: ManualServer, player: Player) -> wire.HistoryRound:
    """Return the player's last round in History."""
    assert player.welcome
    ledger = hands.house.ledger
    (line,) = ledger.rounds(player.welcome.player)
    record = ledger.round(line.id)
    assert record
    return history_round(ledger, published_tables(), record)


async def one_busts_and_one_stands(hands: ManualServer) -> tuple[Player, Player]:
    _, busts = await arrived(hands)
    _, stands = await arrived(hands)
    for player in (busts, stands):
        assert await player.bet(MAIN) == ""
    await hands.until("decisions")
    for player, action in ((busts, "hit"), (stands, "stand")):
        await player.phase("decisions")
        assert await player.decide(action) == ""
    await played_out(hands, busts, stands)
    return busts, stands


async def test_every_player_sees_the_whole_round(hands: ManualServer) -> None:
    """A player who busts gets the cards that the dealer draws for the others (Infinite)."""
    for player in await one_busts_and_one_stands(hands):
        assert dealers(player) == DEALERS
        view = player.states[INFINITE].round
        assert view is not None
        assert list(view.dealer.cards) == DEALERS


async def test_history_keeps_the_whole_round(hands: ManualServer) -> None:
    """Each step with the view after it, down to the dealer's last card."""
    for player in await one_busts_and_one_stands(hands):
        told = kept(hands, player)
        drawn = [step.did.card for step in told.steps if step.did.what in ("card", "turned")]
        assert drawn[-3:] == ["2D", "6H", "6C"]
        last = told.steps[-1].view
        assert (list(last.dealer.cards), last.ended) == (DEALERS, True)
        assert last.returned_minor == told.line.returned_minor


async def test_history_keeps_no_stakes_of_other_seats(hands: ManualServer) -> None:
    """Their hands are kept, as everyone saw them; their stakes aren't."""
    seated = []
    for seat, minor in ((0, 700), (1, 1_300)):
        _, player = await arrived(hands, SEVEN)
        assert await player.ask(wire.Sit(req(), SEVEN, seat)) == ""
        assert await player.bet((seat, "main", minor), table=SEVEN) == ""
        seated.append(player)
    await played_out(hands, *seated, table=SEVEN)
    for seat, (player, minor) in enumerate(zip(seated, (700, 1_300), strict=True)):
        told = kept(hands, player)
        for step in told.steps:
            own, other = step.view.boxes[seat], step.view.boxes[1 - seat]
            assert own.stake_minor == minor
            assert [hand.stake_minor for hand in other.hands] == [other.stake_minor] == [0]
            assert step.view.staked_minor == minor
        last = told.steps[-1].view
        assert len(last.boxes[1 - seat].hands[0].cards) > 1
        assert (last.returned_minor, last.staked_minor) == (told.line.returned_minor, told.line.staked_minor)
