"""Baccarat: punto banco, and any variant that its rules can describe."""

from functools import partial
from importlib.resources import files

from croupier.games.baccarat.coup import CARDS_MAX, DEFINITION
from croupier.games.baccarat.labels import HANDS, LABELS, rule_errors
from croupier.games.baccarat.rules import Rules
from croupier.games.baccarat.show import show
from croupier.games.baccarat.view import BaccaratView
from croupier.play.coup.game import coup_game
from croupier.play.coup.hands import card_prompt
from croupier.play.coup.paytable import cloth_lines
from croupier.play.coup.shoe_rules import shoe_policy

GAME = coup_game(
    name="baccarat",
    title="Baccarat",
    folder=files(__name__),
    rules=Rules,
    labels=LABELS,
    definition=DEFINITION,
    view=BaccaratView,
    show=show,
    cloth=lambda rules: cloth_lines(DEFINITION.bets(rules), LABELS),
    dealer_prompt=card_prompt(HANDS),
    rule_errors=rule_errors,
    shoe_policy=partial(shoe_policy, cards_max=CARDS_MAX),
    rank=30,
)
