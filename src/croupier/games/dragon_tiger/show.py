"""The view of a coup of Dragon Tiger."""

from typing import Literal

from croupier.games.dragon_tiger.coup import DRAGON, TIGER, outcomes
from croupier.games.dragon_tiger.view import DragonTigerView
from croupier.play.contract.wants import At
from croupier.play.coup.coup import Coup
from croupier.play.coup.high_card import card_text, winner
from croupier.play.coup.view import coup_fields

WINNERS: dict[At | None, Literal["dragon", "tiger", "tie"]] = {None: "tie", DRAGON: "dragon", TIGER: "tiger"}


def show(coup: Coup) -> DragonTigerView:
    ended = coup.ended
    return DragonTigerView(
        *coup_fields(coup),
        dragon=card_text(coup.dealt, DRAGON),
        tiger=card_text(coup.dealt, TIGER),
        winner=WINNERS[winner(coup.rules.ace, coup.dealt)] if ended else None,
        suited=ended and "suited_tie" in outcomes(coup.rules, coup.dealt),
    )
