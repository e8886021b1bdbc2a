"""Sic Bo: three dice, fifty-two bets."""

from importlib.resources import files

from croupier.games.sic_bo.coup import TELLING
from croupier.games.sic_bo.labels import WORDS, cloth
from croupier.games.sic_bo.rules import Rules
from croupier.games.sic_bo.show import asks, show
from croupier.games.sic_bo.view import SicBoView
from croupier.play.coup.game import coup_game

GAME = coup_game(
    name="sic_bo",
    title="Sic Bo",
    folder=files(__name__),
    rules=Rules,
    words=WORDS,
    telling=TELLING,
    view=SicBoView,
    show=show,
    cloth=cloth,
    asks=asks,
    rank=60,
    start_word="Roll",
)
