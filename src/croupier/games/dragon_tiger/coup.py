"""A coup of Dragon Tiger: a card for the dragon, one for the tiger, and the higher wins."""

from croupier.games.dragon_tiger.rules import Rules
from croupier.play.coup.coup import CoupDefinition, CoupSteps
from croupier.play.coup.hands import cards_at
from croupier.play.coup.high_card import HANDS, ranks, wanted, winner
from croupier.play.coup.paytable import paytable_bets, paytable_outcome

DRAGON, TIGER = HANDS
KINDS = {"dragon": "hand", "tiger": "hand", "tie": "tie", "suited_tie": "suited_tie"}
"""The bets in the order of the cloth, each with its kind."""


def outcomes(rules: Rules, dealt: CoupSteps) -> tuple[str, ...]:
    won = winner(rules.ace, dealt)
    if won is None:
        return ("suited_tie", "tie") if suited(dealt) else ("tie",)
    return ("dragon_wins" if won == DRAGON else "tiger_wins",)


def suited(dealt: CoupSteps) -> bool:
    """Return whether both cards have the same suit."""
    (dragon,), (tiger,) = (cards_at(dealt, hand) for hand in HANDS)
    return dragon.suit == tiger.suit


def result(rules: Rules, dealt: CoupSteps) -> str:
    """Return the winner and both ranks: `DK7`, `T2Q`, `=99`."""
    letter = {None: "=", DRAGON: "D", TIGER: "T"}[winner(rules.ace, dealt)]
    return letter + ranks(dealt)


DEFINITION = CoupDefinition(
    bets=paytable_bets(KINDS), wanted=wanted, outcome=paytable_outcome(outcomes), result=result
)
