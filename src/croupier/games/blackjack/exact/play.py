"""The best play and the best chart as strategies."""

from collections.abc import Hashable
from typing import NamedTuple

from croupier.equipment.cards import Card
from croupier.games.blackjack.boxes import Box
from croupier.games.blackjack.chart import strategy_of
from croupier.games.blackjack.exact.analysis import with_offer
from croupier.games.blackjack.exact.figures import BlackjackFigures
from croupier.games.blackjack.exact.kernels import SPLIT
from croupier.games.blackjack.exact.solution import ACTIONS, Solution
from croupier.games.blackjack.exact.space import rows, space
from croupier.games.blackjack.hands import VALUE
from croupier.games.blackjack.options import is_complete
from croupier.games.blackjack.round import Round
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.shoe import CARDS, RankCounts, held_of, place
from croupier.play.contract.model import Strategy
from croupier.play.contract.wants import Choice, Decision

HIT = ACTIONS.index("hit")
OPENING = 2


def basic(rules: Rules) -> Strategy:
    """Return the best total-dependent chart as a strategy."""
    return strategy_of(BlackjackFigures(rules).chart.text)


def optimal(rules: Rules, shoe: RankCounts | None = None) -> Strategy:
    """Return the best play by the cards of the hand and the dealer, including offers."""
    best = _Best(Solution(rules, shoe or RankCounts.of_decks(rules.decks)))
    return Strategy(best.decide, best.memory_key)


class _Way(NamedTuple):
    """The index of a hand's play against one dealer: as dealt, or as a half of a split of one value."""

    dealer: int
    family: int
    part: int


class _Best:
    def __init__(self, solution: Solution) -> None:
        self._solution = solution
        self._dealers = {against.cards: number for number, against in enumerate(solution.dealers)}
        self._cards_seen = len(solution.dealers[0].cards)
        self._openings = {int(row): number for number, row in enumerate(solution.rows)}
        self._best = [against.best for against in solution.dealers]
        self._plans: dict[Hashable, int] = {}
        self._plan_of: dict[tuple[_Way, int], int] = {}
        self._takes: dict[tuple[int, int], bool] = {}

    def decide(self, round_: Round, decision: Decision) -> Choice:
        box, spot = round_.box(decision.to.box), decision.to.hand
        way, row = self._way(round_, box, spot), _row(box, spot)
        if decision.option("stand") is None:
            return Choice(decision.options[0 if self._takes_offer(way, row) else 1].action)
        if decision.option("split") and self._splits(way, row):
            return Choice("split")
        return Choice(ACTIONS[self._action(way, row)])

    def memory_key(self, round_: Round) -> Hashable:
        """Return the plan of each hand with something to decide, or its cards while it has no plan yet."""
        (box,) = round_.boxes
        return tuple(self._hand_key(round_, box, spot) for spot in range(len(box.hands)))

    def _hand_key(self, round_: Round, box: Box, spot: int) -> Hashable:
        hand = box.hands[spot]
        if hand.doubled or (is_complete(round_.rules, box, spot) and not (hand.owed or hand.blackjack)):
            return ()
        dealer = _dealer(round_)
        if len(dealer) > self._cards_seen:
            return ()
        if len(dealer) < self._cards_seen or not (hand.of_split or len(hand.cards) >= OPENING):
            return held_of(hand.cards), held_of(dealer)
        way, row = self._way(round_, box, spot), _row(box, spot)
        opening = row in self._openings and not hand.of_split
        return self._plan(way, row), opening and (self._splits(way, row), self._takes_offer(way, row))

    def _plan(self, way: _Way, row: int) -> int:
        """Number the action and, after a hit, the plans for each next card."""
        key = way, row
        if key not in self._plan_of:
            action = self._action(way, row)
            children = space().child[row].tolist() if action == HIT else []
            plan = action, tuple(child < 0 or self._plan(way, child) for child in children)
            self._plan_of[key] = self._plans.setdefault(plan, len(self._plans) + 2)
        return self._plan_of[key]

    def _action(self, way: _Way, row: int) -> int:
        return int(self._solution.dealers[way.dealer].actions[way.family, way.part][row])

    def _splits(self, way: _Way, row: int) -> bool:
        """Return whether a pair of this value is split if possible."""
        opening = self._solution.openings[self._openings[row]].cards
        number = (
            self._solution.pairs.get(place(opening[0]))
            if VALUE[opening[0].rank] == VALUE[opening[1].rank]
            else None
        )
        return number is not None and bool(self._best[way.dealer][number] == SPLIT)

    def _takes_offer(self, way: _Way, row: int) -> bool:
        key = way.dealer, row
        if key not in self._takes:
            against = self._solution.dealers[way.dealer]
            _, offer = with_offer(self._solution, against, self._openings[row])
            self._takes[key] = bool(offer and offer.taken)
        return self._takes[key]

    def _way(self, round_: Round, box: Box, spot: int) -> _Way:
        hand = box.hands[spot]
        family, part = (place(hand.cards[0]) + 1, spot + 1) if hand.of_split else (0, 0)
        return _Way(self._dealers[_dealer(round_)], family, part)


def _dealer(round_: Round) -> tuple[Card, ...]:
    """Return the face-up cards before play, normalized as in the analysis."""
    return tuple(sorted((CARDS[place(card)] for card in round_.dealer), key=place))


def _row(box: Box, spot: int) -> int:
    return rows()[held_of(box.hands[spot].cards)]
