"""Labels of bets, outcomes and sides of Football Studio, and checks of a table's rules."""

from collections.abc import Iterator

from croupier.games.football_studio.coup import AWAY, HOME, KINDS
from croupier.games.football_studio.rules import Rules
from croupier.play.contract.game import Dealing
from croupier.play.coup import paytable, shoe_rules
from croupier.play.coup.hands import hand_labels
from croupier.play.coup.high_card import CARDS_MAX

HANDS = {HOME: "Home side", AWAY: "Away side"}
BETS = {"home": "Home", "away": "Away", "draw": "Draw"}
OUTCOMES = {"home_wins": "Home wins", "away_wins": "Away wins", "draw": "Draw"}
LABELS = BETS | OUTCOMES | hand_labels(HANDS)


def rule_errors(rules: Rules, dealing: Dealing) -> Iterator[tuple[str, str]]:
    """Yield fields that don't go together or with the way of dealing."""
    yield from shoe_rules.shoe_errors(rules, dealing, CARDS_MAX)
    yield from paytable.paytables_errors(rules, KINDS, OUTCOMES)
