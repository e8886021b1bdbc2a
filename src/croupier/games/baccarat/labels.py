"""Labels of bets, outcomes and hands of baccarat, and checks of a table's rules."""

from collections import Counter
from collections.abc import Iterator

from croupier.games.baccarat.coup import CARDS_MAX, KINDS
from croupier.games.baccarat.rules import BANKER, PLAYER, Rules
from croupier.play.contract.game import Dealing
from croupier.play.coup import paytable, shoe_rules
from croupier.play.coup.hands import hand_labels

HANDS = {PLAYER: "Player", BANKER: "Banker"}
PAIR_WORDS = {"player_pair": "Player pair", "banker_pair": "Banker pair"}
BETS = {"player": "Player", "banker": "Banker", "tie": "Tie"} | PAIR_WORDS
ENDS = {"player_wins": "Player wins", "banker_wins": "Banker wins", "tie": "Tie"}
"""The possible ends of a coup."""


def _outcomes() -> Iterator[tuple[str, str]]:
    """Yield each end, also with points, and with points and number of cards."""
    for end, title in ENDS.items():
        yield end, title
        for points in range(10):
            yield f"{end}_{points}", f"{title} with {points}"
            yield f"{end}_{points}_of_2", f"{title} with {points} in two cards"
            yield f"{end}_{points}_of_3", f"{title} with {points} in three cards"


OUTCOMES = dict(_outcomes()) | PAIR_WORDS
LABELS = BETS | OUTCOMES | hand_labels(HANDS)


def rule_errors(rules: Rules, dealing: Dealing) -> Iterator[tuple[str, str]]:
    """Yield fields that don't go together or with the way of dealing."""
    yield from shoe_rules.shoe_errors(rules, dealing, CARDS_MAX)
    yield from paytable.paytables_errors(rules, KINDS, OUTCOMES)
    totals = Counter(row.partition(":")[0] for row in rules.banker_draws)
    for total, rows in totals.items():
        if rows > 1:
            yield "banker_draws", f"the banker's total {total} has {rows} rows; allowed is: one"
