"""A player's own round from his record: the slow way to what he had, by the house's own rules."""

from collections.abc import Sequence

from croupier.games.blackjack.round import Round
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.start import start
from croupier.play.contract.bets import Wager
from croupier.play.driving.dealing import parse_step


def by_himself(rules: Rules, wagers: Sequence[Wager], steps: Sequence[str]) -> Round:
    """The record may go on for others when his round has ended."""
    round_ = start(rules, wagers)
    for step in steps:
        if round_.wants():
            round_ = round_.answer(*parse_step(round_, step))
    return round_
