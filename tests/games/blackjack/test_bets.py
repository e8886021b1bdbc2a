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
from msgspec.structs import replace

from croupier.equipment.cards import DECK, Card, cards
from croupier.games import published_tables
from croupier.games.blackjack.bets import SIDE_BETS, Outcomes, best_pay, paytable, side_bet_pay
from croupier.games.blackjack.hands import VALUE, is_bust, is_natural
from croupier.games.blackjack.rules import Rules, dealer_draws
from croupier.games.blackjack.side_bet_odds import side_bets

PUBLISHED = [
    (table.rules, line)
    for table in published_tables().values()
    for line in table.published
    if line.bet != "main"
]


def returned(rules: Rules, bet: str, met: Outcomes) -> Fraction:
    """Return what one unit staked returns for a hand that meets these outcomes."""
    pay = best_pay(paytable(rules, bet), met)
    return 1 + Fraction(*pay.odds) if pay else Fraction()


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
        * returned(rules, "bust_it", (f"bust_{min(card_count, 8)}_cards",))
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
    assert SIDE_BETS["bust_it"]((ace_king[0], ace_king[1]), ()) == ("pushed",)


# --- a hand falls to the best listed line that it meets

INFINITE = published_tables()["infinite"].rules


def with_paytable(bet: str, *lines: str, decks: int = 6) -> Rules:
    rules: Rules = replace(INFINITE, decks=decks, **{bet: lines})
    return rules


@pytest.mark.parametrize(
    ("bet", "lines", "hand", "paid"),
    [
        ("twenty_one_plus_three", ["three_of_a_kind 30:1", "flush 5:1"], "7S 7S 7S", "three_of_a_kind"),
        ("twenty_one_plus_three", ["flush 5:1"], "7S 7S 7S", "flush"),
        ("twenty_one_plus_three", ["flush 5:1", "straight 10:1"], "5H 6H 7H", "straight"),
        ("twenty_one_plus_three", ["flush 9:1", "straight 9:1"], "5H 6H 7H", "straight"),
        ("any_pair", ["pair 8:1"], "QS QS 2H", "pair"),
        ("perfect_pairs", ["coloured_pair 12:1", "mixed_pair 6:1"], "QS QS 2H", "coloured_pair"),
        ("perfect_pairs", ["perfect_pair 25:1", "mixed_pair 6:1"], "QS QC 2H", None),
        ("hot_3", ["total_21_suited 20:1", "total_21 4:1"], "7S 7S 7S", "total_21_suited"),
        ("hot_3", ["total_21 4:1"], "7S 7H 7S", "total_21"),
        ("hot_3", ["total_21 4:1"], "6S 7S 8S", "total_21"),
        ("hot_3", ["three_sevens 100:1"], "6S 7S 8S", None),
    ],
)
def test_a_side_bet_falls_to_the_best_listed_line(
    bet: str, lines: list[str], hand: str, paid: str | None
) -> None:
    one, two, upcard = cards(hand)
    pay = side_bet_pay(with_paytable(bet, *lines), bet, (one, two), (upcard,))
    assert (pay.outcome if pay else None) == paid


def test_21_plus_3_of_one_odds_returns_what_version_1_of_the_wizard_of_odds_returns() -> None:
    lines = (f"{outcome} 9:1" for outcome in ("straight_flush", "three_of_a_kind", "straight", "flush"))
    (odds,) = [
        each for each in side_bets(with_paytable("twenty_one_plus_three", *lines)) if each.bet[0] == "t"
    ]
    assert round(100 * float(odds.returned), 4) == 96.7614


@pytest.mark.parametrize("bet", ["any_pair", "twenty_one_plus_three", "hot_3"])
def test_the_exact_odds_of_a_paytable_with_lines_left_out_are_counted(bet: str) -> None:
    rules = with_paytable(bet, *getattr(INFINITE, bet)[-2:], decks=2)
    (odds,) = [each for each in side_bets(rules) if each.bet == bet]
    assert odds.returned == first_cards_return(rules, bet)
