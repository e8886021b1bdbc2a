"""Unseen cards don't influence messages, byte for byte, until they are dealt or turned."""

from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from croupier.equipment.cards import DECK, Card
from croupier.equipment.shoe import Shoe
from croupier.games import published_tables
from croupier.play.contract.bets import Wager
from croupier.play.contract.game import Table
from croupier.play.contract.wants import Choice, DealCard, DealFaceDown, Decision, Peek
from croupier.play.driving.dealing import DealtRound
from croupier.play.driving.sources import ShoeSource
from croupier.protocol import wire
from croupier.rounds import round_events
from croupier.tables.own import OwnRound
from tests.support.in_process import InProcessClient, server_dealing

pytestmark = pytest.mark.anyio

ROUNDS, NOW = 32, 4
"""Rounds at each table in the campaign and in `make test`."""
SERVED = ("classic", "premium", "multihand", "double_exposure")


def dealt(table: Table, chance: Random) -> DealtRound[Any]:
    """Return a round on all boxes, played at random to its end."""
    cards = list(DECK * table.rules.decks)
    chance.shuffle(cards)
    wagers = [Wager(stake.box, stake.bet, stake.stake_minor) for stake in stakes(table)]
    return DealtRound(
        table.game.start(table.rules, wagers), ShoeSource(Shoe(tuple(cards), 0, len(cards)))
    ).deal()


def stakes(table: Table) -> tuple[wire.Stake, ...]:
    least = table.limits["GC"].min_minor
    return tuple(wire.Stake(box, "main", least) for box in range(table.rules.boxes))


def decided(deal: DealtRound[Any], chance: Random) -> list[DealtRound[Any]]:
    """Yield the deal at each of its decisions, and at its end."""
    moments = [deal]
    while wants := moments[-1].round.wants():
        assert isinstance(wants[0], Decision)
        option = chance.choice(wants[0].options)
        moments.append(moments[-1].decide(wants[0].to, Choice(option.action)))
    return moments


def with_other_cards(now: DealtRound[Any], chance: Random) -> tuple[Card, ...]:
    """Return a shoe with other unseen cards that lead to the same result of a peek."""
    shoe, aside = shoe_of(now).shoe, shoe_of(now).face_down
    cards = list(shoe.cards)
    rest = cards[shoe.dealt :]
    chance.shuffle(rest)
    if aside is not None:
        place = cards.index(aside, *_around_face_down(now))
        other = next(number for number, card in enumerate(rest) if card != aside and _agrees(now, card))
        cards[place], rest[other] = rest[other], cards[place]
    return (*cards[: shoe.dealt], *rest)


def shoe_of(deal: DealtRound[Any]) -> ShoeSource:
    assert isinstance(deal.source, ShoeSource)
    return deal.source


def _around_face_down(now: DealtRound[Any]) -> tuple[int, int]:
    """Return the position of the face-down card in the shoe."""
    of_shoe = [step.want for step in now.steps if isinstance(step.want, DealCard | DealFaceDown)]
    place = next(number for number, want in enumerate(of_shoe) if isinstance(want, DealFaceDown))
    return place, place + 1


def _agrees(now: DealtRound[Any], card: Card) -> bool:
    peeks = [step for step in now.steps if isinstance(step.want, Peek)]
    return all((card.rank in step.want.ranks) == step.answer for step in peeks if isinstance(step.want, Peek))


async def sent(folder: Path, table: Table, cards: tuple[Card, ...], deal: DealtRound[Any]) -> list[bytes]:
    """Return everything sent when these cards are dealt and decided as in `deal`."""
    with server_dealing(folder, cards) as server:
        inside = await InProcessClient.connect(server)
        await inside.request(wire.Join("join", table.id, "GC"))
        await inside.request(wire.DealRound("deal", table.id, stakes(table)))
        for number, step in enumerate(step for step in deal.steps if isinstance(step.want, Decision)):
            assert isinstance(step.answer, Choice)
            await inside.request(
                wire.Decide(
                    f"d{number}", table.id, inside.round_id, inside.turn, *step.want.to, step.answer.action
                )
            )
        return inside.connection.frames


async def differing(folder: Path, table: Table, seed: int) -> int:
    """Count the moments of a round at which other unseen cards change what is sent."""
    chance = Random(f"{table.id} {seed}")
    moments = decided(dealt(table, chance), chance)
    all_of_it = await sent(folder / "whole", table, shoe_of(moments[-1]).shoe.cards, moments[-1])
    differ = 0
    for number, now in enumerate(moments[:-1]):
        twin = await sent(folder / str(number), table, with_other_cards(now, chance), now)
        differ += twin != all_of_it[: len(twin)]
    return differ


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[pytest.mark.campaign] * (seed >= NOW)) for seed in range(ROUNDS)]
)
@pytest.mark.parametrize("name", SERVED)
async def test_unseen_cards_change_nothing_that_is_sent(tmp_path: Path, name: str, seed: int) -> None:
    assert await differing(tmp_path, published_tables()[name], seed) == 0


@pytest.mark.parametrize("name", SERVED)
async def test_a_planted_leak_of_the_next_card_is_found(tmp_path: Path, name: str) -> None:
    right = round_events.table_state

    def leaking(currency: str, played: OwnRound | None, *rest: Any) -> wire.TableState:
        state = right(currency, played, *rest)
        number = DECK.index(shoe_of(played.deal).shoe.draw()[0]) if played else 0
        return replace(state, next_deal_ms=number)

    with patch.object(round_events, "table_state", leaking):
        for seed in range(ROUNDS):
            if await differing(tmp_path / str(seed), published_tables()[name], seed):
                return
    raise AssertionError("not found")
