"""The view of a coup of roulette, and the prompt for the spinner."""

from croupier.equipment.wheel import colour
from croupier.games.roulette.coup import result
from croupier.games.roulette.view import RouletteView
from croupier.play.contract.wants import Want
from croupier.play.coup.coup import Coup
from croupier.play.coup.view import coup_fields


def show(coup: Coup) -> RouletteView:
    pocket = result(coup.rules, coup.dealt)
    return RouletteView(*coup_fields(coup), pocket=pocket, colour=colour(pocket) if pocket else None)


def dealer_prompt(_coup: Coup, _want: Want) -> str:
    return "the pocket, when the ball has come to rest"
