"""The value of every hand, option and offer, from the fast solution."""

from collections.abc import Iterator

import numpy as np

from croupier.games.blackjack.boxes import Box
from croupier.games.blackjack.exact.kernels import EQUAL
from croupier.games.blackjack.exact.results import STRATEGY, Analysis, Offer, OpeningAnalysis, Value
from croupier.games.blackjack.exact.solution import ACTIONS, DealerSolution, Opening, Solution
from croupier.games.blackjack.exact.space import Floats
from croupier.games.blackjack.outcomes import BLACKJACK, ENDS, accept_offer, net_result, offer_name, unit_box


def analysis(solution: Solution) -> Analysis[float]:
    deals = (deal for against in solution.dealers for deal in _deals(solution, against))
    return Analysis(STRATEGY, tuple(deals))


def _deals(solution: Solution, against: DealerSolution) -> Iterator[OpeningAnalysis[float]]:
    dealer = "".join(card.rank for card in against.cards)
    chances = against.chances * solution.chances
    for number in np.flatnonzero(chances).tolist():
        opening, live = solution.openings[number], float(against.live[number])
        worth, offer = with_offer(solution, against, number)
        options = _options(opening, against.ways[number] / live) if live else {}
        hand = "".join(card.rank for card in opening.cards)
        yield OpeningAnalysis(hand, dealer, float(chances[number]), live, worth, options, offer)


def _options(opening: Opening, ways: Floats) -> dict[str, float]:
    return {action: way for action, way in zip(ACTIONS, ways.tolist(), strict=True) if action in opening.can}


def with_offer(
    solution: Solution, against: DealerSolution, number: int
) -> tuple[Value[float], Offer[float] | None]:
    """Return the best value of an opening and its offer, which is accepted if that is better."""
    declined = _declined(solution, against, number)
    box = unit_box(solution.rules, solution.openings[number].cards)
    name = offer_name(solution.rules, against.cards, blackjack=box.hands[0].blackjack)
    if not name:
        return declined, None
    accepted = _accepted(solution, against, number, name, declined)
    gain = accepted.net - declined.net
    return (accepted if gain > EQUAL else declined), Offer(name, gain, gain > EQUAL)


def _declined(solution: Solution, against: DealerSolution, number: int) -> Value[float]:
    """Return the value without the offer, including a blackjack found at once."""
    best, found = against.best[number], 1 - against.live[number]
    at_once = found * solution.terms.pays[0, 0, solution.openings[number].row, BLACKJACK]
    return Value(float(against.ways[number, best] + at_once), float(against.stakes[number, best] + found))


def _accepted(
    solution: Solution, against: DealerSolution, number: int, name: str, declined: Value[float]
) -> Value[float]:
    chances = against.dealer.ends[solution.openings[number].row]
    box = accept_offer(unit_box(solution.rules, solution.openings[number].cards), name)
    if name == "even_money":
        return Value(float(chances @ results(solution, box, "main")), 1.0)
    gain = float(chances @ results(solution, box, "insurance"))
    return Value(declined.net + gain, declined.stake + box.insurance_minor / box.stake_minor)


def results(solution: Solution, box: Box, bet: str) -> Floats:
    """Return [end]: the net result of one bet of a box."""
    return np.array([float(net_result(solution.rules, box, 0, end, bet)) for end in range(len(ENDS))])
