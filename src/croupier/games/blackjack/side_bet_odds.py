"""Side bets as exact fractions, counted with the functions that settle them.

By exchangeability, neither the cards of other boxes nor those drawn to a hand affect the chances.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

from croupier.equipment.cards import DECK, Card
from croupier.games.blackjack.bets import PUSHED, SIDE_BETS, Outcomes, Two, best_pay, paytable
from croupier.games.blackjack.rules import Rules, dealer_draws
from croupier.games.blackjack.shoe import CARDS, Counts, RankCounts, chance_of, less
from croupier.play.contract.bets import Pay
from croupier.play.contract.figures import BetOdds, LineOdds
from croupier.play.contract.odds import PUSH

DRAWN_OUT = "bust_it"
"""The bet on the dealer's whole hand; the others depend on the first two cards and the upcard."""

NATURAL: Two = (CARDS[0], CARDS[9])
NO_NATURAL: Two = (CARDS[9], CARDS[6])

Cards = tuple[Card, ...]
Chances = dict[Outcomes, Fraction]
"""By the outcomes that a hand meets."""


def side_bets(rules: Rules) -> Iterator[BetOdds]:
    """Yield the odds of every side bet of the table, from a fresh shoe."""
    for bet in SIDE_BETS:
        if pays := paytable(rules, bet):
            met = _drawn_out(rules) if bet == DRAWN_OUT else _first_three(bet, rules.decks)
            chances = _paid(pays, met)
            lines = [LineOdds(pay.outcome, chances.get(pay.outcome, Fraction(0)), pay.odds) for pay in pays]
            if PUSHED in chances:
                lines.append(LineOdds(PUSHED, chances[PUSHED], PUSH))
            yield BetOdds(bet, tuple(lines))


def _paid(pays: tuple[Pay, ...], met: Chances) -> Mapping[str, Fraction]:
    """Return the chance of each line to be paid."""
    found: defaultdict[str, Fraction] = defaultdict(Fraction)
    for outcomes, chance in met.items():
        if pay := best_pay(pays, outcomes):
            found[pay.outcome] += chance
    return found


def _first_three(bet: str, decks: int) -> Chances:
    """Return the outcomes of a bet on the first two cards and the upcard."""
    found: Counter[Outcomes] = Counter()
    for (outcome, alike, again), times in _threes(bet).items():
        found[outcome] += times * decks * (decks - alike) * (decks - again)
    dealt = 52 * decks
    return {outcome: Fraction(ways, dealt * (dealt - 1) * (dealt - 2)) for outcome, ways in found.items()}


@cache
def _threes(bet: str) -> Counter[tuple[Outcomes, int, int]]:
    """Count the kinds of three cards by outcome and by repetitions of the second and the third card."""
    classify = SIDE_BETS[bet]
    found: Counter[tuple[Outcomes, int, int]] = Counter()
    for one, two in combinations_with_replacement(DECK, 2):
        for up in DECK:
            outcome = classify((one, two), (up,))
            found[outcome, one == two, (up == one) + (up == two)] += 1 if one == two else 2
    return found


def _drawn_out(rules: Rules) -> Chances:
    """Return the outcomes of the bet on the dealer's hand, corrected for a blackjack of the box."""
    shoe = RankCounts.of_decks(rules.decks).counts
    likely = chance_of(shoe, NATURAL)
    beside = _dealt(rules, less(shoe, *NATURAL))
    found: dict[Outcomes, Fraction] = defaultdict(Fraction)
    for first, dealt, chance in (
        (NO_NATURAL, _dealt(rules, shoe), Fraction(1)),
        (NO_NATURAL, beside, -likely),
        (NATURAL, beside, likely),
    ):
        for dealer, falls in dealt.items():
            found[SIDE_BETS[DRAWN_OUT](first, dealer)] += chance * falls
    return found


def _dealt(rules: Rules, counts: Counts) -> dict[Cards, Fraction]:
    """Return the chances of the dealer's final hands, regardless of order."""
    finished: dict[Cards, Fraction] = {}
    growing: dict[Cards, Fraction] = {(): Fraction(1)}
    while growing:
        longer: dict[Cards, Fraction] = defaultdict(Fraction)
        for dealer, chance in growing.items():
            if len(dealer) > 1 and not dealer_draws(rules, dealer):
                finished[dealer] = chance
            else:
                for then, falls in _longer(dealer, counts):
                    longer[then] += chance * falls
        growing = longer
    return finished


def _longer(dealer: Cards, counts: Counts) -> Iterator[tuple[Cards, Fraction]]:
    left = less(counts, *dealer)
    for card, count in zip(CARDS, left, strict=True):
        if count > 0:
            yield tuple(sorted((*dealer, card))), Fraction(count, sum(left))
