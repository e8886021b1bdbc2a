"""The simulation model: equivalent rounds, equivalent ranks, and side bets."""

from collections.abc import Callable, Hashable, Sequence
from functools import cache, partial

from croupier.equipment.cards import RANKS, Card
from croupier.games.blackjack.boxes import Box, Hand
from croupier.games.blackjack.hands import VALUE, is_bust, is_natural, low_total, total
from croupier.games.blackjack.options import is_complete
from croupier.games.blackjack.round import Round
from croupier.games.blackjack.rules import Rules, dealer_draws, is_charlie, splittable
from croupier.games.blackjack.settlement import settle_side_bets
from croupier.play.contract.bets import Settled
from croupier.play.contract.model import SideBetModel

PAIR = 2
MANY = 99
"""More cards than a hand can have."""


def state_key(round_: Round) -> tuple[Hashable, ...]:
    """Return a key: rounds of one box and the same rules with equal keys have the same future.

    It has the total of a hand that may still draw, and whether two cards are a pair; the result of a complete
    hand; and the total of the dealer's cards once there are two.
    """
    (box,) = round_.boxes
    hands = tuple(_hand(round_.rules, box, place) for place in range(len(box.hands)))
    return hands, box.insured, box.even_money, _dealer(round_.dealer), round_.face_down, round_.peeked


def _hand(rules: Rules, box: Box, place: int) -> tuple[Hashable, ...]:
    hand = box.hands[place]
    if not hand.owed and is_complete(rules, box, place):
        return _result(rules, hand), hand.doubled, hand.less_minor
    alone = len(box.hands) == 1
    return (
        _total(hand.cards),
        _pair(rules, hand.cards) if alone else "",
        min(len(hand.cards), _cards_counted(rules)),
        hand.doubled,
        hand.less_minor,
        hand.owed,
    )


def _cards_counted(rules: Rules) -> int:
    """Return the number of cards from which on a hand's size doesn't matter."""
    together = rules.split_hands_decide == "together" and rules.splits != "none"
    return MANY if together else max(PAIR + 1, rules.charlie_cards)


def _result(rules: Rules, hand: Hand) -> Hashable:
    """Return everything that a complete hand's settlement depends on, apart from its stake."""
    if is_bust(hand.cards):
        return "bust"
    if is_charlie(rules, hand.cards):
        return "charlie"
    return "blackjack" if hand.blackjack else max(total(hand.cards), _least(rules) - 1)


@cache
def _least(rules: Rules) -> int:
    """Return the lowest total on which the dealer stands; a lower hand only wins if the dealer busts."""
    hands = ((Card(one, "S"), Card(other, "S")) for one in RANKS for other in RANKS)
    return min(total(hand) for hand in hands if not dealer_draws(rules, hand))


def _dealer(cards: Sequence[Card]) -> Hashable:
    """Return the value of a single card, else the total."""
    if len(cards) < PAIR:
        return tuple(VALUE[card.rank] for card in cards)
    return _total(cards), is_natural(cards)


def _total(cards: Sequence[Card]) -> tuple[int, bool]:
    return low_total(cards), any(card.rank == "A" for card in cards)


def _pair(rules: Rules, cards: Sequence[Card]) -> str:
    """Return the rank group of one or two cards of the same group, else an empty text."""
    groups = {_group(rules, card.rank) for card in cards[: PAIR + 1]}
    return groups.pop() if len(groups) == 1 and len(cards) <= PAIR else ""


def rank_groups(rules: Rules) -> tuple[str, ...]:
    """Return the ranks in groups that may be split as pairs; "TJQK" is one if unlike tens may be."""
    return tuple(dict.fromkeys(_group(rules, rank) for rank in RANKS))


@cache
def _group(rules: Rules, rank: str) -> str:
    return "".join(other for other in RANKS if splittable(rules, (Card(rank, "S"), Card(other, "S"))))


def _first_two(round_: Round) -> Hashable:
    """Return the key of a bet on the box's first two cards."""
    (box,) = round_.boxes
    return box.hands[0].cards, len(round_.dealer)


def _first_three(round_: Round) -> Hashable:
    """Return the key of a bet on these and the upcard, in any order."""
    (box,) = round_.boxes
    return tuple(sorted((*box.hands[0].cards, *round_.dealer)))


def _drawn_out(round_: Round) -> Hashable:
    """Return the key of the bet on the number of cards of a dealer's bust."""
    return state_key(round_), len(round_.dealer)


def _decided(bet: str, round_: Round) -> Settled | None:
    return next((line for line in settle_side_bets(round_) if line.bet == bet), None)


def _every_card(_rules: Rules) -> tuple[str, ...]:
    return ()


def _side(
    bet: str, of: Callable[[Round], Hashable], alike: Callable[[Rules], tuple[str, ...]]
) -> SideBetModel:
    return SideBetModel(alike, of, partial(_decided, bet), "mimic")


SIDE_BET_MODELS = {
    "any_pair": _side("any_pair", _first_two, _every_card),
    "perfect_pairs": _side("perfect_pairs", _first_two, _every_card),
    "twenty_one_plus_three": _side("twenty_one_plus_three", _first_three, _every_card),
    "hot_3": _side("hot_3", _first_three, _every_card),
    "bust_it": _side("bust_it", _drawn_out, rank_groups),
}
