"""A coup of Sic Bo: three dice are rolled, once."""

from croupier.games.sic_bo.bets import bets, line_hit
from croupier.games.sic_bo.rules import DICE, Rules
from croupier.play.contract.wants import RollDice
from croupier.play.coup.coup import CoupDefinition, CoupSteps
from croupier.play.coup.dice import faces


def wanted(_rules: Rules, dealt: CoupSteps) -> RollDice | None:
    return None if dealt else RollDice(DICE)


def outcome(_rules: Rules, bet: str, dealt: CoupSteps) -> str | None:
    return line_hit(bet, faces(dealt))


def result(_rules: Rules, dealt: CoupSteps) -> str:
    """Return the faces, lowest first: `1-3-6`."""
    return "-".join(map(str, sorted(faces(dealt))))


DEFINITION = CoupDefinition(bets, wanted, outcome, result)
