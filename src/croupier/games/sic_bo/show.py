"""A coup of Sic Bo as a viewer may see it, and in words for who rolls."""

from croupier.games.sic_bo.view import SicBoView
from croupier.play.coup import Coup
from croupier.play.coup_view import standing
from croupier.play.rolls import faces
from croupier.play.wants import Want


def show(coup: Coup) -> SicBoView:
    return SicBoView(*standing(coup), dice=faces(coup.dealt))


def asks(_coup: Coup, _want: Want) -> str:
    return "the three dice, as they lie"
