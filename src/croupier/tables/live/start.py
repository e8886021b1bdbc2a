"""The start of a round's play."""

from collections.abc import Mapping
from itertools import chain
from typing import Any

from croupier.play.contract.game import Game
from croupier.tables.live.round_play import RoundPlay, Wagers, live
from croupier.tables.live.seated_play import SeatedPlay
from croupier.tables.live.shared_play import SharedPlay


def start_play(game: Game, rules: Any, bets: Mapping[str, Wagers]) -> RoundPlay:
    """Return the play of a round before its first card, from each player's bet."""
    every = chain.from_iterable(bets.values())
    if live(game).seats(rules):
        owners = {wager.box: player for player, wagers in bets.items() for wager in wagers}
        return SeatedPlay(game, game.start(rules, tuple(every)), owners)
    stakes = {player: {bet: minor for _, bet, minor in wagers} for player, wagers in bets.items()}
    return SharedPlay(game, live(game).share(rules, every), stakes, dict.fromkeys(bets, ()), {(): ()})
