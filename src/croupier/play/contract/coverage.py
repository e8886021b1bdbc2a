"""The outcomes that each bet of a coup covers, if one spin or one roll decides it."""

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from croupier.play.contract.bets import Bet
from croupier.play.contract.wants import Answer, Pocket, Roll, RollDice, SpinWheel, Want
from croupier.play.coup.coup import CoupDefinition, CoupStep, CoupSteps

FACES = range(1, 7)


class Coverage(NamedTuple):
    """The outcomes that each bet covers.

    `of` maps each bet to its winning outcomes, among `outcomes` equally likely ones.
    """

    outcomes: int
    of: Mapping[str, frozenset[str]]

    def covered(self, bets: Iterable[str]) -> int:
        """Return the number of outcomes on which at least one of these bets wins."""
        return len(frozenset[str]().union(*(self.of[bet] for bet in bets)))


@lru_cache(maxsize=64)
def coverage(definition: CoupDefinition, rules: Any) -> Coverage | None:
    """Return None for a coup with cards or several results: its outcomes can't be counted."""
    want = definition.wanted(rules, ())
    every = [] if want is None else [(CoupStep(want.to, answer),) for answer in _possible_answers(want)]
    if not every or any(definition.wanted(rules, dealt) for dealt in every):
        return None
    return Coverage(
        len(every),
        {bet.name: _covered_outcomes(definition, rules, bet, every) for bet in definition.bets(rules)},
    )


def _possible_answers(want: Want) -> Collection[Answer]:
    """Return the possible answers if they are equally likely, else nothing."""
    match want:
        case SpinWheel(pockets):
            return [Pocket(name) for name in pockets]
        case RollDice(dice):
            return [Roll(faces) for faces in product(FACES, repeat=dice)]
    return ()


def _covered_outcomes(
    definition: CoupDefinition, rules: Any, bet: Bet, every: Iterable[CoupSteps]
) -> frozenset[str]:
    wins = {pay.outcome for pay in bet.pays if pay.odds.wins > 0}
    return frozenset(
        str(dealt[0].answer) for dealt in every if definition.outcome(rules, bet.name, dealt) in wins
    )
