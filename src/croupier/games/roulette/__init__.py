"""Roulette: a wheel with one zero or two."""

from importlib.resources import files

from croupier.games.roulette.coup import TELLING
from croupier.games.roulette.labels import WORDS, cloth, flaws
from croupier.games.roulette.rules import Rules
from croupier.games.roulette.show import asks, show
from croupier.games.roulette.view import RouletteView
from croupier.play.coup.game import coup_game

GAME = coup_game(
    name="roulette",
    title="Roulette",
    folder=files(__name__),
    rules=Rules,
    words=WORDS,
    telling=TELLING,
    view=RouletteView,
    show=show,
    cloth=cloth,
    asks=asks,
    flaws=flaws,
    rank=20,
    start_word="Spin",
)
