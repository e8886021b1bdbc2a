"""Every player sees the whole round, also in History, even if their own hand ended early."""

from collections.abc import AsyncIterator
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier.equipment.cards import card
from croupier.games import published_tables
from croupier.gateway.pages.history import history_round
from croupier.gateway.pages.shared_replay import shared_replay
from croupier.play.contract.wants import DEALER, SHOE
from croupier.protocol import wire
from tests.dealing.live import in_process
from tests.dealing.live.in_process import MAIN_BET, ManualServer, finish_round, join_table, manual_server
from tests.dealing.live.player import INFINITE, SEVEN, Player, req

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("speculate")]

DEALER_CARDS = ["4H", "2D", "6H", "6C"]
CARDS = ("TS", "4H", "6D", "2D", "KS", "6H", "6C")
"""16 against a four: a hit busts the hand, and the dealer draws to 18."""


@pytest.fixture
async def manual(tmp_path: Path) -> AsyncIterator[ManualServer]:
    with patch.object(in_process, "FIRST_CARDS", tuple(map(card, CARDS))):
        async with manual_server(tmp_path) as manual:
            yield manual


def dealer_cards(player: Player) -> list[str]:
    """Return the dealer's cards in the order in which the player received them."""
    events = [event for event in player.did[INFINITE] if event.what in ("card", "turned")]
    return [event.card for event in events if event.box == -1]


def last_round(manual: ManualServer, player: Player) -> wire.HistoryRound:
    """Return the player's only round in History."""
    assert player.welcome
    ledger = manual.server.ledger
    (line,) = ledger.rounds(player.welcome.player)
    record = ledger.round(line.id)
    assert record
    return history_round(ledger, published_tables(), record)


async def play_a_bust_and_a_stand(manual: ManualServer) -> tuple[Player, Player]:
    _, hitting = await join_table(manual)
    _, standing = await join_table(manual)
    for player in (hitting, standing):
        assert await player.bet(MAIN_BET) == ""
    await manual.advance_to("decisions")
    for player, action in ((hitting, "hit"), (standing, "stand")):
        await player.until_phase("decisions")
        assert await player.decide(action) == ""
    await finish_round(manual, hitting, standing)
    return hitting, standing


async def test_every_player_sees_the_whole_round(manual: ManualServer) -> None:
    """At Infinite, a player who busts still receives the cards that the dealer draws for the others."""
    for player in await play_a_bust_and_a_stand(manual):
        assert dealer_cards(player) == DEALER_CARDS
        view = player.states[INFINITE].round
        assert view is not None
        assert list(view.dealer.cards) == DEALER_CARDS


async def test_history_shows_the_whole_round(manual: ManualServer) -> None:
    """It has each step with the view after it, down to the dealer's last card."""
    for player in await play_a_bust_and_a_stand(manual):
        recorded = last_round(manual, player)
        drawn = [step.did.card for step in recorded.steps if step.did.what in ("card", "turned")]
        assert drawn[-3:] == ["2D", "6H", "6C"]
        last = recorded.steps[-1].view
        assert (list(last.dealer.cards), last.ended) == (DEALER_CARDS, True)
        assert last.returned_minor == recorded.line.returned_minor


async def test_a_shared_replay_has_the_own_hand_and_the_dealer(manual: ManualServer) -> None:
    """It has nothing of other seats, not even that they played."""
    seated = []
    for seat in (2, 4):
        _, player = await join_table(manual, SEVEN)
        assert await player.ask(wire.Sit(req(), SEVEN, seat)) == ""
        assert await player.bet((seat, "main", 1_000), table=SEVEN) == ""
        seated.append(player)
    await finish_round(manual, *seated, table=SEVEN)
    ledger, tables = manual.server.ledger, manual.server.tables
    for seat, player in zip((2, 4), seated, strict=True):
        own = last_round(manual, player)
        record = ledger.round(own.line.round)
        assert record is not None
        replay = shared_replay(ledger, tables, record)
        assert {step.did.box for step in replay.steps} <= {seat, DEALER.box, SHOE.box}
        assert [step.did for step in replay.steps] == [
            step.did for step in own.steps if step.did.box in (seat, DEALER.box, SHOE.box)
        ]
        for step in replay.steps:
            assert [box.box for box in step.view.boxes] == [seat]
            assert {turn.box for turn in step.view.turns} <= {seat}
            assert step.view.staked_minor == step.view.boxes[0].stake_minor == 0
        assert replay.steps[-1].view.dealer == own.steps[-1].view.dealer


async def test_history_hides_the_stakes_of_other_seats(manual: ManualServer) -> None:
    """It shows their hands, which everyone saw."""
    seated = []
    for seat, minor in ((0, 700), (1, 1_300)):
        _, player = await join_table(manual, SEVEN)
        assert await player.ask(wire.Sit(req(), SEVEN, seat)) == ""
        assert await player.bet((seat, "main", minor), table=SEVEN) == ""
        seated.append(player)
    await finish_round(manual, *seated, table=SEVEN)
    for seat, (player, minor) in enumerate(zip(seated, (700, 1_300), strict=True)):
        recorded = last_round(manual, player)
        for step in recorded.steps:
            own, other = step.view.boxes[seat], step.view.boxes[1 - seat]
            assert own.stake_minor == minor
            assert [hand.stake_minor for hand in other.hands] == [other.stake_minor] == [0]
            assert step.view.staked_minor == minor
        last = recorded.steps[-1].view
        assert len(last.boxes[1 - seat].hands[0].cards) > 1
        assert (last.returned_minor, last.staked_minor) == (
            recorded.line.returned_minor,
            recorded.line.staked_minor,
        )
