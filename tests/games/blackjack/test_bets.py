"""The exact returns of side bets, computed with the functions that settle them, equal the published ones.

A bet on the first cards is counted over every choice of three cards. Bust It depends on the dealer's hand:
cards drawn by players don't change its chances, since all orders are equally likely.
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
    """Return what one unit staked returns for this outcome."""
    odds = {pay.outcome: pay.odds for pay in paytable(rules, bet)}
    if outcome == "pushed":
        return Fraction(1)
    return 1 + Fraction(*odds[outcome]) if outcome in odds else Fraction()


def first_cards_return(rules: Rules, bet: str) -> Fraction:
    """Compute the return of a bet on the first two cards and the upcard."""
    remaining, total = Counter(dict.fromkeys(DECK, rules.decks)), Fraction()
    for one, two, upcard in product(DECK, repeat=3):
        ways = (
            remaining[one]
            * (remaining[two] - (two == one))
            * (remaining[upcard] - (upcard == one) - (upcard == two))
        )
        if payout := returned(rules, bet, SIDE_BETS[bet]((one, two), (upcard,))):
            total += ways * payout
    cards = 52 * rules.decks
    return total / (cards * (cards - 1) * (cards - 2))


CountsByValue = tuple[int, ...]
"""The number of remaining cards of each value from 1 to 10."""
BY_VALUE = {VALUE[card.rank]: card for card in DECK}


def busts(rules: Rules, remaining: CountsByValue) -> dict[int, Fraction]:
    """Return the probability that the dealer busts with each number of cards, dealt from these."""

    @cache
    def finish(hand: tuple[Card, ...], remaining: CountsByValue) -> dict[int, Fraction]:
        if len(hand) > 1 and not dealer_draws(rules, hand):
            return {len(hand): Fraction(1)} if is_bust(hand) else {}
        chances: Counter[int] = Counter()
        for value, card in BY_VALUE.items():
            if count := remaining[value - 1]:
                after_draw = (*remaining[: value - 1], count - 1, *remaining[value:])
                for cards, chance in finish(tuple(sorted((*hand, card))), after_draw).items():
                    chances[cards] += Fraction(count, sum(remaining)) * chance  # type: ignore[assignment]
        return dict(chances)  # type: ignore[arg-type]

    return finish((), remaining)


def bust_it_return(rules: Rules) -> Fraction:
    """Compute the return of Bust It: a push with a blackjack, otherwise by the dealer's hand."""
    shoe = tuple(rules.decks * (16 if value == 10 else 4) for value in range(1, 11))
    cards = sum(shoe)
    blackjack = Fraction(2 * shoe[0] * shoe[9], cards * (cards - 1))
    busts_beside_blackjack = busts(rules, (shoe[0] - 1, *shoe[1:9], shoe[9] - 1))
    won = sum(
        (chance - blackjack * busts_beside_blackjack.get(card_count, 0))
        * returned(rules, "bust_it", f"bust_{min(card_count, 8)}_cards")
        for card_count, chance in busts(rules, shoe).items()
    )
    return blackjack + won


@pytest.mark.parametrize(("rules", "line"), PUBLISHED, ids=[line.bet for _, line in PUBLISHED])
def test_published_returns_are_reproduced(rules: Rules, line: Any) -> None:
    exact = bust_it_return(rules) if line.bet == "bust_it" else first_cards_return(rules, line.bet)
    assert round(Decimal(exact.numerator) / exact.denominator * 100, 2) == Decimal(line.percent)


def test_a_blackjack_pushes_bust_it() -> None:
    ace_king = tuple(card for card in DECK if str(card) in ("AS", "KS"))
    assert is_natural(ace_king)
    assert SIDE_BETS["bust_it"]((ace_king[0], ace_king[1]), ()) == "pushed"
