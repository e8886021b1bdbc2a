"""Opens a round from the wagers placed."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from croupier.games.blackjack.bets import bets
from croupier.games.blackjack.round import Round
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.spots import Box
from croupier.play.bets import Wager
from croupier.refusal import Refused


def start(rules: Rules, wagers: Sequence[Wager]) -> Round:
    """A round before its first card: one box for each main bet, in the order of their numbers.

    Refused for a bet the table doesn't have, one placed twice, a box outside 0..`boxes`-1, or a
    side bet without its main bet.
    """
    main = sorted(wager for wager in wagers if wager.bet == "main")
    if not main:
        raise Refused("no_main_bet")
    _check(rules, wagers, {wager.box for wager in main})
    return Round(rules, tuple(_box(rules, opening, wagers) for opening in main))


def _check(rules: Rules, wagers: Sequence[Wager], opened: set[int]) -> None:
    offered = _places(rules)
    placed: set[tuple[int, str]] = set()
    for wager in wagers:
        spot = (wager.box, wager.bet)
        if wager.bet not in offered:
            raise Refused("no_such_bet", bet=wager.bet)
        if not 0 <= wager.box < rules.boxes:
            raise Refused("no_such_box", rule="boxes", box=wager.box, boxes=rules.boxes)
        if wager.box not in opened:
            raise Refused("no_main_bet", box=wager.box)
        if spot in placed:
            raise Refused("placed_twice", bet=wager.bet, box=wager.box)
        if wager.stake_minor < 1:
            raise Refused("no_stake", bet=wager.bet, box=wager.box)
        placed.add(spot)


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
