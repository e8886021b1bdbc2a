"""A coup of Football Studio: a card for the home side, one for the away side, and the higher wins."""

from croupier.games.football_studio.rules import Rules
from croupier.play.coup.coup import CoupDefinition, CoupSteps
from croupier.play.coup.high_card import HANDS, each_rank, ranks, wanted, winner
from croupier.play.coup.paytable import paytable_bets, paytable_outcome

HOME, AWAY = HANDS
KINDS = {"home": "hand", "away": "hand", "draw": "draw"}
"""The bets in the order of the cloth, each with its kind."""


def outcomes(rules: Rules, dealt: CoupSteps) -> tuple[str, ...]:
    return ({HOME: "home_wins", AWAY: "away_wins", None: "draw"}[winner(rules.ace, dealt)],)


def result(rules: Rules, dealt: CoupSteps) -> str:
    """Return the winner and both ranks: `HK7`, `A2Q`, `=99`."""
    letter = {None: "=", HOME: "H", AWAY: "A"}[winner(rules.ace, dealt)]
    return letter + ranks(dealt)


DEFINITION = CoupDefinition(
    bets=paytable_bets(KINDS),
    wanted=wanted,
    outcome=paytable_outcome(outcomes),
    result=result,
    rank_groups=each_rank,
)
