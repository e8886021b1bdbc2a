"""What bets, outcomes and hands of Dragon Tiger are called, and what of its rules doesn't go together."""

from collections.abc import Iterator

from croupier.games.dragon_tiger.coup import DRAGON, KINDS, TIGER
from croupier.games.dragon_tiger.rules import Rules
from croupier.play.contract.game import Dealing
from croupier.play.coup import paytable, shoe_rules
from croupier.play.coup.hands import hand_words
from croupier.play.coup.high_card import CARDS_MOST

HANDS = {DRAGON: "Dragon", TIGER: "Tiger"}
BETS = {"dragon": "Dragon", "tiger": "Tiger", "tie": "Tie", "suited_tie": "Suited tie"}
OUTCOMES = {
    "dragon_wins": "Dragon wins",
    "tiger_wins": "Tiger wins",
    "tie": "Tie",
    "suited_tie": "Suited tie",
}
WORDS = BETS | OUTCOMES | hand_words(HANDS)


def flaws(rules: Rules, dealing: Dealing) -> Iterator[tuple[str, str]]:
    """Fields that are right each but not together, or not at a table so dealt."""
    yield from shoe_rules.flaws(rules, dealing, CARDS_MOST)
    yield from paytable.flaws_of(rules, KINDS, OUTCOMES)
