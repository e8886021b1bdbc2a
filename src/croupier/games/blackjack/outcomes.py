"""Options, ends of the dealer's hand and net results, all taken from the round itself."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

from croupier.equipment.cards import Card, cards
from croupier.games.blackjack import options
from croupier.games.blackjack.boxes import Box, Hand
from croupier.games.blackjack.hands import is_bust, is_natural, total
from croupier.games.blackjack.round import Round
from croupier.games.blackjack.rules import Rules, odds
from croupier.games.blackjack.settlement import settle
from croupier.play.contract.wants import Decision, Peek

Cards = tuple[Card, ...]

ENDS = tuple(map(cards, ("TS 6S TS", "TS 7S", "TS 8S", "TS 9S", "TS TS", "TS 6S 5S", "AS TS")))
"""A hand for each end of the dealer's hand: bust, 17 to 21, blackjack."""
BLACKJACK = len(ENDS) - 1


def end_of(dealer: tuple[Card, ...]) -> int:
    """Return the index in ENDS of a final hand of the dealer."""
    if is_natural(dealer):
        return BLACKJACK
    return 0 if is_bust(dealer) else total(dealer) - 16


def unit_stake(rules: Rules) -> int:
    """Return an initial stake whose half and payouts need no rounding."""
    return 2 * odds(rules.blackjack_pays).staked * odds(rules.insurance_pays).staked


def unit_box(rules: Rules, hand: tuple[Card, ...]) -> Box:
    return Box(0, unit_stake(rules), hands=(Hand(hand),))


def net_result(rules: Rules, box: Box, spot: int, end: int, bet: str = "main") -> Fraction:
    """Return the net result of one bet of the box in initial stakes; 0 if there is no such bet."""
    lines = settle(Round(rules, (box,), dealer=ENDS[end]))
    nets = (line.returned_minor - line.stake_minor for line in lines if (line.hand, line.bet) == (spot, bet))
    return Fraction(sum(nets), box.stake_minor)


@cache
def finds_blackjack(rules: Rules, dealer: tuple[Card, ...]) -> bool:
    """Return whether a dealer's blackjack is found before play, so that no stake can be added."""
    if len(dealer) > 1:
        return True
    box = replace(unit_box(rules, cards("TS 7S")), insured=False)
    return any(isinstance(want, Peek) for want in Round(rules, (box,), dealer, face_down=True).wants())


@cache
def offer_name(rules: Rules, dealer: tuple[Card, ...], *, blackjack: bool) -> str:
    """Return the name of the offer to a box with or without a blackjack; empty if there is none."""
    box = unit_box(rules, cards("AS TS") if blackjack else cards("TS 7S"))
    for want in Round(rules, (box,), dealer, face_down=len(dealer) == 1).wants():
        for name, action in (("insurance", "insure"), ("even_money", "take_even_money")):
            if isinstance(want, Decision) and want.option(action):
                return name
    return ""


def accept_offer(box: Box, offer: str) -> Box:
    """Return the box with the offer accepted."""
    return replace(box, insured=True) if offer == "insurance" else replace(box, even_money=True)


def actions_of(rules: Rules, box: Box, spot: int) -> frozenset[str]:
    """Return the actions of a hand; none once it is complete."""
    if options.is_complete(rules, box, spot):
        return frozenset()
    return frozenset(
        option.action for option in options.available_options(rules, box, spot, len(box.hands) > 1)
    )


def box_with_hand(rules: Rules, part: int, cards: Cards, *, doubled: bool = False) -> tuple[Box, int]:
    """Return a box with the hand, alone or as a half of a split, and the hand's index."""
    hand = Hand(cards, of_split=part > 0, doubled=doubled)
    other = Hand(cards[:1], of_split=True, owed=True)
    hands = ((hand,), (hand, other), (other, hand))[part]
    return Box(0, unit_stake(rules), hands=hands), max(part - 1, 0)
