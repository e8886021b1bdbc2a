"""Values of cards and hands in blackjack."""

from collections.abc import Sequence

from croupier.equipment.cards import Card

VALUE = {rank: min(place, 10) for place, rank in enumerate("A23456789TJQK", start=1)}
"""Pips, or ten for face cards; an ace counts 1 here, and 11 in `total` unless that busts the hand."""


def low_total(cards: Sequence[Card]) -> int:
    """Return the total with every ace as 1."""
    return sum(VALUE[card.rank] for card in cards)


def is_soft(cards: Sequence[Card]) -> bool:
    """Return whether an ace counts 11 in the best total."""
    return low_total(cards) <= 11 and any(card.rank == "A" for card in cards)


def total(cards: Sequence[Card]) -> int:
    """Return the best total: an ace is 11 unless that would bust the hand."""
    low = low_total(cards)
    return low + 10 if low <= 11 and any(card.rank == "A" for card in cards) else low


def is_bust(cards: Sequence[Card]) -> bool:
    return low_total(cards) > 21


def is_natural(cards: Sequence[Card]) -> bool:
    """Return whether the hand is an ace and a ten; a *blackjack* must also be dealt, not split."""
    return len(cards) == 2 and total(cards) == 21


def blackjack_ranks(upcard: Card) -> str:
    """Return the ranks that complete a blackjack with `upcard`; empty if there are none."""
    return {1: "TJQK", 10: "A"}.get(VALUE[upcard.rank], "")
