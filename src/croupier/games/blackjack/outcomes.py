"""What a hand may do, how a dealer's hand may end, and what the hand is then worth, as the round tells."""

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
"""A hand for each end: a bust, 17 to 21, a blackjack."""
BLACKJACK = len(ENDS) - 1


def end_of(dealer: tuple[Card, ...]) -> int:
    """Which of ENDS a finished hand of the dealer is like."""
    if is_natural(dealer):
        return BLACKJACK
    return 0 if is_bust(dealer) else total(dealer) - 16


def unit_stake(rules: Rules) -> int:
    """An initial stake that halves and pays without rounding."""
    return 2 * odds(rules.blackjack_pays).staked * odds(rules.insurance_pays).staked


def unit_box(rules: Rules, hand: tuple[Card, ...]) -> Box:
    return Box(0, unit_stake(rules), hands=(Hand(hand),))


def net_result(rules: Rules, box: Box, spot: int, end: int, bet: str = "main") -> Fraction:
    """The net result of one bet of the box in initial stakes; 0 where there is no such bet."""
    lines = settle(Round(rules, (box,), dealer=ENDS[end]))
    nets = (line.returned_minor - line.stake_minor for line in lines if (line.hand, line.bet) == (spot, bet))
    return Fraction(sum(nets), box.stake_minor)


@cache
def finds_blackjack(rules: Rules, dealer: tuple[Card, ...]) -> bool:
    """Whether a blackjack is found, or seen, before anyone plays: then nothing can be added to the stake."""
    if len(dealer) > 1:
        return True
    box = replace(unit_box(rules, cards("TS 7S")), insured=False)
    return any(isinstance(want, Peek) for want in Round(rules, (box,), dealer, face_down=True).wants())


@cache
def offer_name(rules: Rules, dealer: tuple[Card, ...], *, blackjack: bool) -> str:
    """What the round offers beside the cards, to a box with a blackjack or without; empty: nothing."""
    box = unit_box(rules, cards("AS TS") if blackjack else cards("TS 7S"))
    for want in Round(rules, (box,), dealer, face_down=len(dealer) == 1).wants():
        for name, action in (("insurance", "insure"), ("even_money", "take_even_money")):
            if isinstance(want, Decision) and want.option(action):
                return name
    return ""


def accept_offer(box: Box, offer: str) -> Box:
    """The box after it took what was offered."""
    return replace(box, insured=True) if offer == "insurance" else replace(box, even_money=True)


def actions_of(rules: Rules, box: Box, spot: int) -> frozenset[str]:
    """What a hand may do; nothing once it is complete."""
    if options.is_complete(rules, box, spot):
        return frozenset()
    return frozenset(
        option.action for option in options.available_options(rules, box, spot, len(box.hands) > 1)
    )


def box_with_hand(rules: Rules, part: int, cards: Cards, *, doubled: bool = False) -> tuple[Box, int]:
    """A box with the hand in it, and where: by itself, or as the first or second half of a split."""
    hand = Hand(cards, of_split=part > 0, doubled=doubled)
    other = Hand(cards[:1], of_split=True, owed=True)
    hands = ((hand,), (hand, other), (other, hand))[part]
    return Box(0, unit_stake(rules), hands=hands), max(part - 1, 0)
