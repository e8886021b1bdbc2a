"""A slow simulation of side bets, dealt by the round and settled by the game."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from math import sqrt
from random import Random
from typing import Any, NamedTuple

from croupier.equipment.cards import DECK, Card
from croupier.equipment.shoe import Shoe
from croupier.maths.exact.compile import unit_stake
from croupier.play.contract.bets import Settled, Wager
from croupier.play.contract.game import Game
from croupier.play.contract.model import Strategy
from croupier.play.contract.wants import Decision
from croupier.play.driving.dealing import DealtRound
from croupier.play.driving.sources import ShoeSource

CARDS_MAX = 64
"""More cards than a round with one box uses."""


class SideBet(NamedTuple):
    """The return of a stake of 1, and its standard error."""

    rounds: int
    returned: float
    standard_error: float


def side_bets(game: Game, rules: Any, strategy: Strategy, *, rounds: int, seed: int) -> dict[str, SideBet]:
    """Estimate the return of every side bet of a table; each round is dealt from a fresh shoe."""
    results: defaultdict[str, list[int]] = defaultdict(list)
    for lines in islice(_settlements(game, rules, strategy, seed), rounds):
        for line in lines:
            results[line.bet].append(line.returned_minor)
    side_bet_names = (bet.name for bet in game.bets(rules) if not bet.main)
    return {name: _estimate(results[name], unit_stake(game, rules)) for name in side_bet_names}


def _settlements(game: Game, rules: Any, strategy: Strategy, seed: int) -> Iterator[tuple[Settled, ...]]:
    random, cards = Random(seed), DECK * game.decks(rules)
    stake = unit_stake(game, rules)
    wagers = [Wager(0, bet.name, stake) for bet in game.bets(rules)]
    while True:
        order = tuple(random.sample(cards, min(len(cards), CARDS_MAX)))
        yield game.settle(play_round(game.start(rules, wagers), strategy, order))


def play_round(round_: Any, strategy: Strategy, order: tuple[Card, ...]) -> Any:
    """Deal a round from a shoe in this order; the strategy decides."""
    deal = DealtRound(round_, ShoeSource(Shoe(order, 0, len(order)))).deal()
    while wants := deal.round.wants():
        assert isinstance(wants[0], Decision)
        deal = deal.decide(wants[0].to, strategy.decide(deal.round, wants[0]))
    return deal.round


def _estimate(returned: list[int], stake: int) -> SideBet:
    rounds = len(returned)
    mean = sum(returned) / rounds
    variance = sum((result - mean) ** 2 for result in returned) / max(1, rounds - 1)
    return SideBet(rounds, mean / stake, sqrt(variance / rounds) / stake)
