"""Strategies that decide from the cards of the hand and the dealer's face-up cards."""

from collections.abc import Callable
from typing import NamedTuple

from croupier.equipment.cards import RANKS, Card
from croupier.games.blackjack.hands import VALUE, low_total
from croupier.games.blackjack.round import Round
from croupier.games.blackjack.rules import Rules, dealer_draws
from croupier.play.contract.model import Strategy
from croupier.play.contract.wants import Choice, Decision

_PLAIN = {rank: Card(RANKS[value - 1], "S") for rank, value in VALUE.items()}


class VisibleState(NamedTuple):
    """The basis of a decision. Every ten-value card is a ten, every suit is spades.

    `split_from` is the pair's card for a split hand.
    """

    cards: tuple[Card, ...]
    split_from: Card | None
    dealer: tuple[Card, ...]
    options: tuple[str, ...]


def visible_state(round_: Round, decision: Decision) -> VisibleState:
    """Return the visible state, with the hand's cards sorted by value."""
    hand = round_.box(decision.to.box).hands[decision.to.hand]
    cards = tuple(_PLAIN[card.rank] for card in hand.cards)
    dealer = tuple(_PLAIN[card.rank] for card in round_.dealer)
    options = tuple(option.action for option in decision.options)
    by_value = tuple(sorted(cards, key=lambda card: VALUE[card.rank]))
    return VisibleState(by_value, cards[0] if hand.of_split else None, dealer, options)


def by_total(decide: Callable[[VisibleState], str]) -> Strategy:
    """Return a strategy from a function that decides by totals and pairs only."""
    return Strategy(lambda round_, decision: Choice(decide(visible_state(round_, decision))), lambda _: ())


def _offer_or(seen: VisibleState, action: str) -> str:
    """Return `action`, or decline an offer."""
    declined = (option for option in seen.options if option.startswith("decline_"))
    return next(declined, action)


def mimic(rules: Rules) -> Strategy:
    """Return a strategy that draws like the dealer and never doubles, splits or insures."""
    return by_total(lambda seen: _offer_or(seen, "hit" if dealer_draws(rules, seen.cards) else "stand"))


def never_bust(rules: Rules) -> Strategy:
    """Return a strategy that draws like the dealer, but only if no card can bust the hand."""

    def decide(seen: VisibleState) -> str:
        safe = low_total(seen.cards) <= 11
        return _offer_or(seen, "hit" if safe and dealer_draws(rules, seen.cards) else "stand")

    return by_total(decide)
