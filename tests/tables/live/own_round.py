"""A player's own round of blackjack, replayed from its record: the slow reference for shared play."""

from collections.abc import Sequence

from croupier.games.blackjack.round import Round
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.start import start
from croupier.play.contract.bets import Wager
from croupier.play.driving.dealing import parse_step


def replay_own_round(rules: Rules, wagers: Sequence[Wager], steps: Sequence[str]) -> Round:
    """Replay a record until the round ends; the record may continue for other players."""
    round_ = start(rules, wagers)
    for step in steps:
        if round_.wants():
            round_ = round_.answer(*parse_step(round_, step))
    return round_
