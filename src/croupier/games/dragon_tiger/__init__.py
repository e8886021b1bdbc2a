"""Dragon Tiger: the common game, and any other that its rules can tell."""

from functools import partial
from importlib.resources import files

from croupier.games.dragon_tiger.coup import TELLING
from croupier.games.dragon_tiger.labels import HANDS, WORDS, flaws
from croupier.games.dragon_tiger.rules import Rules
from croupier.games.dragon_tiger.show import show
from croupier.games.dragon_tiger.view import DragonTigerView
from croupier.play.coup.game import coup_game
from croupier.play.coup.high_card import CARDS_MOST, asking
from croupier.play.coup.paytable import cloth
from croupier.play.coup.shoe_rules import cards

GAME = coup_game(
    name="dragon_tiger",
    title="Dragon Tiger",
    folder=files(__name__),
    rules=Rules,
    words=WORDS,
    telling=TELLING,
    view=DragonTigerView,
    show=show,
    cloth=lambda rules: cloth(TELLING.bets(rules), WORDS),
    asks=asking(HANDS),
    flaws=flaws,
    cards=partial(cards, most=CARDS_MOST),
    rank=40,
)
