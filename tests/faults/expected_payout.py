"""Compute the payout of a finished round from its view alone.

An independent implementation: it shares no code with the games, so that an error in either shows.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from croupier.games.blackjack.view import BlackjackView, BoxView, HandView
from croupier.games.roulette.view import RouletteView

View = BlackjackView | RouletteView


class Payout(NamedTuple):
    staked_minor: int
    returned_minor: int


class TableRules(NamedTuple):
    """The rules of a table that determine its payouts.

    `blackjack_pays`: winnings per unit staked; `stronger`: a player's blackjack beats the dealer's.
    """

    blackjack_pays: Fraction = Fraction(3, 2)
    stronger: bool = False
    ties_back: bool = True


def payout(table: str, view: View) -> Payout:
    """Return the payout of a finished round without side bets."""
    if isinstance(view, RouletteView):
        return spun(view)
    return played(RULES[table], view)


def spun(view: RouletteView) -> Payout:
    """A bet's pockets divide 36 times the stake."""
    staked = returned = 0
    for bet in view.bets:
        covered = pockets(bet.bet)
        staked += bet.stake_minor
        returned += bet.stake_minor * (36 // len(covered)) * (view.pocket in covered)
    return Payout(staked, returned)


def pockets(bet: str) -> set[str]:
    kind, _, number = bet.rpartition("_")
    if kind in THREES:
        return {str(n) for n in range(1, 37) if THREES[kind](n) == int(number)}
    if bet in HALVES:
        return {str(n) for n in range(1, 37) if HALVES[bet](n)}
    return {word for word in bet.split("_") if word.isdecimal()}


REDS = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}
THREES: dict[str, Callable[[int], int]] = {
    "column": lambda n: (n - 1) % 3 + 1,
    "dozen": lambda n: (n - 1) // 12 + 1,
}
HALVES: dict[str, Callable[[int], bool]] = {
    "red": lambda n: n in REDS,
    "black": lambda n: n not in REDS,
    "odd": lambda n: n % 2 == 1,
    "even": lambda n: n % 2 == 0,
    "low": lambda n: n < 19,
    "high": lambda n: n > 18,
}
RULES = {
    "classic": TableRules(),
    "premium": TableRules(),
    "multihand": TableRules(),
    "double_exposure": TableRules(Fraction(1), stronger=True, ties_back=False),
}
TABLES = (*RULES, "roulette", "american_roulette")
"""The tables whose payouts are computed here."""


def played(rules: TableRules, view: BlackjackView) -> Payout:
    staked = returned = 0
    dealer = view.dealer.cards
    for box in view.boxes:
        assert not box.side_bets, "these tables have none"
        for hand in box.hands:
            staked += stake(box, hand)
            returned += int(stake(box, hand) * multiple(rules, box, hand, dealer))
        if box.insurance:
            staked += box.insurance.stake_minor
            returned += box.insurance.stake_minor * 3 * natural(dealer)
    return Payout(staked, returned)


def stake(box: BoxView, hand: HandView) -> int:
    return box.stake_minor * (2 if hand.doubled else 1)


def multiple(rules: TableRules, box: BoxView, hand: HandView, dealer: tuple[str, ...]) -> Fraction | int:
    """Return what is returned as a multiple of the hand's stake."""
    blackjack = len(box.hands) == 1 and natural(hand.cards)
    if hand.outcome == "even_money":
        assert blackjack, "even money is for a blackjack"
        return 2
    if points(hand.cards) > 21:
        return 0
    if blackjack:
        return 1 + rules.blackjack_pays if rules.stronger or not natural(dealer) else 1
    if natural(dealer):
        return 0
    if points(dealer) > 21 or points(hand.cards) > points(dealer):
        return 2
    return int(points(hand.cards) == points(dealer) and rules.ties_back)


def natural(cards: tuple[str, ...]) -> bool:
    return len(cards) == 2 and points(cards) == 21


def points(cards: tuple[str, ...]) -> int:
    """Return the best total: one ace counts 11 unless that busts."""
    low = sum(1 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0]) for card in cards)
    return low + 10 if low <= 11 and any(card[0] == "A" for card in cards) else low
