"""The returns that tables publish for their side bets, exactly, from the same functions that settle them.

A bet on the first cards is counted over every choice of three cards. Bust It follows the dealer's hand:
cards that players take don't change what the dealer may get, since all orders are equally likely.
"""

from collections import Counter
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from croupier.equipment.cards import DECK, Card
from croupier.games import published_tables
from croupier.games.blackjack.bets import SIDE_BETS, paytable
from croupier.games.blackjack.hands import VALUE, is_bust, is_natural
from croupier.games.blackjack.rules import Rules, dealer_draws

PUBLISHED = [
    (table.rules, line)
    for table in published_tables().values()
    for line in table.published
    if line.bet != "main"
]


def returned(rules: Rules, bet: str, outcome: str | None) -> Fraction:
    """What one unit staked returns on average for this outcome."""
    odds = {pay.outcome: pay.odds for pay in paytable(rules, bet)}
    if outcome == "pushed":
        return Fraction(1)
    return 1 + Fraction(*odds[outcome]) if outcome in odds else Fraction()


def of_first_cards(rules: Rules, bet: str) -> Fraction:
    """The return of a bet on the first two cards and the upcard."""
    left, total = Counter(dict.fromkeys(DECK, rules.decks)), Fraction()
    for one, two, up in product(DECK, repeat=3):
        ways = left[one] * (left[two] - (two == one)) * (left[up] - (up == one) - (up == two))
        if worth := returned(rules, bet, SIDE_BETS[bet]((one, two), (up,))):
            total += ways * worth
    cards = 52 * rules.decks
    return total / (cards * (cards - 1) * (cards - 2))


Ten = tuple[int, ...]
"""How many cards of the values 1 to 10 are left."""
BY_VALUE = {VALUE[card.rank]: card for card in DECK}


def busts(rules: Rules, left: Ten) -> dict[int, Fraction]:
    """How likely the dealer busts with so many cards, dealt from these."""

    @cache
    def after(hand: tuple[Card, ...], left: Ten) -> dict[int, Fraction]:
        if len(hand) > 1 and not dealer_draws(rules, hand):
            return {len(hand): Fraction(1)} if is_bust(hand) else {}
        found: Counter[int] = Counter()
        for value, card in BY_VALUE.items():
            if count := left[value - 1]:
                fewer = (*left[: value - 1], count - 1, *left[value:])
                for cards, chance in after(tuple(sorted((*hand, card))), fewer).items():
                    found[cards] += Fraction(count, sum(left)) * chance  # type: ignore[assignment]
        return dict(found)  # type: ignore[arg-type]

    return after((), left)


def of_bust_it(rules: Rules) -> Fraction:
    """The return of Bust It: a push with a blackjack, else by the dealer's hand."""
    shoe = tuple(rules.decks * (16 if value == 10 else 4) for value in range(1, 11))
    cards = sum(shoe)
    blackjack = Fraction(2 * shoe[0] * shoe[9], cards * (cards - 1))
    beside_one = busts(rules, (shoe[0] - 1, *shoe[1:9], shoe[9] - 1))
    won = sum(
        (chance - blackjack * beside_one.get(held, 0))
        * returned(rules, "bust_it", f"bust_{min(held, 8)}_cards")
        for held, chance in busts(rules, shoe).items()
    )
    return blackjack + won


@pytest.mark.parametrize(("rules", "line"), PUBLISHED, ids=[line.bet for _, line in PUBLISHED])
def test_a_published_return_is_ours(rules: Rules, line: Any) -> None:
    exact = of_bust_it(rules) if line.bet == "bust_it" else of_first_cards(rules, line.bet)
    assert round(Decimal(exact.numerator) / exact.denominator * 100, 2) == Decimal(line.percent)


def test_natural_hands_are_what_bust_it_is_pushed_by() -> None:
    first = tuple(card for card in DECK if str(card) in ("AS", "KS"))
    assert is_natural(first)
    assert SIDE_BETS["bust_it"]((first[0], first[1]), ()) == "pushed"
