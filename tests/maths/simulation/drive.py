"""Drives a dealt round and a compiled automaton by the same cards."""

import random
from collections.abc import Iterator
from typing import Any

from croupier.equipment.cards import DECK, Card
from croupier.equipment.shoe import Shoe
from croupier.maths.exact.automaton import Automaton, End, Ends
from croupier.play.contract.bets import Wager
from croupier.play.contract.game import Game
from croupier.play.contract.model import Strategy
from croupier.play.contract.wants import DealCard, DealFaceDown, Decision, Peek, TurnCard
from croupier.play.driving.dealing import DealtRound
from croupier.play.driving.sources import ShoeSource


def orders(decks: int, seed: int, count: int) -> Iterator[tuple[Card, ...]]:
    """The first cards of shuffled shoes: more than a round can take."""
    chance, shoe = random.Random(seed), DECK * decks
    for _ in range(count):
        yield tuple(chance.sample(shoe, min(len(shoe), 60)))


def dealt(game: Game, rules: Any, strategy: Strategy, stake: int, order: tuple[Card, ...]) -> DealtRound[Any]:
    """A round dealt from a shoe in this order and decided by the strategy."""
    deal = DealtRound(
        game.start(rules, [Wager(0, "main", stake)]), ShoeSource(Shoe(order, 0, len(order)))
    ).deal()
    while wants := deal.round.wants():
        assert isinstance(wants[0], Decision)
        deal = deal.decide(wants[0].to, strategy.decide(deal.round, wants[0]))
    return deal


def seen_cards(deal: DealtRound[Any]) -> Iterator[Card]:
    """The cards in the order in which the automaton draws them: the hole card when it is looked at."""
    assert isinstance(deal.source, ShoeSource)
    shoe, hole = iter(deal.source.shoe.cards), None
    for step in deal.steps:
        match step.want:
            case DealCard():
                yield next(shoe)
            case DealFaceDown():
                hole = next(shoe)
            case Peek() | TurnCard() if hole:
                yield hole
                hole = None
    if hole:
        yield hole


def walked(automaton: Automaton[Ends], cards: Iterator[Card]) -> End:
    """What the automaton comes to by these cards, and not before the last."""
    state = 0
    for card in cards:
        assert state >= 0, "the automaton has ended before the round"
        column = next(nth for nth, ranks in enumerate(automaton.columns) if card.rank in ranks)
        state = automaton.rows[state][column]
    assert state < 0, "the automaton goes on after the round"
    (end,) = automaton.ends[~state]
    return end


def check(
    game: Game, rules: Any, strategy: Strategy, automaton: Automaton[Ends], shoes: Iterator[tuple[Card, ...]]
) -> int:
    """Same cards, same net result, same stake; says how many rounds were compared."""
    compared = 0
    for order in shoes:
        deal = dealt(game, rules, strategy, automaton.unit_stake, order)
        lines = game.settle(deal.round)
        staked = sum(line.stake_minor for line in lines)
        end = End(sum(line.returned_minor for line in lines) - staked, staked)
        assert walked(automaton, seen_cards(deal)) == end, [str(step) for step in deal.steps]
        compared += 1
    return compared
