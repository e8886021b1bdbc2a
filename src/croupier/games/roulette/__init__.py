"""Roulette: a wheel with one zero or two."""

from importlib.resources import files

from croupier.games.roulette.coup import DEFINITION
from croupier.games.roulette.labels import LABELS, cloth, rule_errors
from croupier.games.roulette.rules import Rules
from croupier.games.roulette.show import dealer_prompt, show
from croupier.games.roulette.view import RouletteView
from croupier.play.coup.game import coup_game

GAME = coup_game(
    name="roulette",
    title="Roulette",
    folder=files(__name__),
    rules=Rules,
    labels=LABELS,
    definition=DEFINITION,
    view=RouletteView,
    show=show,
    cloth=cloth,
    dealer_prompt=dealer_prompt,
    rule_errors=rule_errors,
    rank=20,
    start_word="Spin",
)
