"""Start of a round from wagers, and their checks."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from croupier.games.blackjack.bets import bets
from croupier.games.blackjack.boxes import Box
from croupier.games.blackjack.round import Round
from croupier.games.blackjack.rules import Rules
from croupier.play.contract.bets import Wager
from croupier.refusal import Refused


def start(rules: Rules, wagers: Sequence[Wager]) -> Round:
    """Return a round before its first card: one box for each main bet, in the order of box numbers.

    Refused like `check_wagers`.
    """
    check_wagers(rules, wagers)
    main = sorted(wager for wager in wagers if wager.bet == "main")
    return Round(rules, tuple(_box(rules, opening, wagers) for opening in main))


def check_wagers(rules: Rules, wagers: Sequence[Wager]) -> None:
    """Refuse unknown bets, bets placed twice, boxes outside 0..`boxes`-1, and side bets without main bet."""
    opened = {box for box, bet, _ in wagers if bet == "main"}
    if not opened:
        raise Refused("no_main_bet")
    offered, boxes = _places(rules), rules.boxes
    placed: set[tuple[int, str]] = set()
    for box, bet, stake_minor in wagers:
        if bet not in offered:
            raise Refused("no_such_bet", bet=bet)
        if not 0 <= box < boxes:
            raise Refused("no_such_box", rule="boxes", box=box, boxes=boxes)
        if box not in opened:
            raise Refused("no_main_bet", box=box)
        if (box, bet) in placed:
            raise Refused("placed_twice", bet=bet, box=box)
        if stake_minor < 1:
            raise Refused("no_stake", bet=bet, box=box)
        placed.add((box, bet))


@lru_cache(maxsize=64)
def _places(rules: Rules) -> Mapping[str, int]:
    """Return the position of each bet in the paytable; cached, as thousands may bet in one round."""
    return {bet.name: place for place, bet in enumerate(bets(rules))}


def _box(rules: Rules, opening: Wager, wagers: Sequence[Wager]) -> Box:
    """Return a box with its side bets in the paytable's order."""
    places = _places(rules)
    sides = [wager for wager in wagers if wager.box == opening.box and wager.bet != "main"]
    sides.sort(key=lambda wager: places[wager.bet])
    return Box(opening.box, opening.stake_minor, tuple(sides))
