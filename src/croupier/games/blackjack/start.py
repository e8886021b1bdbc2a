"""Opens a round from the wagers placed, or refuses them."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from croupier.games.blackjack.bets import bets
from croupier.games.blackjack.boxes import Box
from croupier.games.blackjack.round import Round
from croupier.games.blackjack.rules import Rules
from croupier.play.contract.bets import Wager
from croupier.refusal import Refused


def start(rules: Rules, wagers: Sequence[Wager]) -> Round:
    """A round before its first card: one box for each main bet, in the order of their numbers.

    Refused as `check` refuses it.
    """
    check_wagers(rules, wagers)
    main = sorted(wager for wager in wagers if wager.bet == "main")
    return Round(rules, tuple(_box(rules, opening, wagers) for opening in main))


def check_wagers(rules: Rules, wagers: Sequence[Wager]) -> None:
    """Refused for a bet the table doesn't have, one placed twice, a box outside 0..`boxes`-1, or a
    side bet without its main bet.
    """
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
    """Where each bet stands in the paytable: worked out once, though thousands bet in a round."""
    return {bet.name: place for place, bet in enumerate(bets(rules))}


def _box(rules: Rules, opening: Wager, wagers: Sequence[Wager]) -> Box:
    """Side bets stand in the paytable's order, whatever order they were placed in."""
    places = _places(rules)
    sides = [wager for wager in wagers if wager.box == opening.box and wager.bet != "main"]
    sides.sort(key=lambda wager: places[wager.bet])
    return Box(opening.box, opening.stake_minor, tuple(sides))
