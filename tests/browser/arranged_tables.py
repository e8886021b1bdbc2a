"""An operator's tables with narrow limits and side bets, whose first cards are arranged."""

import sys
from pathlib import Path

from tests.support.server_process import ServerProcess

TABLES = """
[narrow]
game = "blackjack"
title = "Narrow limits"
line = "Two boxes, side bets, double for less"
limits = { GC = "1000-15000" }
boxes = 2
decks = 8
peek = "ace_or_ten"
insurance = "without_blackjack"
even_money = true
double_for_less = true
perfect_pairs = ["perfect_pair 25:1", "coloured_pair 12:1", "mixed_pair 6:1"]
twenty_one_plus_three = ["suited_trips 100:1", "straight 10:1"]

[many_boxes]
game = "blackjack"
title = "Many boxes"
line = "The first one has a blackjack against an ace"
limits = { GC = "1000-15000" }
boxes = 5
decks = 2
peek = "ace_or_ten"
insurance = "without_blackjack"
even_money = true
called = { even_money = "Even Play" }
"""
SERVING = """
import sys
from croupier.cli.main import main
from croupier.equipment import shoe
FIRST = {{8 * 52: "55A667", 2 * 52: "A9999AT88889"}}
def arranged(cards, source, shuffled=shoe.shuffled):
    left = list(shuffled(cards, source))
    first = []
    for rank in FIRST.get(len(left), ""):
        card = next(card for card in left if card.rank == rank)
        left.remove(card)
        first.append(card)
    return (*first, *left)
shoe.shuffled = arranged
sys.argv += ["--tables", {!r}]
main()
"""
"""At the first table, two boxes may be insured and one box alone may be doubled; at the second one, the first
box has a blackjack against an ace.
"""


def serve_arranged(folder: Path) -> ServerProcess:
    """Start a server of these tables, with its files in a folder."""
    tables = folder / "tables.toml"
    tables.write_text(TABLES, encoding="utf-8")
    program = (sys.executable, "-c", SERVING.format(str(tables)))
    return ServerProcess(folder / "data", program=program).start()
