"""The view of a coup of Sic Bo, and the prompt for the dealer."""

from croupier.games.sic_bo.view import SicBoView
from croupier.play.contract.wants import Want
from croupier.play.coup.coup import Coup
from croupier.play.coup.dice import faces
from croupier.play.coup.view import coup_fields


def show(coup: Coup) -> SicBoView:
    return SicBoView(*coup_fields(coup), dice=faces(coup.dealt))


def dealer_prompt(_coup: Coup, _want: Want) -> str:
    return "the three dice, as they lie"
