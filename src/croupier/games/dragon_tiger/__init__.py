"""Dragon Tiger: the common game, and any variant that its rules can describe."""

from functools import partial
from importlib.resources import files

from croupier.games.dragon_tiger.coup import DEFINITION
from croupier.games.dragon_tiger.labels import HANDS, LABELS, rule_errors
from croupier.games.dragon_tiger.rules import Rules
from croupier.games.dragon_tiger.show import show
from croupier.games.dragon_tiger.view import DragonTigerView
from croupier.play.coup.game import coup_game
from croupier.play.coup.high_card import CARDS_MAX, card_prompt
from croupier.play.coup.paytable import cloth_lines
from croupier.play.coup.shoe_rules import shoe_policy

GAME = coup_game(
    name="dragon_tiger",
    title="Dragon Tiger",
    folder=files(__name__),
    rules=Rules,
    labels=LABELS,
    definition=DEFINITION,
    view=DragonTigerView,
    show=show,
    cloth=lambda rules: cloth_lines(DEFINITION.bets(rules), LABELS),
    dealer_prompt=card_prompt(HANDS),
    rule_errors=rule_errors,
    shoe_policy=partial(shoe_policy, cards_max=CARDS_MAX),
    rank=40,
)
