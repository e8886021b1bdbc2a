"""A coup of Sic Bo: three dice are rolled, once."""

from croupier.games.sic_bo.bets import bets, line_hit
from croupier.games.sic_bo.rules import DICE, Rules
from croupier.play.contract.wants import RollDice
from croupier.play.coup.coup import Dealt, Telling
from croupier.play.coup.dice import faces


def wanted(_rules: Rules, dealt: Dealt) -> RollDice | None:
    return None if dealt else RollDice(DICE)


def outcome(_rules: Rules, bet: str, dealt: Dealt) -> str | None:
    return line_hit(bet, faces(dealt))


def result(_rules: Rules, dealt: Dealt) -> str:
    """The faces, the lowest first: `1-3-6`."""
    return "-".join(map(str, sorted(faces(dealt))))


TELLING = Telling(bets, wanted, outcome, result)
