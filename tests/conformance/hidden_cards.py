"""Non-interference: unseen cards don't influence anything that players see."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from croupier.equipment.cards import Card
from croupier.equipment.shoe import Shoe
from croupier.play.contract.game import Table
from croupier.play.contract.wants import Choice, DealCard, DealFaceDown, Decision, Peek
from croupier.play.driving.dealing import DealtRound, RoundStep
from croupier.play.driving.sources import ShoeSource

Order = Callable[[Sequence[Card]], Sequence[Card]]


def check_hidden(
    table: Table, deals: type[DealtRound[Any]], start: Any, ended: DealtRound[Any], order: Order
) -> None:
    """Check that every decision of a deal looks the same if the unseen cards are in another order.

    Wheels and dice have nothing to hide: they are spun and rolled after all bets and decisions.
    """
    if not isinstance(ended.source, ShoeSource):
        assert not any(isinstance(step.want, Decision) for step in ended.steps), (
            "a decision before the result"
        )
        return
    for now in moments(deals(start, ShoeSource(replace(_shoe(ended), dealt=0))), ended.steps):
        shoe = replace(_shoe(now), cards=_reordered(now, order), dealt=0)
        twin = moments(deals(start, ShoeSource(shoe)), now.steps)[-1]
        assert _seen(table, now) == _seen(table, twin), "hidden cards show"


def moments(deal: DealtRound[Any], steps: Sequence[RoundStep]) -> list[DealtRound[Any]]:
    """Return the deal before each of its decisions, and at its end."""
    deal, found = deal.deal(), []
    for step in steps:
        if isinstance(step.want, Decision):
            found.append(deal)
            assert isinstance(step.answer, Choice)
            deal = deal.decide(step.want.to, step.answer)
    return [*found, deal]


def _reordered(now: DealtRound[Any], order: Order) -> tuple[Card, ...]:
    """Return the shoe with its unseen cards in another order that gives the same answers to peeks."""
    shoe = _shoe(now)
    cards = list(shoe.cards)
    unseen = [*_face_down_places(now), *range(shoe.dealt, len(cards))]
    for place, card in zip(unseen, order([cards[place] for place in unseen]), strict=True):
        cards[place] = card
    if _same_peeks(now, [cards[place] for place in _face_down_places(now)]):
        return tuple(cards)
    return shoe.cards[: shoe.dealt] + tuple(order(shoe.cards[shoe.dealt :]))


def face_down_card(deal: DealtRound[Any]) -> Card | None:
    """Return the card that lies face down now."""
    assert isinstance(deal.source, ShoeSource)
    return deal.source.face_down


def _shoe(deal: DealtRound[Any]) -> Shoe:
    assert isinstance(deal.source, ShoeSource)
    return deal.source.shoe


def _face_down_places(deal: DealtRound[Any]) -> list[int]:
    """Return the place in the shoe of the card that is face down now."""
    if face_down_card(deal) is None:
        return []
    dealt = [step for step in deal.steps if isinstance(step.want, DealCard | DealFaceDown)]
    return [place for place, step in enumerate(dealt) if isinstance(step.want, DealFaceDown)]


def _same_peeks(deal: DealtRound[Any], face_down: Sequence[Card]) -> bool:
    """Return whether peeks at this card have the same answers."""
    peeks = [step for step in deal.steps if isinstance(step.want, Peek)]
    return all((card.rank in step.want.ranks) == step.answer for step in peeks for card in face_down)  # type: ignore[union-attr]


def _seen(table: Table, deal: DealtRound[Any]) -> list[bytes]:
    """Return all bytes that players see: the record's lines and the view."""
    return [*(str(step).encode() for step in deal.steps), msgspec.json.encode(table.game.show(deal.round, 0))]
