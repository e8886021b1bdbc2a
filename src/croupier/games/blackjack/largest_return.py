"""The largest amount that a round may return: its best hands against each end of the dealer's hand."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from croupier.equipment.cards import DECK, RANKS, SUITS, Card
from croupier.games.blackjack.bets import SIDE_BETS, Two, bets, side_bet_pay
from croupier.games.blackjack.boxes import Box, Hand
from croupier.games.blackjack.hands import VALUE, is_bust, is_natural, low_total
from croupier.games.blackjack.options import available_options, is_complete, offered_options
from croupier.games.blackjack.outcomes import BLACKJACK, ENDS, actions_of, finds_blackjack, unit_box
from croupier.games.blackjack.round import Round
from croupier.games.blackjack.rules import Rules, dealer_draws, is_charlie
from croupier.games.blackjack.settlement import settle
from croupier.play.contract.largest_return import LargestStakes, Returned, best_rate, rate_of, sum_returned

STAKES_OF_A_BOX = 4
"""The largest stake on the hands of a box, in initial stakes: two hands of a split, both doubled."""
Hands = tuple[Hand, ...]
Rates = Mapping[str, Fraction]
"""Amounts returned for a unit staked first, by bet."""


SideRates = tuple[tuple[str, Fraction], ...]
BUST_IT = "bust_it"
"""The bet on the dealer's whole hand; the others depend on the first two cards and the upcard."""


class Opening(NamedTuple):
    """The ranks of a box's first two cards, and the rates of the side bets that are decided then."""

    one: str
    other: str
    sides: SideRates


class DealerHand(NamedTuple):
    """A final hand of the dealer."""

    cards: tuple[Card, ...]

    @property
    def has_blackjack(self) -> bool:
        return is_natural(self.cards)


def largest_returns(rules: Rules, stakes: LargestStakes) -> Iterator[int]:
    """Follow `LargestReturns`."""
    every = bets(rules)
    quick = [
        Returned(stakes.of[bet.name], best_rate(bet) * (STAKES_OF_A_BOX if bet.main else 1)) for bet in every
    ]
    yield sum_returned(quick * rules.boxes, stakes.total_minor)
    yield max(_returned(rules, stakes, dealer) for upcard in _upcards() for dealer in _finals(rules, upcard))


def _upcards() -> list[Card]:
    """Return a card of each rank. Suits are alike, so one is enough."""
    return [Card(rank, SUITS[0]) for rank in RANKS]


def _returned(rules: Rules, stakes: LargestStakes, dealer: DealerHand) -> int:
    """Return what the best boxes return against a hand of the dealer."""
    boxes = [_rates(rules, box, dealer) for box in _openings(rules, dealer.cards[0])]
    most = max(_sum(stakes, rates) for rates in boxes) * rules.boxes
    if stakes.total_minor is None:
        return most
    highest = {bet: max(rates.get(bet, Fraction(0)) for rates in boxes) for bet in stakes.of}
    parts = [Returned(stakes.of[bet], rate) for bet, rate in highest.items()] * rules.boxes
    return min(most, sum_returned(parts, stakes.total_minor))


def _sum(stakes: LargestStakes, rates: Rates) -> int:
    return sum_returned([Returned(stakes.of[bet], rate) for bet, rate in rates.items()], None)


@cache
def _openings(rules: Rules, upcard: Card) -> Collection[Opening]:
    """Return the different openings that a box may have beside an upcard."""
    offered = [bet.name for bet in bets(rules) if bet.name in SIDE_BETS and bet.name != BUST_IT]
    return {
        Opening(two[0].rank, two[1].rank, _side_rates(rules, offered, two, (upcard,)))
        for two in combinations_with_replacement(DECK, 2)
        if max(map((*two, upcard).count, two)) <= rules.decks
    }


def _rates(rules: Rules, box: Opening, dealer: DealerHand) -> dict[str, Fraction]:
    ranks = (box.one, box.other)
    value = VALUE[dealer.cards[0].rank]
    upcard = {1: "A", 10: "T"}.get(value, "2")  # the others are alike to the main bet
    main = _main_rate(rules, ranks, upcard, dealer.has_blackjack)
    late = [BUST_IT] if rules.bust_it else []
    two = (Card(box.one, SUITS[0]), Card(box.other, SUITS[0]))
    return {"main": main, **dict(box.sides), **dict(_side_rates(rules, late, two, dealer.cards))}


def _side_rates(rules: Rules, offered: Iterable[str], two: Two, dealer: Sequence[Card]) -> SideRates:
    paid = ((bet, side_bet_pay(rules, bet, two, dealer)) for bet in offered)
    return tuple((bet, rate_of(pay.odds)) for bet, pay in paid if pay)


# --- the main bet


@cache
def _main_rate(rules: Rules, ranks: tuple[str, str], upcard: str, blackjack: bool) -> Fraction:
    """Return the most that the hands of a box and its insurance return, in initial stakes."""
    two = tuple(Card(rank, SUITS[0]) for rank in ranks)
    up = Card(upcard, SUITS[0])
    dealer = ENDS[BLACKJACK if blackjack else 0]
    boxes = [
        replace(unit_box(rules, two), hands=hands) for hands in _hands(rules, two, up, blackjack=blackjack)
    ]
    boxes += [better for box in boxes for better in _with_offer(rules, unit_box(rules, two), box, up)]
    return max(_rate(rules, box, dealer) for box in boxes)


def _rate(rules: Rules, box: Box, dealer: tuple[Card, ...]) -> Fraction:
    returned = sum(line.returned_minor for line in settle(Round(rules, (box,), dealer)))
    return Fraction(returned, box.stake_minor)


def _with_offer(rules: Rules, first: Box, box: Box, upcard: Card) -> Iterator[Box]:
    """Yield the box with the offer that its first cards have under an ace, accepted."""
    if upcard.rank != "A" or rules.hole_card == "face_up":
        return
    actions = {option.action for option in offered_options(rules, first)}
    if "insure" in actions:
        yield replace(box, insured=True)
    if "take_even_money" in actions:
        yield replace(box, even_money=True)


def _hands(rules: Rules, two: Sequence[Card], upcard: Card, *, blackjack: bool) -> Iterator[Hands]:
    """Yield the hands that a box may end with, without those that can't return more than another."""
    first = Hand(tuple(two))
    yield (first,)
    known = (upcard,) if rules.hole_card == "face_down" else ENDS[BLACKJACK]
    if first.blackjack or (blackjack and finds_blackjack(rules, known)):
        return
    box = unit_box(rules, tuple(two))
    yield from ((hand,) for hand in _played(rules, box, first))
    if "split" in actions_of(rules, box, 0):
        yield from product(*(_half(rules, card) for card in two))


@cache
def _half(rules: Rules, card: Card) -> Collection[Hand]:
    """Return the hands that half of a split may end with: of those that return the same, one."""
    found: dict[tuple[bool, bool], Hand] = {}
    for rank in RANKS:
        hand = Hand((card, Card(rank, SUITS[0])), of_split=True)
        halves = Box(0, 1, hands=(hand, Hand((card,), of_split=True)))
        for end in (hand, *_played(rules, halves, hand)):
            found[end.doubled, is_charlie(rules, end.cards)] = end
    return found.values()


def _played(rules: Rules, box: Box, hand: Hand) -> Iterator[Hand]:
    """Yield the hand doubled, and with as many cards as win at once."""
    if is_complete(rules, box, 0):
        return
    options = available_options(rules, box, 0, len(box.hands) > 1)
    if any(option.action == "double" for option in options):
        yield replace(hand, cards=(*hand.cards, Card("A", SUITS[0])), doubled=True)
    if charlie := _charlie(rules, hand):
        yield charlie


@cache
def _charlie(rules: Rules, hand: Hand) -> Hand | None:
    """Return the hand with so many cards that it wins at once; None if it can't have them."""
    box = Box(0, 1, hands=(hand,))
    growing = [hand] if rules.charlie_cards else []
    while growing:
        longer: dict[tuple[int, bool], Hand] = {}
        for held in growing:
            if is_charlie(rules, held.cards):
                return held
            if is_complete(rules, box.with_hand(0, held), 0):
                continue
            for card in _upcards():
                then = held.dealt(card)
                if not is_bust(then.cards):
                    longer[low_total(then.cards), any(card.rank == "A" for card in then.cards)] = then
        growing = list(longer.values())
    return None


# --- the dealer


@cache
def _finals(rules: Rules, upcard: Card) -> tuple[DealerHand, ...]:
    """Return a blackjack if there may be one, and a bust with each number of cards.

    Against any other hand of the dealer, no bet returns more than against a bust.
    """
    found: dict[int, DealerHand] = {}
    growing: list[tuple[Card, ...]] = [(upcard,)]
    while growing:
        longer: dict[tuple[int, bool], tuple[Card, ...]] = {}
        for held in growing:
            if is_bust(held) or is_natural(held):
                found.setdefault(len(held), DealerHand(held))
            elif len(held) < 2 or dealer_draws(rules, held):
                drawn = [(*held, card) for card in _upcards()]
                longer |= {(low_total(then), any(card.rank == "A" for card in then)): then for then in drawn}
        growing = list(longer.values())
    return tuple(found.values())
