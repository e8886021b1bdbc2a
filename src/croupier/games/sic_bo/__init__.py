"""Sic Bo: three dice, fifty-two bets."""

from importlib.resources import files

from croupier.games.sic_bo.coup import DEFINITION
from croupier.games.sic_bo.labels import LABELS, cloth
from croupier.games.sic_bo.rules import Rules
from croupier.games.sic_bo.show import dealer_prompt, show
from croupier.games.sic_bo.view import SicBoView
from croupier.play.coup.game import coup_game

GAME = coup_game(
    name="sic_bo",
    title="Sic Bo",
    folder=files(__name__),
    rules=Rules,
    labels=LABELS,
    definition=DEFINITION,
    view=SicBoView,
    show=show,
    cloth=cloth,
    dealer_prompt=dealer_prompt,
    rank=60,
    start_word="Roll",
)
