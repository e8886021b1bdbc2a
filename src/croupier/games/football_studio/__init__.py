"""Football Studio: the common game, and any variant that its rules can describe."""

from functools import partial
from importlib.resources import files

from croupier.games.football_studio.coup import DEFINITION
from croupier.games.football_studio.labels import HANDS, LABELS, rule_errors
from croupier.games.football_studio.rules import Rules
from croupier.games.football_studio.show import show
from croupier.games.football_studio.view import FootballStudioView
from croupier.play.coup.game import coup_game
from croupier.play.coup.high_card import CARDS_MAX, card_prompt
from croupier.play.coup.paytable import cloth_lines
from croupier.play.coup.shoe_rules import shoe_policy

GAME = coup_game(
    name="football_studio",
    title="Football Studio",
    folder=files(__name__),
    rules=Rules,
    labels=LABELS,
    definition=DEFINITION,
    view=FootballStudioView,
    show=show,
    cloth=lambda rules: cloth_lines(DEFINITION.bets(rules), LABELS),
    dealer_prompt=card_prompt(HANDS),
    rule_errors=rule_errors,
    shoe_policy=partial(shoe_policy, cards_max=CARDS_MAX),
    rank=50,
)
