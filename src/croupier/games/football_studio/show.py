"""The view of a coup of Football Studio."""

from typing import Literal

from croupier.games.football_studio.coup import AWAY, HOME
from croupier.games.football_studio.view import FootballStudioView
from croupier.play.contract.wants import At
from croupier.play.coup.coup import Coup
from croupier.play.coup.high_card import card_text, winner
from croupier.play.coup.view import coup_fields

WINNERS: dict[At | None, Literal["home", "away", "draw"]] = {None: "draw", HOME: "home", AWAY: "away"}


def show(coup: Coup) -> FootballStudioView:
    return FootballStudioView(
        *coup_fields(coup),
        home=card_text(coup.dealt, HOME),
        away=card_text(coup.dealt, AWAY),
        winner=WINNERS[winner(coup.rules.ace, coup.dealt)] if coup.ended else None,
    )
