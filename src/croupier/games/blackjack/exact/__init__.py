"""Exact analysis of blackjack: what the first hand of a fresh shoe is worth, played at its best.

**The play.** Among all strategies that decide by the cards of the own hand and the dealer's that are seen,
the best. A hand of a split knows of the other one its first card, and whether it is the first or the
second; it is played without regard to what the other draws. As all orders of the shoe are equally likely,
its mean is then that of a hand played alone, the pair's other card out of the shoe.

**The sum.** A hand is a set of cards, not an order. Of the dealer's hands only the finished ones count: one
is as likely as the product of the numbers of its cards that are left, over all the ways to draw as many,
times the orders in which the dealer may draw it. Hands are worked out from the fullest to the emptiest,
each option as the mean over the next card, the best taken.

**A blackjack found before play.** No chance is made conditional. A round in which the dealer is found to
have a blackjack adds nothing to any option but what it takes at once, and every option is summed over the
other rounds of the *unconditional* shoe. Divided by the chance of those, that is the value given that one
may decide; the order of the options is the same.

**Double for less** is never better than the better of doubling for all and hitting: between them a stake
counts linearly. **Insurance and even money** are decided by the two cards, each at its best.

`twin.py` says the same in fractions, slowly, by the round's own predicates.
"""

from croupier.games.blackjack.exact.analysis import analysis
from croupier.games.blackjack.exact.results import Analysis
from croupier.games.blackjack.exact.solution import Solution
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.shoe import RankCounts


def analyse(rules: Rules, shoe: RankCounts | None = None) -> Analysis[float]:
    """The whole game from a fresh shoe of the table's decks, or from `shoe`.

    Refused `shoe_empty` for a shoe that a round might use up.
    """
    return analysis(Solution(rules, shoe or RankCounts.of_decks(rules.decks)))
