"""A coup of roulette: one spin, and every bet settled by its position (004 2.2)."""

from functools import cache

from croupier.equipment.wheel import GREEN
from croupier.games.roulette.layout import positions
from croupier.games.roulette.rules import Rules, pockets
from croupier.play.contract.bets import Bet
from croupier.play.contract.wants import SpinWheel
from croupier.play.coup.coup import CoupDefinition, CoupSteps
from croupier.play.coup.paytable import first_line_hit, parse_paytable


@cache
def bets(rules: Rules) -> tuple[Bet, ...]:
    """Return a bet for each position; kinds with an empty paytable aren't offered."""
    every = (
        Bet(position.name, main=True, pays=parse_paytable(getattr(rules, position.kind)), kind=position.kind)
        for position in positions(rules).values()
    )
    return tuple(bet for bet in every if bet.pays)


def wanted(rules: Rules, dealt: CoupSteps) -> SpinWheel | None:
    return None if dealt else SpinWheel(pockets(rules))


def outcome(rules: Rules, bet: str, dealt: CoupSteps) -> str | None:
    """Return the line that came up; paytables may have a line for the zero."""
    position, pocket = positions(rules)[bet], result(rules, dealt)
    outcomes = ("win",) * (pocket in position.pockets) + ("zero",) * (pocket in GREEN)
    return first_line_hit(parse_paytable(getattr(rules, position.kind)), outcomes)


def result(_rules: Rules, dealt: CoupSteps) -> str:
    """Return the pocket; empty before the spin."""
    return str(dealt[0].answer) if dealt else ""


DEFINITION = CoupDefinition(bets, wanted, outcome, result)
