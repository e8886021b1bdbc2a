"""Non-interference: what nobody has seen changes nothing that anybody sees."""

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
    """At every decision of a finished deal, a twin whose unseen cards lie otherwise looks the same.

    A wheel and dice come up once nobody can bet or decide any more: of them nothing lies hidden.
    """
    if not isinstance(ended.source, ShoeSource):
        assert not any(isinstance(step.want, Decision) for step in ended.steps), "decided before it came up"
        return
    for now in moments(deals(start, ShoeSource(replace(_shoe(ended), dealt=0))), ended.steps):
        shoe = replace(_shoe(now), cards=_otherwise(now, order), dealt=0)
        twin = moments(deals(start, ShoeSource(shoe)), now.steps)[-1]
        assert _seen(table, now) == _seen(table, twin), "hidden cards show"


def moments(deal: DealtRound[Any], steps: Sequence[RoundStep]) -> list[DealtRound[Any]]:
    """The deal as it stood before each of its decisions, and at its end."""
    deal, found = deal.deal(), []
    for step in steps:
        if isinstance(step.want, Decision):
            found.append(deal)
            assert isinstance(step.answer, Choice)
            deal = deal.decide(step.want.to, step.answer)
    return [*found, deal]


def _otherwise(now: DealtRound[Any], order: Order) -> tuple[Card, ...]:
    """The shoe with its unseen cards in another order, of which the dealer would say the same."""
    shoe = _shoe(now)
    cards = list(shoe.cards)
    unseen = [*_aside(now), *range(shoe.dealt, len(cards))]
    for place, card in zip(unseen, order([cards[place] for place in unseen]), strict=True):
        cards[place] = card
    if _says(now, [cards[place] for place in _aside(now)]):
        return tuple(cards)
    return shoe.cards[: shoe.dealt] + tuple(order(shoe.cards[shoe.dealt :]))


def aside(deal: DealtRound[Any]) -> Card | None:
    """The card that lies face down now."""
    assert isinstance(deal.source, ShoeSource)
    return deal.source.face_down


def _shoe(deal: DealtRound[Any]) -> Shoe:
    assert isinstance(deal.source, ShoeSource)
    return deal.source.shoe


def _aside(deal: DealtRound[Any]) -> list[int]:
    """Where in the shoe the card lay that is face down now."""
    if aside(deal) is None:
        return []
    dealt = [step for step in deal.steps if isinstance(step.want, DealCard | DealFaceDown)]
    return [place for place, step in enumerate(dealt) if isinstance(step.want, DealFaceDown)]


def _says(deal: DealtRound[Any], aside: Sequence[Card]) -> bool:
    """Whether a peek at this card is answered as it was."""
    peeks = [step for step in deal.steps if isinstance(step.want, Peek)]
    return all((card.rank in step.want.ranks) == step.answer for step in peeks for card in aside)  # type: ignore[union-attr]


def _seen(table: Table, deal: DealtRound[Any]) -> list[bytes]:
    """All that leaves the server until now, byte for byte: the record's lines, and the view."""
    return [*(str(step).encode() for step in deal.steps), msgspec.json.encode(table.game.show(deal.round, 0))]
