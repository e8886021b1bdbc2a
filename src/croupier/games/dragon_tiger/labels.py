"""Labels of bets, outcomes and hands of Dragon Tiger, and checks of a table's rules."""

from collections.abc import Iterator

from croupier.games.dragon_tiger.coup import DRAGON, KINDS, TIGER
from croupier.games.dragon_tiger.rules import Rules
from croupier.play.contract.game import Dealing
from croupier.play.coup import paytable, shoe_rules
from croupier.play.coup.hands import hand_labels
from croupier.play.coup.high_card import CARDS_MAX

HANDS = {DRAGON: "Dragon", TIGER: "Tiger"}
BETS = {"dragon": "Dragon", "tiger": "Tiger", "tie": "Tie", "suited_tie": "Suited tie"}
OUTCOMES = {
    "dragon_wins": "Dragon wins",
    "tiger_wins": "Tiger wins",
    "tie": "Tie",
    "suited_tie": "Suited tie",
}
LABELS = BETS | OUTCOMES | hand_labels(HANDS)


def rule_errors(rules: Rules, dealing: Dealing) -> Iterator[tuple[str, str]]:
    """Yield fields that don't go together or with the way of dealing."""
    yield from shoe_rules.shoe_errors(rules, dealing, CARDS_MAX)
    yield from paytable.paytables_errors(rules, KINDS, OUTCOMES)
