"""Compare dealt rounds with a compiled automaton that is given the same cards."""

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
    """Yield the first cards of shuffled shoes, more than a round can use."""
    generator, shoe = random.Random(seed), DECK * decks
    for _ in range(count):
        yield tuple(generator.sample(shoe, min(len(shoe), 60)))


def deal_round(
    game: Game, rules: Any, strategy: Strategy, stake: int, order: tuple[Card, ...]
) -> DealtRound[Any]:
    """Deal a round from a shoe in this order; the strategy decides."""
    deal = DealtRound(
        game.start(rules, [Wager(0, "main", stake)]), ShoeSource(Shoe(order, 0, len(order)))
    ).deal()
    while wants := deal.round.wants():
        assert isinstance(wants[0], Decision)
        deal = deal.decide(wants[0].to, strategy.decide(deal.round, wants[0]))
    return deal


def cards_as_drawn(deal: DealtRound[Any]) -> Iterator[Card]:
    """Yield the cards in the order in which the automaton draws them: the hole card when it is peeked at."""
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


def run_automaton(automaton: Automaton[Ends], cards: Iterator[Card]) -> End:
    """Return the end that the automaton reaches with exactly these cards."""
    state = 0
    for card in cards:
        assert state >= 0, "the automaton has ended before the round"
        column = next(nth for nth, ranks in enumerate(automaton.columns) if card.rank in ranks)
        state = automaton.rows[state][column]
    assert state < 0, "the automaton goes on after the round"
    (end,) = automaton.ends[~state]
    return end


def compare_rounds(
    game: Game, rules: Any, strategy: Strategy, automaton: Automaton[Ends], shoes: Iterator[tuple[Card, ...]]
) -> int:
    """Check that net results and stakes agree for each shoe, and return the number of rounds compared."""
    compared = 0
    for order in shoes:
        deal = deal_round(game, rules, strategy, automaton.unit_stake, order)
        lines = game.settle(deal.round)
        staked = sum(line.stake_minor for line in lines)
        end = End(sum(line.returned_minor for line in lines) - staked, staked)
        assert run_automaton(automaton, cards_as_drawn(deal)) == end, [str(step) for step in deal.steps]
        compared += 1
    return compared
