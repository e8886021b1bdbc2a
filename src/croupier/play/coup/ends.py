"""The possible ends of a coup: which paytable lines come up together."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import product
from typing import Any

from croupier.equipment.cards import DECK, SUITS, Card
from croupier.play.contract.bets import Bet, Pay
from croupier.play.contract.largest_return import LargestStakes, Returned, best_rate, rate_of, sum_returned
from croupier.play.contract.wants import Answer, DealCard, Pocket, Roll, RollDice, SpinWheel, Want
from croupier.play.coup.coup import CoupDefinition, CoupStep, CoupSteps

FACES = range(1, 7)
Lines = tuple[str | None, ...]
"""The paytable line of each bet that comes up; None where the bet is lost."""


@lru_cache(maxsize=64)
def possible_ends(definition: CoupDefinition, rules: Any, decks: int) -> frozenset[Lines]:
    """Return the ends that a coup may have. Deals with the same future are walked once."""
    cards = _Cards(definition.rank_groups(rules), decks)
    bets = definition.bets(rules)
    found: set[Lines] = set()
    seen = {definition.state_key(rules, ())}
    left: list[CoupSteps] = [()]
    while left:
        dealt = left.pop()
        want = definition.wanted(rules, dealt)
        if want is None:
            found.add(tuple(definition.outcome(rules, bet.name, dealt) for bet in bets))
            continue
        for answer in _possible_answers(want, cards, dealt):
            longer = (*dealt, CoupStep(want.to, answer))
            key = definition.state_key(rules, longer)
            if key not in seen:
                seen.add(key)
                left.append(longer)
    return frozenset(found)


class _Cards:
    """The cards of a shoe: every card, or one of each group of ranks that no bet distinguishes."""

    def __init__(self, groups: Sequence[str], decks: int) -> None:
        self._copies = {Card(group[0], SUITS[0]): decks * len(group) * len(SUITS) for group in groups}
        if not groups:
            self._copies = dict.fromkeys(DECK, decks)

    def left(self, dealt: CoupSteps) -> list[Card]:
        """Return the cards that may come next."""
        came = [step.answer for step in dealt]
        return [card for card, copies in self._copies.items() if came.count(card) < copies]


def _possible_answers(want: Want, cards: _Cards, dealt: CoupSteps) -> Sequence[Answer]:
    match want:
        case DealCard():
            return cards.left(dealt)
        case SpinWheel(pockets):
            return [Pocket(name) for name in pockets]
        case RollDice(dice):
            return [Roll(faces) for faces in product(FACES, repeat=dice)]
    raise ValueError(f"a coup doesn't want a {type(want).__name__}")


def largest_returns(
    definition: CoupDefinition, decks: Callable[[Any], int], rules: Any, stakes: LargestStakes
) -> Iterator[int]:
    """Follow `LargestReturns`."""
    bets = definition.bets(rules)
    quick = [Returned(stakes.of[bet.name], best_rate(bet)) for bet in bets]
    yield sum_returned(quick, stakes.total_minor)
    returned = partial(_returned, bets, stakes)
    yield max(map(returned, possible_ends(definition, rules, decks(rules))))


def _returned(bets: Sequence[Bet], stakes: LargestStakes, end: Lines) -> int:
    """Return what the bets return at one end."""
    parts = [
        Returned(stakes.of[bet.name], rate_of(pay.odds))
        for bet, line in zip(bets, end, strict=True)
        if (pay := _pay(bet, line))
    ]
    return sum_returned(parts, stakes.total_minor)


def _pay(bet: Bet, line: str | None) -> Pay | None:
    return next((pay for pay in bet.pays if pay.outcome == line), None)


def missing_lines(
    definition: CoupDefinition, decks: Callable[[Any], int], rules: Any
) -> Iterator[tuple[Bet, Pay]]:
    """Yield the paytable lines that can't come up, each with its bet."""
    every = possible_ends(definition, rules, decks(rules))
    for place, bet in enumerate(definition.bets(rules)):
        lines = {end[place] for end in every}
        yield from ((bet, pay) for pay in bet.pays if pay.outcome not in lines)
