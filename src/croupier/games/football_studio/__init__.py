"""Football Studio: the common game, and any other that its rules can tell."""

from functools import partial
from importlib.resources import files

from croupier.games.football_studio.coup import TELLING
from croupier.games.football_studio.labels import HANDS, WORDS, flaws
from croupier.games.football_studio.rules import Rules
from croupier.games.football_studio.show import show
from croupier.games.football_studio.view import FootballStudioView
from croupier.play.coup.game import coup_game
from croupier.play.coup.high_card import CARDS_MOST, asking
from croupier.play.coup.paytable import cloth
from croupier.play.coup.shoe_rules import cards

GAME = coup_game(
    name="football_studio",
    title="Football Studio",
    folder=files(__name__),
    rules=Rules,
    words=WORDS,
    telling=TELLING,
    view=FootballStudioView,
    show=show,
    cloth=lambda rules: cloth(TELLING.bets(rules), WORDS),
    asks=asking(HANDS),
    flaws=flaws,
    cards=partial(cards, most=CARDS_MOST),
    rank=50,
)
