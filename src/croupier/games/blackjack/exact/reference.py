"""The reference implementation of the analysis: fractions, by recursion over the rules' own predicates.

It is for small shoes, and for tests of the fast implementation. `exact/__init__.py` defines the values.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from croupier.equipment.cards import Card
from croupier.games.blackjack import options
from croupier.games.blackjack.boxes import Box
from croupier.games.blackjack.exact.results import (
    PREFERENCE,
    STRATEGY,
    Analysis,
    Offer,
    OpeningAnalysis,
    Value,
)
from croupier.games.blackjack.outcomes import (
    BLACKJACK,
    ENDS,
    accept_offer,
    end_of,
    finds_blackjack,
    net_result,
    offer_name,
    unit_box,
)
from croupier.games.blackjack.rules import Rules, dealer_draws
from croupier.games.blackjack.shoe import CARDS, Counts, RankCounts, chance_of, less
from croupier.refusal import Refused

ZERO, ONE = Fraction(0), Fraction(1)
Ends = tuple[Fraction, ...]


class Spot(NamedTuple):
    """Hand `hand` of a box against the dealer's known cards, with `counts` unseen."""

    rules: Rules
    dealer: tuple[Card, ...]
    counts: Counts
    box: Box
    hand: int = 0


def analyse(rules: Rules, shoe: RankCounts) -> Analysis[Fraction]:
    """Analyse a round. Refused `shoe_empty` if a hand can exhaust the shoe."""
    deals = (
        deal(Spot(rules, dealer, less(shoe.counts, *hand, *dealer), unit_box(rules, hand)), likely * chance)
        for hand, likely in shoe.openings(rules)
        for dealer, chance in dealers(rules, less(shoe.counts, *hand))
        if likely * chance
    )
    return Analysis(STRATEGY, tuple(deals))


def dealers(rules: Rules, counts: Counts) -> Iterator[tuple[tuple[Card, ...], Fraction]]:
    """Yield the dealer's face-up cards before play, with their chances."""
    for cards in combinations_with_replacement(CARDS, 2 if rules.hole_card == "face_up" else 1):
        yield cards, chance_of(counts, cards)


def deal(spot: Spot, chance: Fraction) -> OpeningAnalysis[Fraction]:
    found = (
        ends(spot.rules, spot.counts, spot.dealer)[BLACKJACK]
        if finds_blackjack(spot.rules, spot.dealer)
        else ZERO
    )
    values = {action: after(spot, action).net / (1 - found) for action in choices(spot)} if found != 1 else {}
    played = best_value(spot)
    at_once = found * net_result(spot.rules, spot.box, 0, BLACKJACK)
    whole, offer = _with_offer(spot, Value(played.net + at_once, played.stake + found))
    hand = "".join(card.rank for card in spot.box.hands[0].cards)
    return OpeningAnalysis(
        hand, "".join(card.rank for card in spot.dealer), chance, 1 - found, whole, values, offer
    )


def _with_offer(spot: Spot, declined: Value[Fraction]) -> tuple[Value[Fraction], Offer[Fraction] | None]:
    """Return the better of declining and accepting the offer."""
    name = offer_name(spot.rules, spot.dealer, blackjack=spot.box.hands[0].blackjack)
    if not name:
        return declined, None
    box = accept_offer(spot.box, name)
    if name == "even_money":
        return _offer(name, declined, Value(_mean(spot, box, "main"), ONE))
    cost = Fraction(box.insurance_minor, box.stake_minor)
    gain = _mean(spot, box, "insurance")
    return _offer(name, declined, Value(declined.net + gain, declined.stake + cost))


def _offer(
    name: str, declined: Value[Fraction], accepted: Value[Fraction]
) -> tuple[Value[Fraction], Offer[Fraction]]:
    gain = accepted.net - declined.net
    return (accepted if gain > 0 else declined), Offer(name, gain, gain > 0)


def _mean(spot: Spot, box: Box, bet: str) -> Fraction:
    """Return the mean net result of one bet over all ends of the dealer's hand."""
    chances = ends(spot.rules, spot.counts, spot.dealer)
    return sum(
        (chance * net_result(spot.rules, box, 0, end, bet) for end, chance in enumerate(chances)), start=ZERO
    )


def draws(counts: Counts) -> Iterator[tuple[Card, Fraction]]:
    """Return the possible next cards and their chances. Refused `shoe_empty` if there is none."""
    unseen = sum(counts)
    if not unseen:
        raise Refused("shoe_empty")
    return ((card, Fraction(count, unseen)) for card, count in zip(CARDS, counts, strict=True) if count)


@cache
def ends(rules: Rules, counts: Counts, dealer: tuple[Card, ...]) -> Ends:
    """Return the chance of each end of the dealer's hand; the face-down card counts as unseen."""
    if len(dealer) > 1 and not dealer_draws(rules, dealer):
        return tuple(ONE * (end == end_of(dealer)) for end in range(len(ENDS)))
    found = [ZERO] * len(ENDS)
    for card, chance in draws(counts):
        for end, likely in enumerate(ends(rules, less(counts, card), _sorted(*dealer, card))):
            found[end] += chance * likely
    return tuple(found)


def _sorted(*cards: Card) -> tuple[Card, ...]:
    """Sort cards whose order doesn't matter, so that equal hands are computed once."""
    return tuple(sorted(cards))


def after(spot: Spot, action: str) -> Value[Fraction]:
    """Return the value of the box after a decision; split hands are played independently."""
    box = options.APPLY[action](spot.box, spot.hand, None)
    if len(box.hands) == len(spot.box.hands):
        return best_value(spot._replace(box=box))
    halves = [best_value(spot._replace(box=box, hand=hand)) for hand in range(len(box.hands))]
    return Value(sum((half.net for half in halves), ZERO), sum((half.stake for half in halves), ZERO))


@cache
def best_value(spot: Spot) -> Value[Fraction]:
    """Return the value of a hand with the best play, over rounds without a blackjack found before play."""
    if spot.box.hands[spot.hand].owed:
        return _drawn(spot)
    if not (can := choices(spot)):
        return _settled(spot)
    return max((after(spot, action) for action in can), key=lambda way: way.net)


def choices(spot: Spot) -> tuple[str, ...]:
    """Return the actions in order of preference among equals; none once the hand is complete."""
    if options.is_complete(spot.rules, spot.box, spot.hand):
        return ()
    on_offer = options.available_options(spot.rules, spot.box, spot.hand, len(spot.box.hands) > 1)
    return tuple(sorted((option.action for option in on_offer), key=PREFERENCE.index))


def _drawn(spot: Spot) -> Value[Fraction]:
    net = stake = ZERO
    for card, chance in draws(spot.counts):
        hand = spot.box.hands[spot.hand].dealt(card)
        hand = replace(hand, cards=(hand.cards[0], *_sorted(*hand.cards[1:])))
        box = spot.box.with_hand(spot.hand, hand)
        then = best_value(spot._replace(counts=less(spot.counts, card), box=box))
        net, stake = net + chance * then.net, stake + chance * then.stake
    return Value(net, stake)


def _settled(spot: Spot) -> Value[Fraction]:
    stake = Fraction(spot.box.hand_stake(spot.box.hands[spot.hand]), spot.box.stake_minor)
    net = live = ZERO
    for end, chance in enumerate(ends(spot.rules, spot.counts, spot.dealer)):
        if end != BLACKJACK or not finds_blackjack(spot.rules, spot.dealer):
            net, live = net + chance * net_result(spot.rules, spot.box, spot.hand, end), live + chance
    return Value(net, stake * live)
