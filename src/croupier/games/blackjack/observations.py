"""Observations of a round of blackjack as integers, for learning agents."""

from collections.abc import Sequence

from croupier.equipment.cards import Card
from croupier.games.blackjack.boxes import Hand
from croupier.games.blackjack.hands import VALUE, is_soft, total
from croupier.games.blackjack.options import APPLY
from croupier.games.blackjack.round import Round
from croupier.play.contract.observations import Observations
from croupier.play.contract.wants import At, Decision

TOTAL_MAX = 31
"""A hand of 21 that drew a ten."""
CARDS_MAX = 22

SIZES = {
    "offer": 3,  # 0: none, 1: insurance, 2: even money
    "total": TOTAL_MAX + 1,
    "soft": 2,
    "cards": CARDS_MAX + 1,
    "pair": 11,  # the value of a pair, aces 1; 0: no pair
    "upcard": 11,  # its value, an ace 1
    "second": 11,  # the dealer's second card; 0: unseen
    "hand": 2,  # which hand of a split
    "split_from": 11,  # the value that was split; 0: no split
    "other": TOTAL_MAX + 1,  # the total of the split's other hand
}

ACTIONS = ("stand", *(action for action in APPLY if action != "stand"))


def observe(round_: Round, decision: Decision | None) -> tuple[int, ...]:
    """Return one number for each of SIZES, of a round with one box."""
    (box,) = round_.boxes
    place = (decision.to if decision else At(0)).hand
    hand = box.hands[place]
    others = box.hands[:place] + box.hands[place + 1 :]
    return (
        _offer(decision),
        total(hand.cards),
        int(is_soft(hand.cards)),
        len(hand.cards),
        _pair(hand),
        *_two(round_.dealer),
        place,
        VALUE[hand.cards[0].rank] if others else 0,
        total(others[0].cards) if others else 0,
    )


def _offer(decision: Decision | None) -> int:
    if decision is None:
        return 0
    return 2 if decision.option("take_even_money") else int(decision.option("insure") is not None)


def _pair(hand: Hand) -> int:
    values = {VALUE[card.rank] for card in hand.cards}
    return values.pop() if len(hand.cards) == 2 and len(values) == 1 else 0


def _two(dealer: Sequence[Card]) -> tuple[int, int]:
    """Return the values of the dealer's first two cards; 0 for an unseen one."""
    one, other = (*(VALUE[card.rank] for card in dealer), 0, 0)[:2]
    return one, other


OBSERVATIONS = Observations(ACTIONS, SIZES, observe)
