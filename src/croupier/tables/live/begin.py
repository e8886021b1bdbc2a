"""The play of a new round."""

from collections.abc import Mapping
from itertools import chain
from typing import Any

from croupier.play.contract.game import Game
from croupier.tables.live.plays import Play, Wagers, live
from croupier.tables.live.seats import Seats
from croupier.tables.live.together import Together


def begun(game: Game, rules: Any, bets: Mapping[str, Wagers]) -> Play:
    """The play of a round in which these players have these bets, before its first card."""
    every = chain.from_iterable(bets.values())
    if live(game).seats(rules):
        owners = {wager.box: player for player, wagers in bets.items() for wager in wagers}
        return Seats(game, game.start(rules, tuple(every)), owners)
    stakes = {player: {bet: minor for _, bet, minor in wagers} for player, wagers in bets.items()}
    return Together(game, live(game).gathered(rules, every), stakes, dict.fromkeys(bets, ()), {(): ()})
