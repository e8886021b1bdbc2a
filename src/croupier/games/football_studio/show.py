"""A coup of Football Studio as a viewer may see it."""

from typing import Literal

from croupier.games.football_studio.coup import AWAY, HOME
from croupier.games.football_studio.view import FootballStudioView
from croupier.play.coup import Coup
from croupier.play.coup_view import standing
from croupier.play.high_card import card_text, winner
from croupier.play.wants import At

WINNERS: dict[At | None, Literal["home", "away", "draw"]] = {None: "draw", HOME: "home", AWAY: "away"}


def show(coup: Coup) -> FootballStudioView:
    return FootballStudioView(
        *standing(coup),
        home=card_text(coup.dealt, HOME),
        away=card_text(coup.dealt, AWAY),
        winner=WINNERS[winner(coup.rules.ace, coup.dealt)] if coup.ended else None,
    )
