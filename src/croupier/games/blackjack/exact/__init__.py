"""Exact analysis of blackjack: the value of the first hand of a fresh shoe with the best play.

**Strategies.** The best of all strategies that decide by the cards of the own hand and the dealer's face-up
cards. Those of a split hand also use the other hand's first card and which of the two it is, but not the
cards drawn to the other. As all orders of the shoe are equally likely, its mean equals that of a hand played
alone from a shoe without the pair's other card.

**Sums.** A hand is a multiset of cards. For the dealer only final hands count: the chance of one is the
product of the numbers of its cards left in the shoe, divided by the number of ways to draw as many cards,
times the number of orders in which the dealer may draw it. Hands are evaluated from the largest to the
smallest; each option is the mean over the next card, and the best option is taken.

**A blackjack found before play.** No chance is conditional. A round with a dealer's blackjack found before
play contributes only its immediate result, and every option is summed over the other rounds of the
*unconditional* shoe. Divided by their chance, that is the value given that a decision is possible; the
ranking of the options is the same.

**Double for less** is never better than both a full double and a hit, as the result is linear in the stake.
**Insurance and even money** are decided by the first two cards, each with the best answer.

`reference.py` computes the same with fractions, slowly, from the round's own predicates.
"""

from croupier.games.blackjack.exact.analysis import analysis
from croupier.games.blackjack.exact.results import Analysis
from croupier.games.blackjack.exact.solution import Solution
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.shoe import RankCounts


def analyse(rules: Rules, shoe: RankCounts | None = None) -> Analysis[float]:
    """Analyse a round from a fresh shoe of the table's decks, or from `shoe`.

    Refused `shoe_empty` for a shoe that a round might exhaust.
    """
    return analysis(Solution(rules, shoe or RankCounts.of_decks(rules.decks)))
