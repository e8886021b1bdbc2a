"""Baccarat: punto banco, and any other that its rules can tell."""

from functools import partial
from importlib.resources import files

from croupier.games.baccarat.coup import CARDS_MOST, TELLING
from croupier.games.baccarat.labels import HANDS, WORDS, flaws
from croupier.games.baccarat.rules import Rules
from croupier.games.baccarat.show import show
from croupier.games.baccarat.view import BaccaratView
from croupier.play.coup.game import coup_game
from croupier.play.coup.hands import asking
from croupier.play.coup.paytable import cloth
from croupier.play.coup.shoe_rules import cards

GAME = coup_game(
    name="baccarat",
    title="Baccarat",
    folder=files(__name__),
    rules=Rules,
    words=WORDS,
    telling=TELLING,
    view=BaccaratView,
    show=show,
    cloth=lambda rules: cloth(TELLING.bets(rules), WORDS),
    asks=asking(HANDS),
    flaws=flaws,
    cards=partial(cards, most=CARDS_MOST),
    rank=30,
)
